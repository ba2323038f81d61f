/** Checks a paste: compares the clipboard's HTML, as a browser shows it, with the editor's text. */
import type { Element } from "hast";
import type { Node, ResolvedPos } from "@milkdown/kit/prose/model";
import type { EditorState } from "@milkdown/kit/prose/state";
import {
  changeKinds,
  notesOfChanges,
  differencesOfReadings,
  type ConversionChangeKind,
} from "#core/faithful/compare.ts";
import { readingOfHtml, type ReadingToken } from "#core/markdown/html/reading.ts";
import { descendantsNamed } from "#core/markdown/html/elements.ts";
import { parseHtml } from "#core/markdown/html-tree.ts";
import { spokenText, type MessageWithId } from "#core/language/catalog.ts";
import { lossWithoutCount, linkedImages, lossId } from "#core/markdown/html/losses.ts";
import { cleanHtml } from "#core/markdown/html/clean.ts";
import { renderWithTree } from "#core/markdown/render.ts";
import { writeDocument } from "./document.ts";
import { countLocalImages } from "./paste-html.ts";
import { texts } from "./texts.ts";

/** Losses that readers don't notice, or that the author sees at once. */
const unnoticed = new Set(
  (
    [
      ...(["textKept", "styles", "handlers", "hiddenText", "hiddenField", "field", "fieldType", "dropDown"] as const),
      ...(["emptyField", "button", "headerless", "oneCell", "innerTable", "headingContent", "noAddress"] as const),
      ...(["uncounted", "jump", "readingAids"] as const),
    ] as const
  ).map(lossId),
);
const unseenTags = new Set(["script", "style", "noscript", "title", "template", "xml"]);

function isUnnoticed(loss: MessageWithId): boolean {
  const { id, values } = lossWithoutCount(loss);
  return unnoticed.has(id) || (id === lossId("removed") && unseenTags.has(String(values["tag"])));
}

/**
 * Lists what a paste of HTML lost or changed for readers, one line per kind; empty if nothing.
 * @param before the editor's state before the paste
 * @param after the document after the paste
 */
export function pasteLossNotes(html: string, before: EditorState, after: Node): string[] {
  const { $from, from, to } = before.selection;
  const end = after.content.size - (before.doc.content.size - to);
  const place = pastePlaceOf($from);
  const images = countLocalImages(html);
  const isOwn = html.includes("data-pm-slice");
  const { page, losses } = isOwn ? { page: parseHtml(html), losses: [] } : parsePastedHtml(html);
  const said = losses.filter((loss) => !isUnnoticed(loss)).map(spokenText);
  if (images > 0) said.unshift(texts.picturesLost({ count: images }));
  said.push(...linkedImages(page, isWebAddress).map(spokenText));
  // Only words are compared in two cases: cells replace the cells at the caret, and an editor's own HTML has boxes and
  // alerts as attributes.
  const isOfCells = place.table !== null && descendantsNamed(page, "table").length > 0;
  if (isOwn || isOfCells) {
    const whole = isOfCells ? after.nodeAt(place.table ?? 0) : null;
    const text = whole ? normalizedTextBetween(whole, 0, whole.content.size) : normalizedTextBetween(after, from, end);
    const missing = wordsMissingIn(wordPiecesOf(readingOfHtml(page)), text);
    if (missing.length > 0)
      said.push(...notesOfChanges([lostWordsNote(missing)]).map(({ sentence }) => spokenText(sentence)));
    return said;
  }
  const isNewLine = $from.parent.content.size === 0 && place.list === null;
  const areCellsLines = place.table !== null || descendantsNamed(page, "td").some(hasList);
  const comparableTokens = (seen: ReadingToken[]): ReadingToken[] => {
    const marked = isNewLine ? seen : withoutFirstListMark(seen);
    return areCellsLines ? marked.map(listMarkInCell) : marked;
  };
  const inserted = renderWithTree(writeDocument(after.cut(from, end))).tree();
  const linked = { linkedImages: isWebAddress };
  const changes = differencesOfReadings(
    comparableTokens(readingOfHtml(page, linked)),
    comparableTokens(readingOfHtml(inserted, linked)),
  ).filter(({ kind }) => !place.expectedChanges.has(kind) && !(kind === "image" && images > 0));
  for (const kind of changeKinds) {
    const own = changes.filter((change) => change.kind === kind);
    const more = own.length > 1 ? texts.moreSuch({ count: own.length - 1 }) : "";
    said.push(...notesOfChanges(own.slice(0, 1)).map(({ sentence }) => spokenText(sentence) + more));
  }
  return said;
}

