/**
 * The menu behind `[[` and `@`: an SOP becomes a link to its number, a person becomes their name. The typed text stays
 * until one is chosen.
 */
import { closeHistory } from "@milkdown/kit/prose/history";
import { Plugin, PluginKey, type EditorState, type Transaction } from "@milkdown/kit/prose/state";
import type { EditorView } from "@milkdown/kit/prose/view";
import { markType } from "./commands.ts";
import { typedMenuProps } from "./typed-menu.ts";

export type MentionChoice = { kind: "sop"; number: string; title: string } | { kind: "person"; name: string };

/** Finds SOPs and people for a query, best match first. SOPs that the user can't see are left out. */
export type FindMentions = (query: string, signal: AbortSignal) => Promise<MentionChoice[]>;

export interface MentionMenuState {
  /** The position of the sign that opened the menu. */
  from: number;
  sign: "[[" | "@";
  query: string;
  found: readonly MentionChoice[];
  /** The query that `found` belongs to; null before the first answer. */
  answered: string | null;
  active: number;
}

type MentionMenuChange =
  | { open: number; sign: MentionMenuState["sign"] }
  | { active: number }
  | { found: readonly MentionChoice[]; query: string }
  | "close";

export const mentionListId = "mention-menu";

const key = new PluginKey<MentionMenuState | null>("mentions");
const pauseMs = 150;
const maxTypedCharacters = 80;

interface MentionEvents {
  onMentionMenu(menu: MentionMenuState | null): void;
  findMentions: FindMentions;
}

export function mentionMenuPlugin(events: MentionEvents): Plugin<MentionMenuState | null> {
  return new Plugin<MentionMenuState | null>({
    key,
    state: { init: () => null, apply: (tr, menu, _, state) => nextMentionMenuState(tr, menu, state) },
    props: {
      ...typedMenuProps(key, mentionListId, chooseMention),
      handleTextInput(view, from, to, text) {
        const opened = changeThatOpensMentions(view.state, from, text);
        if (!opened) return false;
        view.dispatch(withMentionMenuChange(view.state.tr.insertText(text, from, to), opened).scrollIntoView());
        return true;
      },
    },
    view: () => createMentionSearch(events),
  });
}

/** Searches when the user pauses typing, and reports every change of the menu. */
function createMentionSearch({ onMentionMenu, findMentions }: MentionEvents) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking = new AbortController();
  const endSearch = (): void => {
    clearTimeout(timer);
    asking.abort();
  };
  const askMentions = async (view: EditorView, query: string): Promise<void> => {
    asking = new AbortController();
    const { signal } = asking;
    const found = await findMentions(query, signal).catch(() => []);
    if (signal.aborted || view.isDestroyed || key.getState(view.state)?.query !== query) return;
    view.dispatch(withMentionMenuChange(view.state.tr, { found, query }));
  };
  return {
    update(view: EditorView, before: EditorState) {
      const menu = key.getState(view.state) ?? null;
      const last = key.getState(before) ?? null;
      if (menu === last) return;
      onMentionMenu(menu);
      if (menu?.query === last?.query && menu?.from === last?.from) return;
      endSearch();
      if (menu) timer = setTimeout(() => void askMentions(view, menu.query), pauseMs);
    },
    destroy: endSearch,
  };
}

/** Makes an option the active one. @param active the option's index */
export function activateMention(view: EditorView, active: number): void {
  view.dispatch(withMentionMenuChange(view.state.tr, { active }));
}

/** Replaces the typed text by the choice, as one step that can be undone. */
export function chooseMention(view: EditorView, index: number): void {
  const { state } = view;
  const menu = key.getState(state);
  const chosen = menu?.found[index];
  if (!menu || !chosen) return;
  const link = markType(state, "link");
  const around = state.doc.resolve(menu.from).marks();
  const node =
    chosen.kind === "sop"
      ? state.schema.text(chosen.title, link.create({ href: sopAddressOfNumber(chosen.number) }).addToSet(around))
      : state.schema.text(chosen.name, link.removeFromSet(around));
  const tr = closeHistory(state.tr.replaceWith(menu.from, state.selection.from, node)).setStoredMarks(
    link.removeFromSet(around),
  );
  view.dispatch(withMentionMenuChange(tr, "close").scrollIntoView());
}

/** Returns the address of the SOP with this number: `/sop/SOP-0012`. */
const sopAddressOfNumber = (number: string): string => `/sop/${encodeURIComponent(number)}`;

function withMentionMenuChange(tr: Transaction, what: MentionMenuChange): Transaction {
  return tr.setMeta(key, what);
}

function nextMentionMenuState(
  tr: Transaction,
  menu: MentionMenuState | null,
  state: EditorState,
): MentionMenuState | null {
  const what = tr.getMeta(key) as MentionMenuChange | undefined;
  if (what === "close") return null;
  if (what && "active" in what) return menu && { ...menu, active: what.active };
  if (what && "found" in what) return menu && { ...menu, found: what.found, answered: what.query, active: 0 };
  if (!what && (!menu || (!tr.docChanged && !tr.selectionSet))) return menu;
  const from = what ? what.open : menu ? tr.mapping.map(menu.from, -1) : 0;
  const sign = what ? what.sign : (menu?.sign ?? "@");
  const query = mentionQueryAt(state, from, sign);
  if (query === null) return null;
  // Words after a sign that find nothing, as in "meet @ noon", are normal text.
  const isNothing = menu?.answered !== null && menu?.found.length === 0 && query.includes(" ");
  if (isNothing) return null;
  if (menu && !what) return query === menu.query ? menu : { ...menu, from, query };
  return { from, sign, query, found: [], answered: null, active: 0 };
}

/**
 * Returns the change that opens the menu when the user types a second `[` or an `@` that begins a word, except in code;
 * null for other typed text.
 */
function changeThatOpensMentions(
  state: EditorState,
  pos: number,
  text: string,
): Extract<MentionMenuChange, { open: number }> | null {
  if (text !== "[" && text !== "@") return null;
  const $pos = state.doc.resolve(pos);
  const { parent, parentOffset } = $pos;
  if (!parent.isTextblock || parent.type.spec.code) return null;
  if ((state.storedMarks ?? $pos.marks()).some(({ type }) => type.spec.code)) return null;
  const before = parent.textBetween(0, parentOffset, null, "\uFFFC");
  if (text === "[") return before.endsWith("[") ? { open: pos - 1, sign: "[[" } : null;
  return /(?:^|[\s(\uFFFC])$/.test(before) ? { open: pos, sign: "@" } : null;
}

/**
 * Returns the words between the sign and the cursor; null if the cursor is elsewhere or the text is no query, for
 * example too long.
 */
function mentionQueryAt({ selection }: EditorState, from: number, sign: string): string | null {
  const { $from, empty } = selection;
  const start = $from.start();
  if (!empty || !$from.parent.isTextblock || from < start || from + sign.length > $from.pos) return null;
  const typed = $from.parent.textBetween(from - start, $from.parentOffset, null, "\uFFFC");
  if (!typed.startsWith(sign) || typed.length > maxTypedCharacters) return null;
  const query = typed.slice(sign.length);
  return /^\s|[\]\uFFFC]|\s\s$/.test(query) ? null : query;
}
