import type { Finding } from "../../../web/editor/findings.ts";
import type { Position } from "../../../web/editor/finding-places.ts";

/** What the editor's page tells the test, and how the test gives it a text. */
export interface EditorProbe {
  load(markdown: string): void;
  read(): string;
  /** What the checks found in the text as it is. */
  check(findings: readonly Finding[]): void;
  /** Leads to a place of the text as it is. */
  show(at: Position): void;
  edits: number;
  changes: string[];
  failures: string[];
  /** Rules whose findings were put right. */
  fixed: string[];
}

declare global {
  interface Window {
    editor?: EditorProbe;
  }
}
