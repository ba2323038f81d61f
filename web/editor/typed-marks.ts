/**
 * Creates marks from typed Markdown. The shared parser decides, so a text means the same whether it is typed here or
 * saved as Markdown: `2 * 3 * 4` stays as typed, `*both*` becomes italic.
 */
import type { Delete, Emphasis, InlineCode, Strong } from "mdast";
import { Fragment, type Mark, type Node, type ResolvedPos } from "@milkdown/kit/prose/model";
import { Plugin, PluginKey, TextSelection, type EditorState, type Transaction } from "@milkdown/kit/prose/state";
import { ReplaceStep } from "@milkdown/kit/prose/transform";
import type { EditorView } from "@milkdown/kit/prose/view";
import { eachNode, parseMarkdown } from "#core/markdown/parse.ts";

/**
 * A mark made of typed characters. If the next character shows that it isn't a mark, it becomes those characters again.
 */
interface TypedMark {
  name: string;
  from: number;
  to: number;
  open: string;
  close: string;
}

/** The text typed without moving the caret. It begins at `from` and ends at the caret. */
interface TypedText {
  from: number;
  made: readonly TypedMark[];
  /** Marks that the last character created. */
  latest?: readonly TypedMark[];
}

const key = new PluginKey<TypedText | null>("typed-marks");

export const typedMarksPlugin = (): Plugin<TypedText | null> =>
  new Plugin<TypedText | null>({
    key,
    state: {
      init: () => null,
      apply(tr, typing) {
        const known = tr.getMeta(key) as TypedText | null | undefined;
        return known === undefined ? nextTypedText(tr, typing) : known;
      },
    },
    props: {
      handleTextInput(view, from, to, text) {
        return !view.composing && markTypedText(view, view.state.tr.insertText(text, from, to), from);
      },
      handleKeyDown(view, { key: name, ctrlKey, metaKey, altKey }) {
        const typing = key.getState(view.state);
        if (name !== "Backspace" || ctrlKey || metaKey || altKey || !typing?.latest) return false;
        view.dispatch(createRevertTransaction(view.state, typing.latest));
        return true;
      },
      handleDOMEvents: {
        compositionend(view) {
          // The editor has to read the input method's text first.
          setTimeout(() => {
            const typing = view.isDestroyed ? null : key.getState(view.state);
            if (typing) markTypedText(view, view.state.tr, typing.from);
          });
          return false;
        },
      },
    },
  });

/** Returns the typed text after a change; null if the change isn't an edit of the typed text or the caret moved. */
function nextTypedText(tr: Transaction, typing: TypedText | null): TypedText | null {
  if (!tr.docChanged) return tr.selectionSet ? null : typing;
  const { $head, empty } = tr.selection;
  if (!empty || !$head.parent.inlineContent || $head.parent.type.spec.code) return null;
  if (tr.getMeta("uiEvent") || tr.getMeta("history$")) return null;
  let from = typing?.from;
  let made = typing?.made ?? [];
  for (const step of tr.steps) {
    if (!(step instanceof ReplaceStep) || step.slice.content.content.some((node) => !node.isText)) return null;
    from ??= step.from;
    if (step.from < from) return null;
    made = made.filter(({ to }) => to <= step.from);
  }
  return from !== undefined && $head.start() <= from && from < $head.pos ? { from, made } : null;
}

/**
 * Creates and removes marks after a change, and dispatches the change only if marks changed.
 * @param since the position at which the change begins
 * @returns whether marks changed
 */
function markTypedText(view: EditorView, tr: Transaction, since: number): boolean {
  const typing = nextTypedText(tr, key.getState(view.state) ?? null);
  const made = typing && applyTypedMarks(tr, typing, since);
  if (made) view.dispatch(tr.setMeta(key, made).scrollIntoView());
  return made !== null;
}

/** Returns a transaction that turns marks back into the characters that were typed. */
function createRevertTransaction({ tr }: EditorState, made: readonly TypedMark[]): Transaction {
  const { cells, spans } = characterCellsOf(tr.selection.$head, made);
  rewriteMarkedBlock(tr, cells, new Set(spans.keys()), []);
  return tr.setMeta(key, null).scrollIntoView();
}

