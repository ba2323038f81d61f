/**
 * Makes slugs of titles in any script. Browsers don't load this file, because its table of letters has 220 KB (gzip).
 */
import anyAscii from "any-ascii";
import { isSpelledBySlug, latinSlug } from "./names.ts";

/**
 * Makes the slugs of SOPs, categories, teams and companies, and the names of new files. Words in other scripts are
 * spelled in Latin letters (docs/decisions/0055-numbers-addresses-and-links.md).
 *
 * @returns as `latinSlug`; `document` for a text without letters and digits
 */
export function slugify(title: string): string {
  const spelled = title
    .normalize("NFKC")
    .replace(/[\p{L}\p{M}\p{N}]+/gu, (word) => (isSpelledBySlug(word) ? word : anyAscii(word)));
  return latinSlug(spelled);
}
