/** What the editor's page tells the test, and how the test gives it a text. */
export interface EditorProbe {
  load(markdown: string): void;
  read(): string;
  edits: number;
  changes: string[];
  failures: string[];
}

declare global {
  interface Window {
    editor?: EditorProbe;
  }
}
