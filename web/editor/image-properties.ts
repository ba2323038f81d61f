/** The properties of an image: its alternative text, its width and its caption. */
import type { Node, ResolvedPos } from "@milkdown/kit/prose/model";
import { NodeSelection, Selection, TextSelection, type Command, type EditorState } from "@milkdown/kit/prose/state";
import { isInTable } from "@milkdown/kit/prose/tables";
import type { EditorView } from "@milkdown/kit/prose/view";
import { imageWidths, readAlt, writeAlt, type ImageAlt } from "#core/markdown/image-alt.ts";

export interface ImageProperties extends ImageAlt {
  /** The text below the image, which is its title in Markdown; empty for none. */
  caption: string;
}

/** Returns the selected image; null if the selection isn't exactly one image. */
export function selectedImageProperties({ selection }: EditorState): ImageProperties | null {
  if (!(selection instanceof NodeSelection) || selection.node.type.name !== "image") return null;
  const { alt, title } = selection.node.attrs;
  return { ...readAlt(String(alt ?? "")), caption: String(title ?? "") };
}

/** Returns the image element at a position, also from the frame of an image with a caption; null if there is none. */
export function imageElementAt(view: EditorView, at: number): HTMLImageElement | null {
  const node = view.nodeDOM(at);
  if (node instanceof HTMLImageElement) return node;
  return node instanceof HTMLElement ? node.querySelector("img") : null;
}

/** Changes the properties of the selected image. The image stays selected, so that the user can change it again. */
export const setImageProperties =
  (image: ImageProperties): Command =>
  (state, dispatch) => {
    if (!selectedImageProperties(state)) return false;
    const { from } = state.selection;
    const tr = state.tr.setNodeAttribute(from, "alt", writeAlt(image)).setNodeAttribute(from, "title", image.caption);
    dispatch?.(tr.setSelection(NodeSelection.create(tr.doc, from)));
    return true;
  };

/** Multiplies the image's width on screen by a factor. */
export const scaleImage =
  (by: number): Command =>
  (state, dispatch, view) => {
    const image = selectedImageProperties(state);
    const shown = view && imageElementAt(view, state.selection.from);
    if (!image || !shown) return false;
    return setImageWidth(shown.getBoundingClientRect().width * by)(state, dispatch, view);
  };

/**
 * Sets the image's width.
 * @param wide the width in CSS pixels; limited to the widths that are useful for readers
 */
export const setImageWidth =
  (wide: number): Command =>
  (state, dispatch, view) => {
    const image = selectedImageProperties(state);
    if (!image) return false;
    const width = Math.max(imageWidths.least, Math.min(imageWidths.most, Math.round(wide)));
    return setImageProperties({ ...image, width })(state, dispatch, view);
  };

/** Moves the caret behind the selected image, or into the next step if the image ends a step. */
export const moveCaretBehindImage: Command = (state, dispatch) => {
  const { $to } = state.selection;
  const next = state.doc.resolve(stepBelow($to) ? $to.after(-1) + 2 : $to.pos);
  dispatch?.(state.tr.setSelection(TextSelection.near(next)).scrollIntoView());
  return true;
};

/**
 * Finds the empty step below the end of a step.
 * @returns the position in the empty step; null if `$pos` isn't at the end of a step or no empty step follows
 */
export function emptyStepBelow($pos: ResolvedPos): number | null {
  const waiting = stepBelow($pos);
  const isEmpty = waiting?.childCount === 1 && waiting.firstChild?.type.name === "paragraph";
  return isEmpty && waiting.firstChild.childCount === 0 ? $pos.after(-1) + 2 : null;
}

/** Returns the step after a position that is at the end of a step; null for other positions and after the last step. */
function stepBelow($pos: ResolvedPos): Node | null {
  if ($pos.depth < 3 || $pos.pos < $pos.end() || $pos.node(-2).type.name !== "ordered_list") return null;
  const isLastBlock = $pos.index(-1) === $pos.node(-1).childCount - 1;
  return isLastBlock ? $pos.node(-2).maybeChild($pos.index(-2) + 1) : null;
}

/** Removes the image together with its caption. */
export const removeImage: Command = (state, dispatch) => {
  if (!selectedImageProperties(state)) return false;
  dispatch?.(state.tr.deleteSelection().scrollIntoView());
  return true;
};

/**
 * Moves from the line above or below onto an image that is alone in its line, because a caret beside an image is hard
 * to see.
 */
export const selectImageInNextLine =
  (direction: 1 | -1): Command =>
  (state, dispatch, view) => {
    const { selection, doc } = state;
    const from = direction > 0 ? selection.$to : selection.$from;
    if (!view || from.depth === 0 || isInTable(state)) return false;
    if (selection instanceof TextSelection && !selection.empty) return false;
    if (!selectedImageProperties(state) && !view.endOfTextblock(direction > 0 ? "down" : "up")) return false;
    const found = Selection.findFrom(doc.resolve(direction > 0 ? from.after() : from.before()), direction);
    const block = found instanceof TextSelection ? found.$from.parent : null;
    if (!found || block?.childCount !== 1 || block.firstChild?.type.name !== "image") return false;
    dispatch?.(state.tr.setSelection(NodeSelection.create(doc, found.$from.start())).scrollIntoView());
    return true;
  };