/** Changes the marks of the block in `tr`. @returns the typed text with its new marks; null if no mark changed */
function applyTypedMarks(tr: Transaction, typing: TypedText, since: number): TypedText | null {
  const { $head } = tr.selection;
  // Only the characters of the change, and the one before it, can begin or end a mark.
  const text = tr.doc.textBetween(Math.max($head.start(), since - 1), $head.pos, "", " ");
  if (!/[*_~`]/.test(text) && !typing.made.some(({ to }) => to === since)) return null;

  const { cells, spans, caret } = characterCellsOf($head, typing.made);
  const found = markSpansOf(rawCharactersOf(cells));
  const lost = new Set(typing.made.filter((made) => !found.some((one) => isSameSpan(one, spans.get(made)))));
  const isTyped = ({ node, made }: MarkdownCharacter): boolean => (made ? lost.has(made) : node?.isText === true);
  const wanted = found.filter(({ from, open, close, to }) => {
    const last = cells[to - 1];
    const isNew = to <= caret && last && (last.made || last.at >= typing.from);
    return isNew && cells.slice(from, open).every(isTyped) && cells.slice(close, to).every(isTyped);
  });
  if (lost.size === 0 && wanted.length === 0) return null;
  const kept = typing.made.flatMap((one) => (lost.has(one) ? [] : (spans.get(one) ?? [])));
  // Inner marks are written before outer ones.
  const [made, from] = rewriteMarkedBlock(tr, cells, lost, [...kept, ...wanted.toReversed()], typing.from);
  return { from, made, ...(wanted.length > 0 && { latest: made.slice(kept.length) }) };
}

const rawCharactersOf = (cells: readonly MarkdownCharacter[]): string =>
  cells.reduce((text, { raw }) => text + raw, "");
const isIndexInRange = (index: number, from: number, to: number): boolean => from <= index && index < to;

function isSameSpan(one: MarkSpan, other: MarkSpan | undefined): boolean {
  return one.name === other?.name && one.from === other.from && one.to === other.to;
}

/**
 * Rewrites the block with the marks of `spans`. Marks in `lost` become characters again.
 * @returns the marks, and the position at which the typed text begins
 */
function rewriteMarkedBlock(
  tr: Transaction,
  cells: readonly MarkdownCharacter[],
  lost: ReadonlySet<TypedMark>,
  spans: readonly MarkSpan[],
  typedFrom = 0,
): [made: TypedMark[], from: number] {
  const { schema } = tr.doc.type;
  const { $head } = tr.selection;
  const start = $head.start();
  const content: Node[] = [];
  const made = spans.map(({ name, from, open, close, to }): TypedMark => {
    return {
      name,
      from: 0,
      to: 0,
      open: rawCharactersOf(cells.slice(from, open)),
      close: rawCharactersOf(cells.slice(close, to)),
    };
  });
  let at = start;
  let caret: number | null = null;
  let typed: number | null = null;
  let marksBefore: readonly Mark[] = [];
  for (const [index, cell] of cells.entries()) {
    if (cell.at >= $head.pos && !cell.closes) caret ??= at;
    if (cell.at >= typedFrom && !cell.closes) typed ??= at;
    for (const [which, { open, close }] of spans.entries()) {
      const one = made[which];
      if (one && open === index) one.from = at;
      if (one && close === index) one.to = at;
    }
    if (!cell.node && !(cell.made && lost.has(cell.made))) continue;
    let marks = untypedMarksOf(cells, index);
    for (const { name, open, close } of spans) {
      if (isIndexInRange(index, open, close)) marks = schema.marks[name]?.create().addToSet(marks) ?? marks;
    }
    if (caret === null) marksBefore = marks;
    if (
      spans.some(({ from, open, close, to }) => isIndexInRange(index, from, open) || isIndexInRange(index, close, to))
    )
      continue;
    const written = cell.node?.mark(marks) ?? schema.text(cell.raw, marks);
    content.push(written);
    at += written.nodeSize;
  }
  replaceContent(tr, start, $head.parent.content, Fragment.fromArray(content));
  tr.setSelection(TextSelection.create(tr.doc, caret ?? at)).setStoredMarks(marksBefore);
  return [made, typed ?? at];
}

/** Returns the marks of a character that weren't created by typing. A delimiter has the marks of the text beside it. */
function untypedMarksOf(cells: readonly MarkdownCharacter[], index: number): readonly Mark[] {
  const cell = cells[index];
  if (cell?.marks) return cell.marks;
  const beside = cell?.closes
    ? cells.slice(0, index).findLast(({ node }) => node)
    : cells.slice(index).find(({ node }) => node);
  return beside?.marks ?? [];
}

function replaceContent(tr: Transaction, start: number, before: Fragment, after: Fragment): void {
  const from = before.findDiffStart(after);
  const end = before.findDiffEnd(after);
  if (from === null || end === null) return;
  // If text repeats, the difference's start and end can overlap.
  const overlap = Math.max(0, from - Math.min(end.a, end.b));
  tr.replaceWith(start + from, start + end.a + overlap, after.cut(from, end.b + overlap));
}

/** A character of the block as Markdown. */
interface MarkdownCharacter {
  raw: string;
  /** The character's position in the document. */
  at: number;
  /** The character's node; undefined for delimiters of marks. */
  node?: Node;
  /** The node's marks that weren't typed just now. */
  marks?: readonly Mark[];
  /** The mark that the character begins or ends. */
  made?: TypedMark;
  /** True for the characters that end a mark. */
  closes?: true;
}

/** The range of a mark in the line: `from` and `to` with its delimiters, `open` and `close` without. */
interface MarkSpan {
  name: string;
  from: number;
  open: number;
  close: number;
  to: number;
}

const markNames: Record<(Emphasis | Strong | Delete | InlineCode)["type"], string> = {
  emphasis: "emphasis",
  strong: "strong",
  delete: "strike_through",
  inlineCode: "inlineCode",
};

/** Finds the marks of one line, outer ones before inner ones. */
function markSpansOf(line: string): MarkSpan[] {
  const found: MarkSpan[] = [];
  // A word in front keeps the line from beginning a block.
  const lead = "x ";
  eachNode(parseMarkdown(lead + line), (node) => {
    const { start, end } = node.position ?? {};
    if (!(node.type in markNames) || start?.offset === undefined || end?.offset === undefined) return;
    const [from, to] = [start.offset - lead.length, end.offset - lead.length];
    let length = node.type === "emphasis" ? 1 : 2;
    if (node.type === "inlineCode") {
      length = /^`+/.exec(line.slice(from))?.[0].length ?? 1;
      // The parser removes a space that only separates backticks from the text.
      if (node.value.length < to - from - 2 * length) length += 1;
    }
    found.push({
      name: markNames[node.type as keyof typeof markNames],
      from,
      open: from + length,
      close: to - length,
      to,
    });
  });
  return found;
}

