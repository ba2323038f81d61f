/** The functions of the editor, rich or source, for the edit screen. */
import type { MarkdownPosition } from "./finding-places.ts";
import type { CheckFinding } from "./findings.ts";
import type { FixResult } from "./apply-fix.ts";

/** How the text is shown. */
export type EditorMode = "rich" | "source";

export interface EditorHandle {
  /**
   * Returns the current text in canonical form, or unchanged if the user didn't edit it.
   * @param withEmptyItems whether to include empty items at the end of edited lists
   */
  read(withEmptyItems?: boolean): string;
  focus(): void;
  /** Selects and focuses the words at a position. @param markdown the text that the position counts in */
  show(at: MarkdownPosition, markdown: string): void;
  /** Applies the fix of a finding in this Markdown, and selects the placeholder that it leaves. */
  fix(finding: CheckFinding, markdown: string): FixResult;
  undo(): void;
  redo(): void;
  /** Switches between rich text and Markdown source. */
  switchMode(): void;
  /** Hides everything but the text, or shows all again. */
  switchFocusMode(): void;
  /** Shows the marks of findings, which are hidden at first. */
  showFindings(): void;
  /** Replaces an empty text with a warning and numbered steps to fill in. */
  beginSteps(): void;
  /** Replaces the text, as one step that can be undone. */
  replace(markdown: string): void;
}
