import { isDocumentRightToLeft } from "#core/export/direction.ts";
import type { DiffLines } from "#core/diff/schema.ts";
import type { Sop } from "#core/sops/schema.ts";

/** Which side a text is read from, as in exports. The screen around it keeps its own. */
export type Direction = "rtl" | "ltr";

export function directionOf({
  lang = null,
  title = "",
  markdown = "",
}: Partial<Pick<Sop, "lang" | "title" | "markdown">>) {
  return isDocumentRightToLeft({ lang: lang || null, title, markdown }) ? "rtl" : "ltr";
}

/** Of two versions: the newer one decides. */
export function directionOfLines(lines: readonly DiffLines[]): Direction {
  const markdown = lines.map(({ kind, text }) => (kind === "removed" ? "" : text)).join("");
  return directionOf({ markdown });
}
