import type { AssetLinks } from "#core/markdown/assets.ts";
import type { SopLink } from "#core/markdown/sop-links.ts";

/** The links in a body, found by the render pool: some texts keep a parser busy for long. */
export interface TextLinks extends AssetLinks {
  sops: SopLink[];
}

/** Each SOP once: by number, or by id where no number is known. */
export function linksTo({ sops }: TextLinks): string[] {
  return [...new Set(sops.map(({ to }) => to))];
}

/** `<sha256>.<ext>` of each asset. */
export function assetFiles({ assets }: TextLinks): string[] {
  return assets.map(({ sha256, ext }) => `${sha256}.${ext}`);
}
