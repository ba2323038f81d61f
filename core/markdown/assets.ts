import { addressesInMarkdown, type Address } from "./addresses.ts";
import { assetUrl } from "./links.ts";

export interface LinkedAsset {
  sha256: string;
  ext: string;
}

/** The assets that a text links. They are stored with the text, because parsing some texts is slow. */
export interface AssetLinks {
  /** The linked assets in the order of the text, each once. */
  assets: LinkedAsset[];
  /** Offsets of the destinations that become relative in a file of the repository. */
  places: number[];
}

const assetAt = /\/api\/assets\/([0-9a-f]{64})\.([a-z0-9]{1,5})/y;
const needle = "/api/assets/";
const repositoryUrl = /^\.\.\/\.\.\/assets\/([0-9a-f]{2})\/(\1[0-9a-f]{62})\.([a-z0-9]{1,5})$/;

/** Tells whether a text can link assets. A text without the address needs no parsing. */
export function mayLinkAssets(markdown: string): boolean {
  return markdown.includes(needle);
}

/** Finds the assets that a body links or shows, also in raw HTML, whether they are stored or not. Code is ignored. */
export function assetLinks(markdown: string): AssetLinks {
  const assets = new Map<string, LinkedAsset>();
  const places = new Set<number>();
  for (const { url, start } of addressesNaming(markdown, needle)) {
    const [path] = splitUrl(url);
    const [, sha256, ext] = assetUrl.exec(path) ?? [];
    if (sha256 === undefined) continue;
    if (!assets.has(sha256)) assets.set(sha256, { sha256, ext: ext ?? "" });
    if (ext !== undefined && start !== -1) places.add(start);
  }
  return { assets: [...assets.values()], places: [...places].sort((a, b) => a - b) };
}

/**
 * Writes links as git and exports contain them (repository format v1): `/api/assets/<sha256>.<ext>` →
 * `../../assets/<first 2>/<sha256>.<ext>`, and `/sop/SOP-0042` → `../../<path>`.
 * @param places the result of `assetLinks` for the same text; if absent, the text is parsed
 * @param sops the links to other SOPs in the same version
 */
export function withRepositoryLinks(
  markdown: string,
  places: readonly number[] = assetLinks(markdown).places,
  sops: readonly { at: number; to: string; path: string | null }[] = [],
): string {
  const moves = places.flatMap((place) => {
    assetAt.lastIndex = place;
    const [link = "", sha256 = "", ext = ""] = assetAt.exec(markdown) ?? [];
    return link === "" ? [] : [{ place, link, file: `assets/${sha256.slice(0, 2)}/${sha256}.${ext}` }];
  });
  for (const { at, to, path } of sops) {
    const link = `/sop/${to}`;
    if (path !== null && at >= 0 && markdown.startsWith(link, at)) moves.push({ place: at, link, file: path });
  }
  let text = "";
  let done = 0;
  for (const { place, link, file } of moves.sort((a, b) => a.place - b.place)) {
    text += `${markdown.slice(done, place)}../../${file}`;
    done = place + link.length;
  }
  return text + markdown.slice(done);
}

/** Writes links to assets in a file of the repository as links of the server. Links to SOPs stay as they are. */
export function withServerAssetLinks(markdown: string): string {
  const edits: { start: number; end: number; text: string }[] = [];
  for (const { url, start } of addressesNaming(markdown, "../../assets/")) {
    const [path, rest] = splitUrl(url);
    const [, , sha256, ext] = repositoryUrl.exec(path) ?? [];
    if (sha256 !== undefined && start !== -1)
      edits.push({ start, end: start + url.length, text: `/api/assets/${sha256}.${ext ?? ""}${rest}` });
  }
  edits.sort((one, other) => other.start - one.start);
  return edits.reduce((text, { start, end, text: put }) => text.slice(0, start) + put + text.slice(end), markdown);
}

/**
 * Returns the addresses in a text that contains the string `wanted`, and none for other texts, which need no slow
 * parsing.
 */
function addressesNaming(markdown: string, wanted: string): Address[] {
  return markdown.includes(wanted) ? addressesInMarkdown(markdown) : [];
}

/** Splits an address into the path, and its query and fragment. */
function splitUrl(url: string): [string, string] {
  const end = url.search(/[?#]/);
  return end === -1 ? [url, ""] : [url.slice(0, end), url.slice(end)];
}
