import type { Finding } from "../../../web/editor/findings.ts";

/** What the editor's page tells the test, and how the test gives it a text. */
export interface EditorProbe {
  load(markdown: string): void;
  read(): string;
  /** What the checks found in the text as it is. */
  check(findings: readonly Finding[]): void;
  edits: number;
  changes: string[];
  failures: string[];
}

declare global {
  interface Window {
    editor?: EditorProbe;
  }
}
