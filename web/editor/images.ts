/** Pictures that are pasted, dropped or picked: uploaded first, then put where they were meant to stand. */
import { Plugin, PluginKey, type EditorState } from "@milkdown/kit/prose/state";
import { Decoration, DecorationSet, type EditorView } from "@milkdown/kit/prose/view";
import { limits } from "#core/limits.ts";
import { selectedPicture } from "./pictures.ts";
import { texts } from "./texts.ts";

/** Stores a file and answers its address. */
export type UploadAsset = (file: File) => Promise<{ url: string }>;

interface Placeholder {
  add?: { id: object; pos: number; name: string };
  remove?: { id: object };
}

const key = new PluginKey<DecorationSet>("pictures");

export const pictureTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"];

export interface ImageOptions {
  upload: UploadAsset;
  onFailed(message: string): void;
}

interface PictureOptions extends ImageOptions {
  onAsked(what: "picture"): void;
}

export function images(options: PictureOptions): Plugin<DecorationSet> {
  return new Plugin<DecorationSet>({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply(tr, set) {
        const mapped = set.map(tr.mapping, tr.doc);
        const change = tr.getMeta(key) as Placeholder | undefined;
        if (change?.add) return mapped.add(tr.doc, [placeholder(change.add)]);
        if (!change?.remove) return mapped;
        return mapped.remove(mapped.find(undefined, undefined, (spec) => spec["id"] === change.remove?.id));
      },
    },
    props: {
      decorations: (state) => key.getState(state),
      handlePaste(view, event) {
        if (event.clipboardData?.getData("text/html")) return false;
        return insertFiles(view, event.clipboardData?.files, null, options);
      },
      handleDoubleClickOn(_, __, node) {
        if (node.type.name !== "image") return false;
        options.onAsked("picture");
        return true;
      },
      handleKeyDown(view, event) {
        if (event.key !== "Enter" || !selectedPicture(view.state)) return false;
        options.onAsked("picture");
        return true;
      },
      handleDrop(view, event) {
        const at = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos ?? null;
        return insertFiles(view, event.dataTransfer?.files, at, options);
      },
    },
  });
}

/** @returns whether there was anything to insert */
export function insertFiles(
  view: EditorView,
  files: FileList | readonly File[] | null | undefined,
  at: number | null,
  options: ImageOptions,
): boolean {
  const list = [...(files ?? [])];
  for (const file of list) void insertFile(view, file, at ?? view.state.selection.from, options);
  return list.length > 0;
}

async function insertFile(view: EditorView, file: File, at: number, { upload, onFailed }: ImageOptions): Promise<void> {
  if (!pictureTypes.includes(file.type)) return onFailed(`${file.name}: only PNG, JPEG, GIF and WebP pictures`);
  if (file.size > limits.asset) return onFailed(`${file.name}: larger than ${limits.asset / 1024 / 1024} MB`);
  const id = {};
  view.dispatch(view.state.tr.setMeta(key, { add: { id, pos: at, name: file.name } } satisfies Placeholder));
  try {
    const { url } = await upload(file);
    // as when it goes over to Markdown source meanwhile
    if (view.isDestroyed) onFailed(texts.lost(file.name));
    else place(view, id, url, file.name.replace(/\.[^.]+$/, ""));
  } catch {
    if (view.isDestroyed) return onFailed(texts.lost(file.name));
    view.dispatch(view.state.tr.setMeta(key, { remove: { id } } satisfies Placeholder));
    onFailed(`${file.name} could not be uploaded. Please try again.`);
  }
}

function place(view: EditorView, id: object, src: string, alt: string): void {
  const { state } = view;
  const pos = positionOf(state, id);
  const image = state.schema.nodes["image"]?.create({ src, alt });
  const tr = state.tr.setMeta(key, { remove: { id } } satisfies Placeholder);
  if (pos !== null && image) tr.replaceRangeWith(pos, pos, image);
  view.dispatch(tr);
}

function positionOf(state: EditorState, id: object): number | null {
  return key.getState(state)?.find(undefined, undefined, (spec) => spec["id"] === id)[0]?.from ?? null;
}

function placeholder({ id, pos, name }: NonNullable<Placeholder["add"]>): Decoration {
  return Decoration.widget(
    pos,
    () => {
      const shown = document.createElement("span");
      shown.className = "editor-chip";
      shown.textContent = `Uploading ${name}…`;
      return shown;
    },
    { id },
  );
}
