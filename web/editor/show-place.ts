/** Selects the words at a position, scrolls to them and focuses the text. */
import { NodeSelection, TextSelection, type EditorState, type Selection } from "@milkdown/kit/prose/state";
import type { EditorView } from "@milkdown/kit/prose/view";
import { editorRangesOfFindings, type EditorRange, type MarkdownPosition } from "./finding-places.ts";
import { findingMarkRange } from "./findings.ts";
import { selectionAtLine } from "./places.ts";
import { heightCoveredAbove, minScrollMargin } from "./window-room.ts";

/**
 * Selects and focuses the words of a finding.
 * @param at the position of the finding; if the finding is marked, the current position of its mark counts
 * @param markdown the checked text
 */
export function showFindingAt(view: EditorView, at: MarkdownPosition, markdown: string): void {
  const { state } = view;
  const place = findingMarkRange(state, at) ?? editorRangesOfFindings(state.doc, markdown, [at])[0];
  const selection = place ? selectionOfRange(state, place) : selectionAtLine(state, markdown, at.line);
  view.focus();
  view.dispatch(state.tr.setSelection(selection).scrollIntoView());
  const { top, bottom } = view.coordsAtPos(selection.from);
  const covered = heightCoveredAbove();
  const { scrollingElement: page } = document;
  const isInSight = top > covered && bottom < window.innerHeight - minScrollMargin;
  if (page && !isInSight) page.scrollTop += top - Math.max(covered, window.innerHeight / 3);
}

function selectionOfRange({ doc }: EditorState, { from, to, isNode }: EditorRange): Selection {
  if (isNode && doc.nodeAt(from)?.isAtom) return NodeSelection.create(doc, from);
  return TextSelection.between(doc.resolve(from), doc.resolve(to));
}
