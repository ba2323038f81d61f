/** The editor alone on a page, as the edit screen uses it; the test reads what it reports from `window.editor`. */
import "../../../web/styles.css";
import { StrictMode, useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { MarkdownEditor, type EditorHandle } from "../../../web/editor/MarkdownEditor.tsx";
import { uploadAsset } from "../../../web/editor/upload-asset.ts";
import { UiProvider } from "../../../web/ui/UiProvider.tsx";

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

const probe: EditorProbe = {
  load: () => undefined,
  read: () => "",
  edits: 0,
  changes: [],
  failures: [],
};
window.editor = probe;

function Page() {
  const [loaded, setLoaded] = useState({ turn: 0, markdown: "" });
  const handle = useRef<EditorHandle>(null);
  probe.load = (markdown) => setLoaded((last) => ({ turn: last.turn + 1, markdown }));
  probe.read = () => handle.current?.read() ?? "";
  return (
    <UiProvider>
      <main className="mx-auto grid max-w-4xl gap-4 p-4">
        <h1 className="text-2xl font-semibold">Editor</h1>
        <button type="button">Before</button>
        <MarkdownEditor
          key={loaded.turn}
          ref={handle}
          markdown={loaded.markdown}
          label="Content"
          onEdit={() => {
            probe.edits += 1;
          }}
          onChange={(markdown) => probe.changes.push(markdown)}
          onFailed={(message) => probe.failures.push(message)}
          upload={uploadAsset}
        />
        <button type="button">After</button>
      </main>
    </UiProvider>
  );
}

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Page />
    </StrictMode>,
  );
}