/**
 * Says whether an image's address is on the web. Such images are not shown, because pages load none from other hosts.
 */
const isWebAddress = (address: string): boolean => /^https?:/i.test(address);

function parsePastedHtml(html: string): { page: ReturnType<typeof parseHtml>; losses: readonly MessageWithId[] } {
  const { page, losses } = cleanHtml(html);
  return { page, losses: losses.lines() };
}

interface PastePlace {
  /** The position of the table around the caret; null if the caret is in no table. */
  table: number | null;
  /** The position of the list around the caret; null if the caret is in no list. */
  list: number | null;
  /** Kinds of changes that are expected, because the blocks around the caret decide them. */
  expectedChanges: ReadonlySet<ConversionChangeKind>;
}

function pastePlaceOf($from: ResolvedPos): PastePlace {
  const positionBefore = (name: RegExp): number | null => {
    for (let depth = $from.depth; depth > 0; depth -= 1)
      if (name.test($from.node(depth).type.name)) return $from.before(depth);
    return null;
  };
  const list = positionBefore(/^(?:ordered|bullet)_list$/);
  const expectedChanges = new Set<ConversionChangeKind>();
  if (list !== null) expectedChanges.add("list-number").add("list-level");
  const table = positionBefore(/^table$/);
  if (table !== null) expectedChanges.add("column");
  if (positionBefore(/^(?:alert|blockquote)$/) !== null) expectedChanges.add("alert");
  return { table, list, expectedChanges };
}

const hasList = (cell: Element): boolean =>
  [...descendantsNamed(cell, "ul"), ...descendantsNamed(cell, "ol")].length > 0;

/** Converts a list mark to its form in a table cell, where items are lines that begin with a bullet or a number. */
function listMarkInCell(seen: ReadingToken): ReadingToken {
  if (seen === "w•" || seen.startsWith("*")) return "*";
  const [, number] = /^#\d+:(\d+)$|^w(\d+)\.$/.exec(seen)?.filter((part) => part !== undefined) ?? [];
  return number === undefined ? seen : `#:${number}`;
}

/** Removes a list mark at the start, because words that are pasted into a line don't begin an item. */
function withoutFirstListMark(seen: readonly ReadingToken[]): ReadingToken[] {
  const [first = ""] = seen;
  return first.startsWith("#") || first.startsWith("*") ? seen.slice(1) : [...seen];
}

const wordPattern = /[\p{L}\p{M}\p{N}]+/gu;

function wordPiecesOf(seen: readonly ReadingToken[]): string[] {
  return seen.filter((one) => "w~p".includes(one.charAt(0))).flatMap((one) => one.slice(1).match(wordPattern) ?? []);
}

function normalizedTextBetween(node: Node, from: number, to: number): string {
  return node.textBetween(from, to, " ", " ").normalize("NFC");
}

/** Returns the words that occur less often in the text than in the list. */
function wordsMissingIn(words: readonly string[], text: string): string[] {
  const left = new Map<string, number>();
  for (const word of text.replace(/[\u00AD\u200B]/g, "").match(wordPattern) ?? [])
    left.set(word, (left.get(word) ?? 0) + 1);
  return words.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count <= 0;
  });
}

function lostWordsNote(words: readonly string[]): Parameters<typeof notesOfChanges>[0][number] {
  return { kind: "words", near: "", before: words.slice(0, 12).join(" ") + (words.length > 12 ? " …" : ""), after: "" };
}
