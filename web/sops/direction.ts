import { isDocumentRightToLeft } from "#core/export/direction.ts";
import { languageOfDocument } from "#core/text/detect-language.ts";
import type { DiffLines } from "#core/diff/schema.ts";
import type { Sop } from "#core/sops/schema.ts";

/** The reading direction of a text, as in exports. The screen around it keeps its own direction. */
export type Direction = "rtl" | "ltr";

export function textDirectionOf({
  lang = null,
  title = "",
  markdown = "",
}: Partial<Pick<Sop, "lang" | "title" | "markdown">>) {
  return isDocumentRightToLeft({ lang: lang || null, title, markdown }) ? "rtl" : "ltr";
}

/** The attributes of an element with an SOP's text. The screen around it has the language and direction of the user. */
export interface TextAttributes {
  dir: Direction;
  lang?: string | undefined;
}

/**
 * Returns the attributes for an SOP's text. `lang` is the language in the SOP's properties, or else that of title and
 * text; undefined if it is unclear.
 */
export function textAttributesOf(sop: Partial<Pick<Sop, "lang" | "title" | "markdown">>): TextAttributes {
  const { lang = null, title = "", markdown = "" } = sop;
  return { dir: textDirectionOf(sop), lang: languageOfDocument({ lang: lang || null, title, markdown }) ?? undefined };
}

/** Returns the reading direction of the newer version in a comparison. */
export function directionOfNewerText(lines: readonly DiffLines[]): Direction {
  const markdown = lines.map(({ kind, text }) => (kind === "removed" ? "" : text)).join("");
  return textDirectionOf({ markdown });
}
