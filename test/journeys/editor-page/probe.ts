import type { CheckFinding } from "../../../web/editor/findings.ts";
import type { MarkdownPosition } from "../../../web/editor/finding-places.ts";

/** The functions and reports of the editor's page for the test. */
export interface EditorProbe {
  load(markdown: string): void;
  read(): string;
  undo(): void;
  switchFocusMode(): void;
  /** Opens the list of issues, like the page does on the user's request. */
  showFindings(): void;
  /** Shows these issues in the current text. */
  check(findings: readonly CheckFinding[]): void;
  /** Shows this place of the current text. */
  show(at: MarkdownPosition): void;
  edits: number;
  changes: string[];
  failures: string[];
  /** Rules whose issues were fixed. */
  fixed: string[];
}

declare global {
  interface Window {
    editor?: EditorProbe;
  }
}
