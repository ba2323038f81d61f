/**
 * The menu behind `/`. It opens only if the user types a slash to begin a word, and never in code. The typed text
 * stays until a block is chosen.
 */
import { closeHistory } from "@milkdown/kit/prose/history";
import { EditorState, Plugin, PluginKey, Selection, type Command, type Transaction } from "@milkdown/kit/prose/state";
import type { EditorView } from "@milkdown/kit/prose/view";
import { blocks, findBlocks, type BlockDialog, type BlockMenuChoice } from "./blocks.ts";
import { readToolbarState } from "./toolbar-state.ts";
import { typedMenuProps } from "./typed-menu.ts";

export interface BlockMenuState {
  /** The position of the slash. */
  from: number;
  query: string;
  /** Matching blocks. If there are none, the menu is hidden, but deleting letters can show it again. */
  found: readonly BlockMenuChoice[];
  active: number;
}

type BlockMenuChange = { open: number } | { active: number } | "close";

export const blockMenuListId = "block-menu";

const key = new PluginKey<BlockMenuState | null>("blocks");

interface BlockMenuEvents {
  onBlockMenu(menu: BlockMenuState | null): void;
  onOpenDialog(what: BlockDialog): void;
}

export function blockMenuPlugin(events: BlockMenuEvents): Plugin<BlockMenuState | null> {
  return new Plugin<BlockMenuState | null>({
    key,
    state: { init: () => null, apply: (tr, menu, _, state) => nextBlockMenuState(tr, menu, state) },
    props: {
      ...typedMenuProps(key, blockMenuListId, (view, index) => chooseBlock(view, index, events.onOpenDialog)),
      handleTextInput(view, from, to, text) {
        if (text !== "/" || !slashOpensMenuAt(view.state, from)) return false;
        view.dispatch(withBlockMenuChange(view.state.tr.insertText("/", from, to), { open: from }).scrollIntoView());
        return true;
      },
    },
    view: () => ({
      update(view, before) {
        const menu = key.getState(view.state) ?? null;
        if (menu !== (key.getState(before) ?? null)) events.onBlockMenu(menu);
      },
    }),
  });
}

/** Opens the menu as if the user had typed a slash at the caret. The menu opens only in paragraphs. */
export function openBlockMenu(view: EditorView): void {
  const { state } = view;
  const at = state.selection.from;
  if (state.doc.resolve(at).parent.type.name !== "paragraph") return;
  const text = slashOpensMenuAt(state, at) ? "/" : " /";
  const tr = state.tr.insertText(text, at, state.selection.to);
  view.dispatch(withBlockMenuChange(tr, { open: at + text.length - 1 }).scrollIntoView());
}

/** Makes an option the active one. @param active the option's index */
export function activateBlockMenuOption(view: EditorView, active: number): void {
  view.dispatch(withBlockMenuChange(view.state.tr, { active }));
}

/**
 * Replaces the typed text by the chosen block in one step that can be undone. For a block that needs a dialog, it
 * removes the typed text and opens the dialog.
 */
export function chooseBlock(view: EditorView, index: number, onOpenDialog: (what: BlockDialog) => void): void {
  const menu = key.getState(view.state);
  const block = menu?.found[index];
  if (!menu || !block) return;
  const { does } = block;
  const clearTyped: Command = ({ tr, selection }, dispatch) => {
    dispatch?.(tr.delete(menu.from, selection.from));
    return true;
  };
  const steps = typeof does === "string" ? [clearTyped] : [clearTyped, does];
  view.dispatch(withBlockMenuChange(closeHistory(applyInOneTransaction(view.state, steps)), "close").scrollIntoView());
  if (typeof does === "string") onOpenDialog(does);
}

/** Applies commands one after another in one transaction. */
function applyInOneTransaction(state: EditorState, commands: readonly Command[]): Transaction {
  const all = state.tr;
  for (const command of commands) {
    const at = EditorState.create({ doc: all.doc, selection: all.selection });
    command(at, (tr) => {
      for (const step of tr.steps) all.step(step);
      all.setSelection(Selection.fromJSON(all.doc, tr.selection.toJSON())).setStoredMarks(tr.storedMarks);
    });
  }
  return all;
}

function withBlockMenuChange(tr: Transaction, what: BlockMenuChange): Transaction {
  return tr.setMeta(key, what);
}

function nextBlockMenuState(tr: Transaction, menu: BlockMenuState | null, state: EditorState): BlockMenuState | null {
  const what = tr.getMeta(key) as BlockMenuChange | undefined;
  if (what === "close") return null;
  if (typeof what === "object" && "active" in what) return menu && { ...menu, active: what.active };
  if (!what && (!menu || (!tr.docChanged && !tr.selectionSet))) return menu;
  const from = what ? what.open : menu ? tr.mapping.map(menu.from, -1) : 0;
  const query = blockQueryAt(state, from);
  if (query === null) return null;
  const found = findBlocks(query === menu?.query ? menu.found : applicableBlocksOf(state), query);
  // Words after a slash that match no block, as in "/etc is a folder", are normal text.
  if (found.length === 0 && query.includes(" ")) return null;
  return { from, query, found, active: 0 };
}

/** Says whether a slash at this position begins a word of a paragraph. */
function slashOpensMenuAt(state: EditorState, pos: number): boolean {
  const $pos = state.doc.resolve(pos);
  if ($pos.parent.type.name !== "paragraph") return false;
  if ((state.storedMarks ?? $pos.marks()).some(({ type }) => type.spec.code)) return false;
  return /(?:^|\s)$/.test($pos.parent.textBetween(0, $pos.parentOffset, null, leafText));
}

const leafText = ({ type }: { type: { name: string } }): string => (type.name.endsWith("break") ? "\n" : "\uFFFC");

/**
 * Returns the text between the slash and the cursor; null if the cursor is elsewhere, or the text begins with a space
 * or contains another slash.
 */
function blockQueryAt({ selection }: EditorState, from: number): string | null {
  const { $from, empty } = selection;
  const start = $from.start();
  if (!empty || $from.parent.type.name !== "paragraph" || from < start || from >= $from.pos) return null;
  const typed = $from.parent.textBetween(from - start, $from.parentOffset, null, "\uFFFC");
  return /^\/(?:[^\s/\uFFFC][^/\uFFFC]*)?$/.test(typed) ? typed.slice(1) : null;
}

/** Returns the blocks that the menu can insert at the caret or turn its block into. */
function applicableBlocksOf(state: EditorState): BlockMenuChoice[] {
  const toolbar = readToolbarState(state);
  return blocks.filter(
    ({ does, pressed }) => pressed?.(toolbar) !== true && (typeof does === "string" || does(state, undefined)),
  );
}