/** Returns the characters of the block as Markdown, the ranges of typed marks in them, and the index of the caret. */
function characterCellsOf($head: ResolvedPos, made: readonly TypedMark[]) {
  const { parent, pos } = $head;
  const start = $head.start();
  const cells: MarkdownCharacter[] = [];
  const spans = new Map<TypedMark, MarkSpan>();
  const addCells = (raw: string, rest: Omit<MarkdownCharacter, "raw">) =>
    cells.push(...raw.split("").map((one) => ({ raw: one, ...rest })));
  const opened: { mark?: Mark; made?: TypedMark; close: string }[] = [];
  const closeMarksFrom = (index: number, at: number) => {
    for (const { made: own, close } of opened.splice(index).toReversed()) {
      const span = own && spans.get(own);
      if (span) span.close = cells.length;
      addCells(close, { at, closes: true, ...(own && { made: own }) });
      if (span) span.to = cells.length;
    }
  };
  const marksAt = (node: Node, at: number): readonly Mark[] => {
    const own = made.filter(({ from, to }) => isIndexInRange(at, from, to));
    const marks = node.marks.filter(({ type }) => !own.some(({ name }) => name === type.name));
    const ended = opened.findIndex((one) => (one.made ? !own.includes(one.made) : !one.mark?.isInSet(marks)));
    if (ended >= 0) closeMarksFrom(ended, at);
    for (const one of marks) {
      if (opened.some(({ mark: other }) => other?.eq(one))) continue;
      const [open, close] = delimitersOfMark(one, node);
      addCells(open, { at });
      opened.push({ mark: one, close });
    }
    // The longer of two marks is the outer one. Of two with the same length, the newer one is.
    for (const one of own.toReversed().toSorted((a, b) => b.to - b.from - (a.to - a.from))) {
      if (opened.some((other) => other.made === one)) continue;
      const from = cells.length;
      addCells(one.open, { at, made: one });
      spans.set(one, { name: one.name, from, open: cells.length, close: 0, to: 0 });
      opened.push({ made: one, close: one.close });
    }
    return marks;
  };
  parent.forEach((node, offset) => {
    const at = start + offset;
    if (node.isText) {
      for (const [index, raw] of (node.text ?? "").split("").entries()) {
        cells.push({ raw, at: at + index, node: node.cut(index, index + 1), marks: marksAt(node, at + index) });
      }
      return;
    }
    const marks = marksAt(node, at);
    const [first = " ", ...rest] = charactersOfNode(node);
    cells.push({ raw: first, at, node, marks });
    addCells(rest.join(""), { at });
  });
  closeMarksFrom(0, start + parent.content.size);
  const caret = cells.findLastIndex(({ at, node, closes }) => (node ? at < pos : closes && at <= pos)) + 1;
  return { cells, spans, caret };
}

/** Returns the delimiters of a mark, exact enough to tell which other characters could begin or end a mark. */
function delimitersOfMark({ type, attrs }: Mark, { text = "" }: Node): [string, string] {
  switch (type.name) {
    case "inlineCode": {
      const runs = new Set((text.match(/`+/g) ?? []).map((run) => run.length));
      let length = 1;
      while (runs.has(length)) length += 1;
      const fence = "`".repeat(length);
      return text.startsWith("`") || text.endsWith("`") ? [`${fence} `, ` ${fence}`] : [fence, fence];
    }
    case "emphasis":
      return ["*", "*"];
    case "strong":
      return ["**", "**"];
    case "strike_through":
      return ["~~", "~~"];
    case "link":
      return ["[", "](x)"];
    default:
      return [`<${String(attrs["name"])}>`, `</${String(attrs["name"])}>`];
  }
}

/** Returns the characters that represent a node in the Markdown line. A line break counts as a space. */
function charactersOfNode({ type, attrs }: Node): string[] {
  if (type.name === "image") return [..."![](x)"];
  if (type.name === "footnote_reference") return [..."[^x]"];
  return String(attrs["value"] ?? "")
    .replaceAll("\n", " ")
    .split("");
}
