/** Finds the words of a list in a text in one pass. `words/notation.ts` describes how lists are written. */

export interface ListedWords<Value> {
  value: Value;
  /** The words of the list, separated by spaces. */
  words: string;
}

export interface FoundWords<Value> {
  values: Value[];
  raw: string;
  start: number;
  end: number;
}

interface IndexedWords<Value> {
  value: Value;
  parts: string[];
  /** The characters after each part: a space, an apostrophe, a hyphen, a full stop or nothing. */
  gaps: string[];
  isPrefix: boolean;
  /** The surroundings that the words need in a text to count; null without such a condition. */
  needs: "figure" | "clause end" | "clause start" | null;
}

export interface WordIndex<Value> {
  exact: Map<string, IndexedWords<Value>[]>;
  prefixes: Map<string, IndexedWords<Value>[]>;
  suffixes: IndexedWords<Value>[];
}

export function createWordIndex<Value>(lists: readonly ListedWords<Value>[]): WordIndex<Value> {
  const index: WordIndex<Value> = { exact: new Map(), prefixes: new Map(), suffixes: [] };
  for (const { value, words } of lists)
    for (const word of words.split(" ")) {
      if (word === "") continue;
      const entry = wordIndexEntryOf(value, word);
      const [first = ""] = entry.parts;
      if (word.startsWith("*")) index.suffixes.push(entry);
      else appendEntry(entry.isPrefix && entry.parts.length === 1 ? index.prefixes : index.exact, first, entry);
    }
  return index;
}

function appendEntry<Value>(map: Map<string, IndexedWords<Value>[]>, key: string, entry: IndexedWords<Value>): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [entry]);
  else list.push(entry);
}

function wordIndexEntryOf<Value>(value: Value, word: string): IndexedWords<Value> {
  const needs = word.endsWith("#")
    ? "figure"
    : word.endsWith("!")
      ? "clause end"
      : word.startsWith("^")
        ? "clause start"
        : null;
  const bare = word.replace(/^\^|_?[#!]$/g, "").replaceAll("_", " ");
  const isPrefix = bare.endsWith("*");
  const text = bare.replaceAll("*", "");
  return { value, needs, isPrefix, parts: text.match(/\p{L}+/gu) ?? [], gaps: text.split(/\p{L}+/u).slice(1) };
}

interface WordPlace {
  word: string;
  start: number;
  end: number;
}

/** Finds each place once, with all values of its longest match. */
export function findWords<Value>({ exact, prefixes, suffixes }: WordIndex<Value>, text: string): FoundWords<Value>[] {
  const places = [...text.matchAll(/\p{L}+/gu)].map(({ 0: word, index: start }): WordPlace => ({
    word: word.toLowerCase(),
    start,
    end: start + word.length,
  }));
  const found: FoundWords<Value>[] = [];
  for (let at = 0; at < places.length;) {
    const { word = "", start = 0 } = places[at] ?? {};
    const candidates = [...(exact.get(word) ?? [])];
    for (let length = 2; length <= word.length; length += 1)
      candidates.push(...(prefixes.get(word.slice(0, length)) ?? []));
    candidates.push(...suffixes.filter(({ parts: [end = ""] }) => word.endsWith(end)));
    const fits = candidates.flatMap((entry) => {
      const end = entryEndInText(entry, text, places, at);
      return end === null || !isNeedMet(entry, text, start, end) ? [] : [{ entry, end }];
    });
    const end = Math.max(0, ...fits.map((fit) => fit.end));
    const longest = fits.filter((fit) => fit.end === end);
    if (longest.length > 0)
      found.push({
        values: [...new Set(longest.map(({ entry }) => entry.value))],
        raw: text.slice(start, end),
        start,
        end,
      });
    at += 1;
    while (longest.length > 0 && (places[at]?.start ?? Infinity) < end) at += 1;
  }
  return found;
}

function entryEndInText(
  { parts, gaps, isPrefix }: IndexedWords<unknown>,
  text: string,
  places: readonly WordPlace[],
  at: number,
): number | null {
  for (let part = 1; part < parts.length; part += 1) {
    const [previous, next] = [places[at + part - 1], places[at + part]];
    if (previous === undefined || next === undefined) return null;
    const wanted = parts[part] ?? "";
    const isLast = part === parts.length - 1;
    const isSame = isLast && isPrefix ? next.word.startsWith(wanted) : next.word === wanted;
    if (!isSame || !matchesGap(text.slice(previous.end, next.start), gaps[part - 1] ?? "")) return null;
  }
  const last = places[at + parts.length - 1]?.end ?? 0;
  const tail = gaps[parts.length - 1] ?? "";
  return tail === "" ? last : text.startsWith(tail, last) ? last + tail.length : null;
}

function matchesGap(text: string, wanted: string): boolean {
  if (wanted === " ") return /^\s+$/.test(text);
  if (wanted === "'") return text === "'" || text === "’";
  return wanted === "-" ? /^[-‐‑]$/.test(text) : text === wanted;
}

function isNeedMet({ needs }: IndexedWords<unknown>, text: string, start: number, end: number): boolean {
  switch (needs) {
    case "figure":
      return /^\s*[$€£]?[-−+]?[\p{Nd}½¼¾]/u.test(text.slice(end, end + 8));
    case "clause end":
      return /^\s*(?:[.,;:!?)]|$|(?:und|oder|en|of)\s)/.test(text.slice(end, end + 8));
    case "clause start":
      return /(?:^|[.,;:!?])\s*$/.test(text.slice(0, start));
    default:
      return true;
  }
}
