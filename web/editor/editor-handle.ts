/** What the edit screen can do with the editor, rich or source. */
import type { Position } from "./finding-places.ts";
import type { Finding } from "./findings.ts";
import type { FixResult } from "./apply-fix.ts";

/** How the text is shown. */
export type EditorMode = "rich" | "source";

export interface EditorHandle {
  /**
   * The text as it is now, in canonical form unless untouched.
   * @param withWaiting the empty items at the end of edited lists too
   */
  read(withWaiting?: boolean): string;
  focus(): void;
  /** Leads to a place of the text: its words are selected, and the focus is there. @param markdown what it is a place of */
  show(at: Position, markdown: string): void;
  /** Applies the fix of a finding in this Markdown, and selects the blank it leaves. */
  fix(finding: Finding, markdown: string): FixResult;
  undo(): void;
  redo(): void;
  /** Rich text ↔ Markdown source, with the same text. */
  switchMode(): void;
  /** Only the text, or all again. */
  switchFocusMode(): void;
  /** Marks what the checks found; until then the text is quiet. */
  showFindings(): void;
  /** A warning and numbered steps to fill in, in the place of an empty text. */
  beginSteps(): void;
  /** Puts another text in the place of this one, as one step that can be undone. */
  replace(markdown: string): void;
}
