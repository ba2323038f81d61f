/** HTML from elsewhere: what makes it fit for the text is loaded when some is first pasted, or dragged near. */
import { Plugin } from "@milkdown/kit/prose/state";
import type { EditorView } from "@milkdown/kit/prose/view";
import { insertFiles, type ImageOptions } from "./images.ts";
import { texts } from "./texts.ts";

let cleaner: typeof import("./paste-html.ts") | undefined;

export async function loadCleaner(): Promise<typeof import("./paste-html.ts")> {
  cleaner ??= await import("./paste-html.ts");
  return cleaner;
}

/** For ProseMirror, which asks when the HTML is there already: nothing comes in that was not cleaned. */
export const cleanLoaded = (html: string): string => cleaner?.cleanPastedHtml(html) ?? "";

export function paste(options: ImageOptions): Plugin {
  return new Plugin({
    props: {
      handleDOMEvents: {
        dragenter() {
          // loading may fail, as without a connection: then nothing but files can be dropped
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
          // gone from the clipboard's event a moment later
          const [text, files] = [data.getData("text/plain"), [...data.files]];
          loadCleaner().then(
            () => pasteHtml(view, html, files, options),
            () => view.pasteText(text),
          );
          return true;
        },
      },
    },
  });
}

function pasteHtml(view: EditorView, html: string, files: readonly File[], options: ImageOptions): void {
  if (!cleaner || view.isDestroyed) return;
  // a table copied from a spreadsheet carries a picture of itself beside its HTML
  if (cleaner.isPictureAlone(html) && insertFiles(view, files, null, options)) return;
  const lost = cleaner.lostPictures(html);
  if (lost > 0) options.onFailed(texts.picturesLost(lost));
  view.pasteHTML(html);
}
