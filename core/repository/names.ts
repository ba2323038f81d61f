/**
 * Names in the repository: stable labels and paths. A slug is computed at creation and at the first publication, and
 * then stored.
 */

/** The folder of SOPs without a category, so no category has this slug. */
export const uncategorizedFolder = "uncategorized";

const slugLimit = 60;
const fallbackSlug = "document";
/** Matches names of folders and files that can't be checked out on Windows. */
export const windowsDevice = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/;
const spelledOut: Record<string, string> = {
  "\u00df": "ss",
  "\u00e6": "ae",
  "\u0153": "oe",
  "\u00f8": "o",
  "\u0111": "d",
  "\u00f0": "d",
  "\u00fe": "th",
  "\u0142": "l",
  "\u0131": "i",
  "&": " and ",
};

/** The number in the default scheme: 42 → `SOP-0042`, with at least four digits. */
export function defaultNumberLabel(number: number): string {
  return `SOP-${String(number).padStart(4, "0")}`;
}

/**
 * Returns the slug of a text in Latin letters and drops all other letters. `slugify` in `slugs.ts` transliterates them,
 * with a large table.
 *
 * @returns ASCII `[a-z0-9-]`, at most 60 characters, never empty, no leading or trailing `-`, no Windows device name
 */
export function latinSlug(text: string): string {
  const slug = toAscii(text)
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, slugLimit)
    .replace(/-+$/, "");
  if (slug === "") return fallbackSlug;
  return windowsDevice.test(slug) ? `${slug}-${fallbackSlug}` : slug;
}

/** Tells whether the slug contains every letter and digit of the name, which is false for names in other scripts. */
export function isSpelledBySlug(name: string): boolean {
  return /^[a-z0-9]+$/.test(toAscii(name).replace(/[^\p{L}\p{N}]/gu, ""));
}

function toAscii(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\u00df\u00e6\u0153\u00f8\u0111\u00f0\u00fe\u0142\u0131&]/g, (character) => spelledOut[character] ?? "-")
    .normalize("NFKD")
    .replace(/[\u0300-\u036f'\u2019]/g, "");
}

/**
 * The file name of an SOP, such as `sop-0042-reset-a-user-password.md`: the number makes it unique, and the slug is for
 * people.
 */
export function sopFileName(sop: { label: string; slug: string }): string {
  return `${sop.label.toLowerCase()}-${sop.slug}.md`;
}

/** The path of an SOP's file on a branch, relative to the root of the repository. */
export function sopPath(sop: {
  label: string;
  slug: string;
  categorySlug: string | null;
  isTemplate: boolean;
  archived: boolean;
}): string {
  const folder = sop.archived ? "archive" : sop.isTemplate ? "templates" : "sops";
  return `${folder}/${sop.categorySlug ?? uncategorizedFolder}/${sopFileName(sop)}`;
}

/** The path of an asset's file: `<sha256>.<ext>` → `assets/<first 2>/<sha256>.<ext>`. */
export function assetPath(fileName: string): string {
  return `assets/${fileName.slice(0, 2)}/${fileName}`;
}

/** The tag of a publication, without `refs/tags/`: `sop-0042/v3`. */
export function versionTag(label: string, version: number): string {
  return `${label.toLowerCase()}/v${version}`;
}
