import { withRepositoryLinks } from "#core/markdown/assets.ts";
import { fileTextOf, type FrontMatter } from "#core/markdown/front-matter.ts";
import type { SopLink } from "#core/markdown/sop-links.ts";

const encoder = new TextEncoder();

/**
 * Returns the exact bytes of a version's file. Git stores them, `contentHash` is their hash, and `export --format md`
 * writes them.
 */
export function versionFileBytes(version: {
  frontMatter: FrontMatter;
  markdown: string;
  assetPlaces: readonly number[];
  sopLinks?: readonly SopLink[];
}): Uint8Array {
  const { frontMatter, markdown, assetPlaces, sopLinks } = version;
  return encoder.encode(fileTextOf(frontMatter, withRepositoryLinks(markdown, assetPlaces, sopLinks)));
}
