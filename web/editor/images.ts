/**
 * Uploads images and PDFs that are pasted, dropped or chosen, and inserts them where they belong. A PDF becomes a link.
 */
import { Plugin, PluginKey, type EditorState, type Transaction } from "@milkdown/kit/prose/state";
import type { Node } from "@milkdown/kit/prose/model";
import { Decoration, DecorationSet, type EditorView } from "@milkdown/kit/prose/view";
import { ApiError } from "#core/api/client.ts";
import { limits } from "#core/limits.ts";
import { selectedImageProperties } from "./image-properties.ts";
import { texts } from "./texts.ts";

/** Uploads a file and returns its address. */
export type UploadAsset = (file: File) => Promise<{ url: string }>;

/** A change to the placeholders of running uploads. An upload is identified by an object. */
interface PlaceholderChange {
  add?: { id: object; pos: number; name: string };
  remove?: { id: object };
}

const key = new PluginKey<DecorationSet>("pictures");

const imageTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const attachmentType = "application/pdf";
export const fileTypes = [...imageTypes, attachmentType];

/**
 * An added image's position and the editor's state at that time. If the state is still the same, the user waits for the
 * image's box.
 */
export interface AddedImage {
  at: number;
  state: EditorState;
}

export interface ImageOptions {
  upload: UploadAsset;
  onFailed(message: string): void;
  /** Called when the image is inserted and the user is waiting for it, so that a box can ask for its description. */
  onImageAdded?(placed: AddedImage): void;
}

interface ImageUploadOptions extends ImageOptions {
  onOpenDialog(what: "picture"): void;
}

export function imageUploadPlugin(options: ImageUploadOptions): Plugin<DecorationSet> {
  return new Plugin<DecorationSet>({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply(tr, set) {
        const mapped = set.map(tr.mapping, tr.doc);
        const change = tr.getMeta(key) as PlaceholderChange | undefined;
        if (change?.add) return mapped.add(tr.doc, [createUploadPlaceholder(change.add)]);
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
        options.onOpenDialog("picture");
        return true;
      },
      handleKeyDown(view, event) {
        if (event.key !== "Enter" || !selectedImageProperties(view.state)) return false;
        options.onOpenDialog("picture");
        return true;
      },
      handleDrop(view, event) {
        const at = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos ?? null;
        return insertFiles(view, event.dataTransfer?.files, at, options);
      },
    },
  });
}

/**
 * Begins to upload files and inserts them at `at`, or at the selection if `at` is null.
 * @returns whether there were files
 */
export function insertFiles(
  view: EditorView,
  files: FileList | readonly File[] | null | undefined,
  at: number | null,
  options: ImageOptions,
): boolean {
  const list = [...(files ?? [])];
  // Several images at once open no box, because the checks ask for each missing description.
  const how = list.length === 1 ? options : { upload: options.upload, onFailed: options.onFailed };
  for (const file of list) void insertFile(view, file, at ?? view.state.selection.from, how);
  return list.length > 0;
}

async function insertFile(view: EditorView, file: File, at: number, options: ImageOptions): Promise<void> {
  const { upload, onFailed, onImageAdded } = options;
  if (!fileTypes.includes(file.type)) return onFailed(texts.useAPngJpeg({ name: file.name }));
  if (file.size > limits.asset) return onFailed(texts.tooLarge({ name: file.name, size: limits.asset / 1024 / 1024 }));
  const id = {};
  const before = view.state;
  view.dispatch(view.state.tr.setMeta(key, { add: { id, pos: at, name: file.name } } satisfies PlaceholderChange));
  try {
    const { url } = await upload(file);
    // The editor can be gone, for example after a switch to Markdown source.
    if (view.isDestroyed) onFailed(texts.lost({ what: file.name }));
    else {
      const isWaiting = isUnchangedSince(view, before);
      const isImage = imageTypes.includes(file.type);
      const at = replacePlaceholder(
        view,
        id,
        isImage ? createImageNode(view.state, url) : createLinkedText(view.state, url, file.name),
      );
      if (isImage && at >= 0 && isWaiting) onImageAdded?.({ at, state: view.state });
    }
  } catch (error) {
    if (view.isDestroyed) return onFailed(texts.lost({ what: file.name }));
    view.dispatch(view.state.tr.setMeta(key, { remove: { id } } satisfies PlaceholderChange));
    // For an image with too many pixels, the server's reason is more useful than advice to try again.
    const why = error instanceof ApiError && error.code === "too_large" ? error.serverMessage : null;
    onFailed(why === null ? texts.couldntUploadTryAgain({ name: file.name }) : `${file.name}: ${why}`);
  }
}

