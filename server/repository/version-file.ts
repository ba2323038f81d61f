import { toRepositoryLinks } from "#core/markdown/assets.ts";
import { emitFile, type FrontMatter } from "#core/markdown/front-matter.ts";

const encoder = new TextEncoder();

/** The exact bytes of a version's file: what git holds, `contentHash` hashes and `export --format md` writes. */
export function versionFile(version: {
  frontMatter: FrontMatter;
  markdown: string;
  assetPlaces: readonly number[];
}): Uint8Array {
  return encoder.encode(emitFile(version.frontMatter, toRepositoryLinks(version.markdown, version.assetPlaces)));
}
