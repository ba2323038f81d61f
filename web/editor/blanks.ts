/**
 * Shows hints in empty blocks as decorations, which are never part of the text. A click selects a placeholder in the
 * text, such as `[confirm: …]` of a template, so that typing replaces it.
 */
import { closeHistory } from "@milkdown/kit/prose/history";
import type { Node, ResolvedPos } from "@milkdown/kit/prose/model";
import {
  Plugin,
  PluginKey,
  TextSelection,
  type Command,
  type EditorState,
  type Selection,
} from "@milkdown/kit/prose/state";
import { Decoration, DecorationSet } from "@milkdown/kit/prose/view";
import { blankPattern } from "#core/lint/rules/placeholder.ts";
import { isHazard } from "#core/markdown/alert-grades.ts";
import { nodeType } from "./commands.ts";
import { hintTexts } from "./texts.ts";

const key = new PluginKey<DecorationSet>("blanks");

export const placeholderPlugin = (): Plugin<DecorationSet> =>
  new Plugin<DecorationSet>({
    key,
    state: {
      init: (_, { doc, selection }) => blankDecorationsOf(doc, emptyBlockAt(selection)),
      apply(tr, marked, { selection }) {
        const caret = emptyBlockAt(tr.selection);
        return tr.docChanged || caret !== emptyBlockAt(selection) ? blankDecorationsOf(tr.doc, caret) : marked;
      },
    },
    props: {
      decorations: (state) => key.getState(state),
      handleClick(view, pos, { shiftKey }) {
        const blank = placeholderSelectionAt(view.state, pos);
        // A second click puts the caret into the placeholder.
        if (!blank || shiftKey || view.state.selection.eq(blank)) return false;
        view.dispatch(view.state.tr.setSelection(blank));
        return true;
      },
    },
  });

/** Replaces the whole text, which is expected to be empty, with an empty warning and two empty steps. */
export const beginSteps: Command = (state, dispatch) => {
  const createNode = (name: string, ...content: Node[]): Node => nodeType(state, name).createChecked(null, content);
  const createItem = (): Node => createNode("list_item", createNode("paragraph"));
  if (dispatch) {
    const tr = closeHistory(state.tr);
    tr.replaceWith(0, state.doc.content.size, [
      createNode("alert", createNode("paragraph")),
      createNode("ordered_list", createItem(), createItem()),
    ]);
    dispatch(tr.setSelection(TextSelection.atStart(tr.doc)).scrollIntoView());
  }
  return true;
};

/** Returns the position before the empty block with the caret; null if the caret isn't in an empty block. */
function emptyBlockAt({ $head, empty }: Selection): number | null {
  return empty && $head.parent.isTextblock && $head.parent.childCount === 0 ? $head.before() : null;
}

/**
 * Creates the decorations for hints and placeholders.
 * @param caret the position before the empty block with the caret
 */
function blankDecorationsOf(doc: Node, caret: number | null): DecorationSet {
  const marked: Decoration[] = [];
  doc.descendants((node, pos) => {
    if (!node.isTextblock) return true;
    if (node.childCount === 0) {
      const hint = hintFor(doc.resolve(pos), node, pos === caret);
      if (hint !== null) {
        marked.push(Decoration.node(pos, pos + node.nodeSize, { class: "editor-hint", "data-hint": hint }));
      }
    }
    for (const [from, to] of placeholderRangesOf(node)) {
      marked.push(Decoration.inline(pos + 1 + from, pos + 1 + to, { class: "editor-blank" }));
    }
    return false;
  });
  return DecorationSet.create(doc, marked);
}

/** The placeholders found so far. Nodes are immutable, so their placeholders never change. */
const knownPlaceholders = new WeakMap<Node, readonly (readonly [number, number])[]>();

/** Returns the ranges of the placeholders in a block's content. */
function placeholderRangesOf(block: Node): readonly (readonly [number, number])[] {
  if (block.type.spec.code) return [];
  const known = knownPlaceholders.get(block);
  if (known) return known;
  const words: string[] = [];
  block.forEach(({ text, nodeSize, marks }) => {
    words.push(marks.some(({ type }) => type.spec.code) || text === undefined ? "\uFFFC".repeat(nodeSize) : text);
  });
  const found = [...words.join("").matchAll(blankPattern)].map(
    ({ index, 0: { length } }) => [index, index + length] as const,
  );
  knownPlaceholders.set(block, found);
  return found;
}

/** Returns a selection of the placeholder at a position; null if there is none. */
function placeholderSelectionAt({ doc }: EditorState, pos: number): TextSelection | null {
  const $pos = doc.resolve(pos);
  if (!$pos.parent.isTextblock) return null;
  const at = $pos.parentOffset;
  const blank = placeholderRangesOf($pos.parent).find(([from, to]) => from <= at && at <= to);
  return blank ? TextSelection.create(doc, $pos.start() + blank[0], $pos.start() + blank[1]) : null;
}

/** Returns the hint for an empty block; null if it has none. @param $pos the position before the block */
function hintFor($pos: ResolvedPos, block: Node, hasCaret: boolean): string | null {
  const { parent } = $pos;
  if (block.type.name === "heading") return hintTexts.heading;
  if (block.type.name !== "paragraph") return null;
  // A completely empty text has a longer hint of its own.
  if (parent.type.name === "doc") return hasCaret && parent.childCount > 1 ? hintTexts.slash : null;
  if (parent.childCount > 1) return null;
  if (parent.type.name === "alert") {
    return isHazard(parent.attrs["kind"]) ? hintTexts.danger : hintTexts.note;
  }
  if (parent.type.name === "table_header") return hintTexts.column;
  if (parent.type.name !== "list_item" || $pos.node(-1).type.name !== "ordered_list") return null;
  if ($pos.index(-1) === 0) return hasCaret ? hintTexts.firstOrSlash : hintTexts.firstStep;
  // The hint mentions images, because an image added to an empty step goes into the step before.
  return hasCaret ? hintTexts.nextOrSlash : hintTexts.nextStep;
}
