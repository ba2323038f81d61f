/** The properties of an image: its alternative text and its width. */
import { NodeSelection, TextSelection, type Command, type EditorState } from "@milkdown/kit/prose/state";
import { pictureWidths, readAlt, writeAlt, type PictureAlt } from "#core/markdown/picture-alt.ts";

/** The picture that is selected, and nothing else. */
export function selectedPicture({ selection }: EditorState): PictureAlt | null {
  if (!(selection instanceof NodeSelection) || selection.node.type.name !== "image") return null;
  return readAlt(String(selection.node.attrs["alt"] ?? ""));
}

/** The picture stays selected: its words can be tried and changed again. */
export const describePicture =
  (picture: PictureAlt): Command =>
  (state, dispatch) => {
    if (!selectedPicture(state)) return false;
    const { from } = state.selection;
    const tr = state.tr.setNodeAttribute(from, "alt", writeAlt(picture));
    dispatch?.(tr.setSelection(NodeSelection.create(tr.doc, from)));
    return true;
  };

/** The width on screen times this, in steps that are worth a key. */
export const resizePicture =
  (by: number): Command =>
  (state, dispatch, view) => {
    const picture = selectedPicture(state);
    const shown = view?.nodeDOM(state.selection.from);
    if (!picture || !(shown instanceof HTMLElement)) return false;
    return setWidth(shown.getBoundingClientRect().width * by)(state, dispatch, view);
  };

/** @param wide CSS pixels; what a reader can make something of is kept */
export const setWidth =
  (wide: number): Command =>
  (state, dispatch, view) => {
    const picture = selectedPicture(state);
    if (!picture) return false;
    const width = Math.max(pictureWidths.least, Math.min(pictureWidths.most, Math.round(wide)));
    return describePicture({ ...picture, width })(state, dispatch, view);
  };

/** Behind the picture, to go on writing. */
export const leavePicture: Command = (state, dispatch) => {
  dispatch?.(state.tr.setSelection(TextSelection.near(state.doc.resolve(state.selection.to))).scrollIntoView());
  return true;
};
