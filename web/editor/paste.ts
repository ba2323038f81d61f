/** HTML from elsewhere: what makes it fit for the text is loaded when some is first pasted, or dragged near. */
import { Plugin, Selection } from "@milkdown/kit/prose/state";
import { isInTable } from "@milkdown/kit/prose/tables";
import type { EditorView } from "@milkdown/kit/prose/view";
import { insertFiles, type ImageOptions } from "./images.ts";
import { texts } from "./texts.ts";

type Cleaner = typeof import("./paste-html.ts") & typeof import("./paste-check.ts");

interface PasteOptions extends ImageOptions {
  /** What a paste of HTML lost or changed for a reader, one line for each kind. */
  onPasteChanged?(lines: readonly string[]): void;
}

let cleaner: Cleaner | undefined;

export async function loadCleaner(): Promise<Cleaner> {
  if (cleaner === undefined) {
    const [cleaning, check] = await Promise.all([import("./paste-html.ts"), import("./paste-check.ts")]);
    cleaner = { ...cleaning, ...check };
  }
  return cleaner;
}

/** For ProseMirror, which asks when the HTML is there already: nothing comes in that was not cleaned. */
export const cleanWithLoaded = (html: string, { state }: EditorView): string =>
  cleaner?.cleanPastedHtml(html, isInTable(state)) ?? "";

export function paste(options: PasteOptions): Plugin {
  return new Plugin({
    props: {
      handleDOMEvents: {
        dragenter() {
          // loading may fail, as without a connection: it is tried again when something is dropped
          loadCleaner().catch(() => undefined);
          return false;
        },
        paste(view, event) {
          const data = event.clipboardData;
          const html = data?.getData("text/html") ?? "";
          // code goes its own way: into a block of code as text, from an editor of code as a block
          const isCode = view.state.selection.$from.parent.type.spec.code || data?.getData("vscode-editor-data");
          if (!data || html === "" || isCode) return false;
          event.preventDefault();
          bring(view, data, options);
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
          bring(view, data, options);
          return true;
        },
      },
    },
  });
}

function bring(view: EditorView, data: DataTransfer, options: PasteOptions): void {
  // gone from the event a moment later
  const [html, text, files] = [data.getData("text/html"), data.getData("text/plain"), [...data.files]];
  const lost = () => options.onFailed(texts.lost({ what: texts.pasted }));
  loadCleaner().then(
    () => {
      if (view.isDestroyed) return lost();
      try {
        pasteHtml(view, html, files, options);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        // nested too deeply, or cells that don't fit: the words remain
        if (text !== "") view.pasteText(text);
        options.onPasteChanged?.([text === "" ? texts.notRead : texts.wordsAlone]);
      }
    },
    () => {
      if (view.isDestroyed) lost();
      else if (text !== "") view.pasteText(text);
      else if (!insertFiles(view, files, null, options)) options.onFailed(texts.notLoaded);
    },
  );
}

function pasteHtml(view: EditorView, html: string, files: readonly File[], options: PasteOptions): void {
  if (!cleaner) return;
  // a table copied from a spreadsheet carries a picture of itself beside its HTML
  if (cleaner.isPictureAlone(html) && insertFiles(view, files, null, options)) return;
  const before = view.state;
  view.pasteHTML(html);
  const notes = cleaner.pasteNotes(html, before, view.state.doc);
  if (notes.length > 0) options.onPasteChanged?.(notes);
}
