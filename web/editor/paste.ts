/** Pastes HTML. The code that cleans it loads when HTML is first pasted or dragged over the text. */
import { Plugin, Selection } from "@milkdown/kit/prose/state";
import { isInTable } from "@milkdown/kit/prose/tables";
import type { EditorView } from "@milkdown/kit/prose/view";
import { insertFiles, type ImageOptions } from "./images.ts";
import { texts } from "./texts.ts";

type PasteCleaner = typeof import("./paste-html.ts") & typeof import("./paste-check.ts");

interface PasteOptions extends ImageOptions {
  /** Called after a paste of HTML with what it lost or changed for readers, one line per kind. */
  onPasteChanged?(lines: readonly string[]): void;
}

let cleaner: PasteCleaner | undefined;

export async function loadPasteCleaner(): Promise<PasteCleaner> {
  if (cleaner === undefined) {
    const [cleaning, check] = await Promise.all([import("./paste-html.ts"), import("./paste-check.ts")]);
    cleaner = { ...cleaning, ...check };
  }
  return cleaner;
}

/** Returns cleaned HTML; empty until the cleaner has loaded, because ProseMirror asks for the HTML synchronously. */
export const cleanPastedHtmlIfLoaded = (html: string, { state }: EditorView): string =>
  cleaner?.cleanPastedHtml(html, isInTable(state)) ?? "";

export function pastePlugin(options: PasteOptions): Plugin {
  return new Plugin({
    props: {
      handleDOMEvents: {
        dragenter() {
          // If loading fails, for example without a connection, a drop tries again.
          loadPasteCleaner().catch(() => undefined);
          return false;
        },
        paste(view, event) {
          const data = event.clipboardData;
          const html = data?.getData("text/html") ?? "";
          // Code isn't pasted here: it goes as text into a code block, or from a code editor as a code block.
          const isCode = view.state.selection.$from.parent.type.spec.code || data?.getData("vscode-editor-data");
          if (!data || html === "" || isCode) return false;
          event.preventDefault();
          insertTransferredData(view, data, options);
          return true;
        },
        drop(view, event) {
          const data = event.dataTransfer;
          const html = data?.getData("text/html") ?? "";
          if (!data || view.dragging || html === "" || data.files.length > 0) return false;
          const at = view.posAtCoords({ left: event.clientX, top: event.clientY });
          if (!at) return false;
          event.preventDefault();
          view.dispatch(view.state.tr.setSelection(Selection.near(view.state.doc.resolve(at.pos))));
          insertTransferredData(view, data, options);
          return true;
        },
      },
    },
  });
}

/** Loads the cleaner, then pastes the HTML of a paste or drop. Pastes the plain text if that fails. */
function insertTransferredData(view: EditorView, data: DataTransfer, options: PasteOptions): void {
  // The event's data is gone after this call, so it is read first.
  const [html, text, files] = [data.getData("text/html"), data.getData("text/plain"), [...data.files]];
  const reportLoss = () => options.onFailed(texts.lost({ what: texts.pasted }));
  loadPasteCleaner().then(
    () => {
      if (view.isDestroyed) return reportLoss();
      try {
        pasteHtml(view, html, files, options);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        // The HTML is nested too deeply or its cells don't fit, so only the text is pasted.
        if (text !== "") view.pasteText(text);
        options.onPasteChanged?.([text === "" ? texts.notRead : texts.wordsAlone]);
      }
    },
    () => {
      if (view.isDestroyed) reportLoss();
      else if (text !== "") view.pasteText(text);
      else if (!insertFiles(view, files, null, options)) options.onFailed(texts.notLoaded);
    },
  );
}

function pasteHtml(view: EditorView, html: string, files: readonly File[], options: PasteOptions): void {
  if (!cleaner) return;
  // A table copied from a spreadsheet comes with an image of itself, so an image is inserted only if the HTML has
  // nothing else.
  if (cleaner.isSingleImage(html) && insertFiles(view, files, null, options)) return;
  const before = view.state;
  view.pasteHTML(html);
  const notes = cleaner.pasteLossNotes(html, before, view.state.doc);
  if (notes.length > 0) options.onPasteChanged?.(notes);
}
