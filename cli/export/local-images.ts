import { sha256Of } from "../hashing.ts";
import { imageSizeProblem } from "#core/assets/image-limits.ts";
import { assetExtensionOf } from "#core/assets/rules.ts";
import { addressesInMarkdown, decodedWrittenAddress, type Address } from "#core/markdown/addresses.ts";
import { assetUrl } from "#core/markdown/links.ts";
import { limits } from "#core/limits.ts";
import type { SourceTree } from "#core/import/files.ts";
import { joinPath, baseFoldersOfLink, splitAddress } from "#core/links/link-targets.ts";
import { assetPath } from "#core/repository/names.ts";

/** An image or a PDF of the folder. */
export interface LocalImage {
  /** The image's path from the root of the folder. */
  path: string;
  bytes: Uint8Array;
  /** The reason why exports leave the image out; null if the image can be shown, and for PDFs. */
  problem: string | null;
}

/**
 * Replaces addresses of the folder's images by names made from their bytes, as the server names them. Adds the bytes to
 * `images`. Reads nothing outside the folder: an image from outside is exported as its alternative text.
 * @param file the document's path from the root of the folder, and the folder
 * @param linked collects the PDFs and images that the text links. Without it, such links stay as they are.
 */
export async function withLocalImages(
  text: string,
  file: { path: string; tree: SourceTree },
  images: Map<string, LocalImage>,
  linked?: Map<string, LocalImage>,
): Promise<string> {
  if (!/\]|<\w/.test(text)) return text;
  let out = text;
  for (const { start, url, kind } of linkedAddressesIn(text, linked !== undefined).reverse()) {
    const found = await findLinkedFile(url, file);
    if (found === null || (found.isPdf && kind === "image")) continue;
    const files = found.isPdf || kind === "link" ? linked : images;
    if (files === undefined) continue;
    files.set(found.name, found.image);
    const place = kind === "link" || found.isPdf ? splitAddress(url).fragment : "";
    out = `${out.slice(0, start)}/api/assets/${found.name}${place}${out.slice(start + url.length)}`;
  }
  return out;
}

const linkableFile = /\.(?:pdf|png|jpe?g|gif|webp)(?:[?#]|$)/i;

/** Returns the addresses of images, and of linked files if `withLinks` is set, in the order of the text. */
function linkedAddressesIn(text: string, withLinks: boolean): Address[] {
  return addressesInMarkdown(text)
    .filter(
      ({ url, start, kind }) =>
        start !== -1 && url !== "" && (kind !== "link" || (withLinks && linkableFile.test(url))),
    )
    .sort((one, other) => one.start - other.start);
}

async function findLinkedFile(
  url: string,
  { path: from, tree }: { path: string; tree: SourceTree },
): Promise<{ name: string; isPdf: boolean; image: LocalImage } | null> {
  if (/^[a-z][a-z0-9+.-]*:/i.test(url)) return null;
  const [, sha256, ext] = assetUrl.exec(url) ?? [];
  const { path: target } = splitAddress(decodedWrittenAddress(url));
  const paths =
    sha256 === undefined
      ? baseFoldersOfLink(from, target).map((base) => joinPath(base, target.replace(/^\/+/, "")))
      : [assetPath(`${sha256}.${ext}`)];
  for (const path of paths) {
    const file = path === undefined || path === "" ? undefined : await tree.find(path);
    if (file === undefined || (file.size ?? 0) > limits.asset) continue;
    const bytes = await file.read();
    const type = assetExtensionOf(bytes);
    if (!type) return null;
    const name = `${sha256Of(bytes)}.${type}`;
    const isPdf = type === "pdf";
    return { name, isPdf, image: { path: file.path, bytes, problem: isPdf ? null : imageSizeProblem(bytes) } };
  }
  return null;
}
