import { isDocumentRightToLeft } from "#core/export/direction.ts";
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

/** The direction of a comparison is that of the newer version. */
export function directionOfLines(lines: readonly DiffLines[]): Direction {
  const markdown = lines.map(({ kind, text }) => (kind === "removed" ? "" : text)).join("");
  return textDirectionOf({ markdown });
}
