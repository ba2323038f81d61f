/** The editor alone on a page, as the edit screen uses it. The test reads its reports from `window.editor`. */
import "../../../web/styles.css";
import { StrictMode, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { MarkdownEditor } from "../../../web/editor/MarkdownEditor.tsx";
import type { EditorHandle } from "../../../web/editor/editor-handle.ts";
import type { CheckedMarkdown } from "../../../web/editor/findings.ts";
import { uploadAsset } from "../../../web/editor/upload-asset.ts";
import { UiProvider } from "../../../web/ui/UiProvider.tsx";
import "./probe.ts";

const nothingYet = { edits: 0, changes: [], failures: [], fixed: [] };

function Page() {
  const [loaded, setLoaded] = useState({ turn: 0, markdown: "" });
  const [checked, setChecked] = useState<CheckedMarkdown | null>(null);
  const handle = useRef<EditorHandle>(null);
  useEffect(() => {
    window.editor = {
      ...nothingYet,
      // flushSync, so that the earlier editor is unmounted when this returns
      load: (markdown) => flushSync(() => setLoaded((last) => ({ turn: last.turn + 1, markdown }))),
      switchFocusMode: () => handle.current?.switchFocusMode(),
      undo: () => handle.current?.undo(),
      showFindings: () => handle.current?.showFindings(),
      read: () => handle.current?.read() ?? "",
      show: (at) => handle.current?.show(at, handle.current.read()),
      check: (findings) => setChecked({ markdown: handle.current?.read() ?? "", findings }),
    };
  }, []);
  return (
    <UiProvider>
      <main>
        <div className="mx-auto grid max-w-4xl gap-4 p-4">
          <h1 className="text-2xl font-semibold">Editor</h1>
          <button type="button">Before</button>
          <MarkdownEditor
            key={loaded.turn}
            ref={handle}
            markdown={loaded.markdown}
            label="Content"
            onEdit={() => {
              if (window.editor) window.editor.edits += 1;
            }}
            onChange={(markdown) => window.editor?.changes.push(markdown)}
            onFixed={({ rule }) => window.editor?.fixed.push(rule)}
            onFailed={(message) => window.editor?.failures.push(message)}
            onPasteChanged={(lines) => window.editor?.failures.push(...lines)}
            upload={uploadAsset}
            checked={checked}
          />
          <button type="button">After</button>
        </div>
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