/**
 * Says whether the user hasn't typed, moved the caret or focused another field since that state. Otherwise the image's
 * box must not take the focus.
 */
export function isUnchangedSince(view: EditorView, { doc, selection }: EditorState): boolean {
  if (!view.state.doc.eq(doc) || !view.state.selection.eq(selection)) return false;
  const { activeElement, body } = document;
  return activeElement === body || view.dom.parentElement?.closest(".editor")?.contains(activeElement) === true;
}

/** Creates an image without a description, because a file's name says little about its image. */
const createImageNode = ({ schema }: EditorState, src: string) => schema.nodes["image"]?.create({ src, alt: "" });

const createLinkedText = ({ schema }: EditorState, href: string, name: string) =>
  schema.text(name, schema.marks["link"] && [schema.marks["link"].create({ href })]);

/**
 * Replaces the placeholder of an upload by the image or link.
 * @returns the image's position, or -1 if the placeholder was deleted
 */
function replacePlaceholder(view: EditorView, id: object, what: Node | undefined): number {
  const { state } = view;
  const pos = placeholderPositionOf(state, id);
  const tr = state.tr.setMeta(key, { remove: { id } } satisfies PlaceholderChange);
  if (pos === null || !what) return (view.dispatch(tr), -1);
  const into = insertUploadedNode(tr, pos, what);
  let at = -1;
  tr.doc.nodesBetween(Math.max(0, into - 1), Math.min(tr.doc.content.size, into + 2), (node, found) => {
    if (node.type === what.type && node.attrs["src"] === what.attrs["src"] && found >= into - 1) at = found;
  });
  view.dispatch(tr);
  return at;
}

/**
 * Inserts an image or a link. In a numbered step, an image goes below the step's words. In an empty step, an image goes
 * into the step before, which it illustrates. An empty last step stays below the image for further text.
 * @returns the position of the inserted node
 */
function insertUploadedNode(tr: Transaction, pos: number, what: Node): number {
  const $pos = tr.doc.resolve(pos);
  const line = $pos.parent;
  const isStep =
    $pos.depth > 2 && $pos.node(-1).type.name === "list_item" && $pos.node(-2).type.name === "ordered_list";
  if (what.type.name === "image" && isStep && line.type.name === "paragraph" && pos === $pos.end()) {
    // Nodes are split and joined, not replaced, so that the placeholders of other uploads keep their positions.
    const start = $pos.before(-1);
    const before = tr.doc.resolve(start).nodeBefore;
    // The blank line separates words and image in the Markdown.
    if (line.content.size > 0) tr.split(pos).setNodeAttribute(start, "spread", true);
    else if (before && $pos.node(-1).childCount === 1) {
      const isLast = $pos.index(-2) === $pos.node(-2).childCount - 1;
      // Line and image are inserted in one step, so that the next image is beside it and one undo removes both.
      if (isLast) tr.insert(start - 1, line.type.create(null, what));
      else tr.join(start);
      tr.setNodeAttribute(start - before.nodeSize, "spread", true);
      if (isLast) return start;
    }
  }
  const into = tr.mapping.map(pos);
  tr.replaceRangeWith(into, into, what);
  return into;
}

function placeholderPositionOf(state: EditorState, id: object): number | null {
  return key.getState(state)?.find(undefined, undefined, (spec) => spec["id"] === id)[0]?.from ?? null;
}

function createUploadPlaceholder({ id, pos, name }: NonNullable<PlaceholderChange["add"]>): Decoration {
  return Decoration.widget(
    pos,
    () => {
      const shown = document.createElement("span");
      shown.className = "editor-chip";
      shown.textContent = texts.uploading({ name });
      return shown;
    },
    { id },
  );
}
