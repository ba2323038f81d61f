/** What a picture says of itself: words for who can't see it, and how wide it stands. */
import { NodeSelection, type Command, type EditorState } from "@milkdown/kit/prose/state";

export interface Picture {
  alt: string;
}

/** The picture that is selected, and nothing else. */
export function selectedPicture({ selection }: EditorState): Picture | null {
  if (!(selection instanceof NodeSelection) || selection.node.type.name !== "image") return null;
  return { alt: String(selection.node.attrs["alt"] ?? "") };
}

/** The picture stays selected: its words can be tried and changed again. */
export const describePicture =
  ({ alt }: Picture): Command =>
  (state, dispatch) => {
    if (!selectedPicture(state)) return false;
    const { from } = state.selection;
    const tr = state.tr.setNodeAttribute(from, "alt", alt);
    dispatch?.(tr.setSelection(NodeSelection.create(tr.doc, from)));
    return true;
  };
