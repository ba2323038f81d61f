import type { Finding } from "../../../web/editor/findings.ts";
import type { Position } from "../../../web/editor/finding-places.ts";

/** What the editor's page reports to the test, and how the test loads a text. */
export interface EditorProbe {
  load(markdown: string): void;
  read(): string;
  undo(): void;
  switchFocusMode(): void;
  /** As the page does when the user asks for the issues. */
  showFindings(): void;
  /** Shows these issues in the current text. */
  check(findings: readonly Finding[]): void;
  /** Shows this place of the current text. */
  show(at: Position): void;
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
