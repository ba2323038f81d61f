import { createHash } from "node:crypto";
import { imageProblem } from "#core/assets/image-limits.ts";
import { sniffAsset } from "#core/assets/rules.ts";
import { addressesIn, withoutEscapes } from "#core/markdown/addresses.ts";
import { assetUrl } from "#core/markdown/links.ts";
import { limits } from "#core/limits.ts";
import type { SourceTree } from "#core/import/files.ts";
import { joinPath, linkBases, splitTarget } from "#core/links/link-targets.ts";
import { assetPath } from "#core/repository/names.ts";

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
 * Reads nothing outside the folder: an image that leads there keeps only its alternative text.
 * @param file its path from the root of the folder, and the folder
 */
export async function withLocalPictures(
  text: string,
  file: { path: string; tree: SourceTree },
  pictures: Map<string, LocalPicture>,
): Promise<string> {
  if (!/!\[|<\w/.test(text)) return text;
  let out = text;
  for (const { start, end, url } of placesOf(text).reverse()) {
    const name = await take(url, file, pictures);
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
  { path: from, tree }: { path: string; tree: SourceTree },
  pictures: Map<string, LocalPicture>,
): Promise<string | null> {
  if (/^[a-z][a-z0-9+.-]*:/i.test(url)) return null;
  const [, sha256, ext] = assetUrl.exec(url) ?? [];
  const { path: target } = splitTarget(withoutEscapes(url));
  const paths =
    sha256 === undefined
      ? linkBases(from, target).map((base) => joinPath(base, target.replace(/^\/+/, "")))
      : [assetPath(`${sha256}.${ext}`)];
  for (const path of paths) {
    const file = path === undefined || path === "" ? undefined : await tree.find(path);
    if (file === undefined || (file.size ?? 0) > limits.asset) continue;
    const bytes = await file.read();
    const type = sniffAsset(bytes);
    if (!type || type === "pdf") return null;
    const name = `${createHash("sha256").update(bytes).digest("hex")}.${type}`;
    pictures.set(name, { path: file.path, bytes, problem: imageProblem(bytes) });
    return name;
  }
  return null;
}
