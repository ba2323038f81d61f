import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { imageProblem } from "#core/assets/image-limits.ts";
import { sniffAsset } from "#core/assets/rules.ts";
import { addressesIn } from "#core/markdown/addresses.ts";
import { assetUrl } from "#core/markdown/links.ts";
import { limits } from "#core/limits.ts";
import { isInside, pathWithin } from "../workspace.ts";

interface Place {
  start: number;
  end: number;
  url: string;
}

export interface LocalPicture {
  /** From the root of the folder. */
  path: string;
  bytes: Uint8Array;
  /** Why exports leave it out; null for an image that can be shown. */
  problem: string | null;
}

/**
 * The text with the folder's images named by their bytes, as the server names them. Adds their bytes to `pictures`.
 * Reads nothing outside `root`: an image that leads there keeps only its alternative text.
 */
export async function withLocalPictures(
  text: string,
  file: string,
  root: string,
  pictures: Map<string, LocalPicture>,
): Promise<string> {
  if (!/!\[|<\w/.test(text)) return text;
  let out = text;
  for (const { start, end, url } of placesOf(text).reverse()) {
    const name = await take(url, file, root, pictures);
    if (name !== null) out = `${out.slice(0, start)}/api/assets/${name}${out.slice(end)}`;
  }
  return out;
}

/** The positions of image addresses, in the order of the text. */
function placesOf(text: string): Place[] {
  return addressesIn(text)
    .filter(({ url, start, kind }) => kind !== "link" && start !== -1 && url !== "")
    .map(({ url, start }) => ({ url, start, end: start + url.length }))
    .sort((one, other) => one.start - other.start);
}

async function take(
  url: string,
  file: string,
  root: string,
  pictures: Map<string, LocalPicture>,
): Promise<string | null> {
  const [, sha256, ext] = assetUrl.exec(url) ?? [];
  const path =
    sha256 === undefined
      ? resolve(dirname(file), decoded(url))
      : resolve(root, "assets", sha256.slice(0, 2), `${sha256}.${ext}`);
  if (/^[a-z][a-z0-9+.-]*:/i.test(url) || !isInside(root, path)) return null;
  const bytes = await readFile(path).catch(() => null);
  const type = bytes === null || bytes.length > limits.asset ? null : sniffAsset(bytes);
  if (bytes === null || !type || type === "pdf") return null;
  const name = `${createHash("sha256").update(bytes).digest("hex")}.${type}`;
  pictures.set(name, { path: pathWithin(root, path), bytes, problem: imageProblem(bytes) });
  return name;
}

function decoded(url: string): string {
  const [path = ""] = url.split(/[?#]/);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
