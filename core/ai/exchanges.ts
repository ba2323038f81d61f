/** Words that stand where another one stood: of a closed group such as colors, or any word if the rest is equal. */
import type { Change } from "./change-kinds.ts";
import { factLanguages, factWords, type FactLanguage } from "./fact-words.ts";
import { commonIn, type Facts, type WordFact } from "./facts.ts";
import { pairs, runs, without } from "./sequences.ts";
import { isSameWord } from "./spelling.ts";
import { findWords, wordIndex, type WordIndex } from "./word-index.ts";
import type { Group } from "./words/notation.ts";

interface GroupIndex {
  group: Group;
  /** Words that say the same have one value. */
  index: WordIndex<string>;
}

const groups = new Map<FactLanguage, GroupIndex[]>();

/** An index for each group: a word can be in several. */
function groupsOf(language: FactLanguage): GroupIndex[] {
  const known = groups.get(language);
  if (known !== undefined) return known;
  const made = Object.entries(factWords[language].groups).map(([group, words]) => ({
    group: group as Group,
    index: wordIndex(words.split(" ").map((alike) => ({ value: alike, words: alike.replaceAll("/", " ") }))),
  }));
  groups.set(language, made);
  return made;
}

/** `each → one`, `red → green`, however the sentence around them is worded. */
export function groupChanges(before: string, after: string, language: FactLanguage | null): Change[] {
  return indexesOf(language).flatMap((index) => {
    const [old, now] = [membersIn(index, before), membersIn(index, after)];
    return pairs(without(old, now), without(now, old)).flatMap(([one, other]): Change[] =>
      one === undefined || other === undefined ? [] : [{ kind: "word", before: one.raw, after: other.raw }],
    );
  });
}

/** Groups whose words a draft takes from its request. */
const asked: ReadonlySet<Group> = new Set(["time", "frequency", "color", "substance"]);

/** Words of a request that a draft doesn't have, where it has another one of their group. */
export function wordsReplaced(request: string, draft: string, language: FactLanguage | null): string[] {
  return indexesOf(language).flatMap((index) => {
    if (!asked.has(index.group)) return [];
    const [wanted, own] = [membersIn(index, request), membersIn(index, draft)];
    const missing = wanted.filter(({ token }) => !own.some((one) => one.token === token));
    const hasOther = own.some(({ token }) => !wanted.some((one) => one.token === token));
    // a part of another word is there too: `Stickstoffflasche`
    const isWithin = ({ raw }: WordFact) => draft.toLowerCase().includes(raw.toLowerCase());
    return hasOther ? missing.filter((one) => !isWithin(one)).map(({ raw }) => raw) : [];
  });
}

function indexesOf(language: FactLanguage | null): GroupIndex[] {
  return (language === null ? factLanguages : [language]).flatMap(groupsOf);
}

function membersIn({ index }: GroupIndex, text: string): WordFact[] {
  return findWords(index, text).flatMap(({ values, raw, start }) =>
    values.slice(0, 1).map((token) => ({ token, raw, start })),
  );
}

/** Words in the place of others: the red button, the green button. */
export function exchangedWords(
  [before, old]: readonly [string, Facts],
  [after, now]: readonly [string, Facts],
  language: FactLanguage | null,
): Change[] {
  const [words, nowWords] = [wordsBeside(before, old), wordsBeside(after, now)];
  const stretches = runs(words, nowWords);
  const isSame = (one: string, other: string) => isSameWord(one, other, language) || isAlike(one, other, language);
  const changed = stretches.every(({ gone, come }) => gone.length === come.length)
    ? stretches.flatMap(({ gone, come }) => pairs(gone, come))
    : [];
  // what is reworded for the most part has no places
  const inPlace = changed.length === 1 || changed.length * 2 < words.length ? changed : [];
  const content = (list: readonly string[]) => {
    const common = commonIn(language);
    const next = language === null ? "" : factWords[language].next;
    const isOwn = (word: string) => word.length > 2 && !common.has(word) && !next.split(" ").includes(word);
    return list.filter((word) => isOwn(word.toLowerCase()));
  };
  const [gone, come] = leftOf(content(words), content(nowWords), isSame);
  const all = inPlace.length > 0 ? inPlace : gone.length === come.length ? pairs(gone, come) : [];
  return all.flatMap(([one = "", other = ""]): Change[] =>
    isSame(one, other) ? [] : [{ kind: "word", before: one, after: other }],
  );
}

/** The words of two lists that have no partner in the other one: first equal ones, then other forms. */
function leftOf(
  old: readonly string[],
  now: readonly string[],
  isSame: (one: string, other: string) => boolean,
): [string[], string[]] {
  const without = (list: readonly string[], others: readonly string[]) => {
    const counts = new Map<string, number>();
    for (const word of others) counts.set(word.toLowerCase(), (counts.get(word.toLowerCase()) ?? 0) + 1);
    return list.filter((word) => {
      const count = counts.get(word.toLowerCase()) ?? 0;
      counts.set(word.toLowerCase(), count - 1);
      return count <= 0;
    });
  };
  const [left, come] = [without(old, now), without(now, old)];
  const gone = left.filter((word) => {
    const at = come.findIndex((other) => isSame(word, other));
    if (at !== -1) come.splice(at, 1);
    return at === -1;
  });
  return [gone, come];
}

const alike = new Map<FactLanguage, ReadonlyMap<string, number>>();

function alikeIn(language: FactLanguage): ReadonlyMap<string, number> {
  const known = alike.get(language);
  if (known !== undefined) return known;
  const made = new Map(
    factWords[language].alike.split(" ").flatMap((words, at) => words.split("/").map((word) => [word, at] as const)),
  );
  alike.set(language, made);
  return made;
}

/** `use`, `utilize` */
function isAlike(one: string, other: string, language: FactLanguage | null): boolean {
  return (language === null ? factLanguages : [language]).some((own) => {
    const at = alikeIn(own).get(one.toLowerCase());
    return at !== undefined && at === alikeIn(own).get(other.toLowerCase());
  });
}

/** The words that aren't part of a fact: facts are compared already. */
function wordsBeside(text: string, { amounts, strict }: Facts): string[] {
  const others = amounts.reduceRight((rest, { start, end }) => `${rest.slice(0, start)} ${rest.slice(end)}`, text);
  const facts = new Set(strict.flatMap(({ raw }) => raw.toLowerCase().split(/\s+/)));
  // an elided article is a word of its own
  const words = others.normalize("NFC").match(/\p{L}{1,4}['’](?=\p{L}{3})|[\p{L}\p{Nd}'’-]+/gu) ?? [];
  return words.filter((word) => !facts.has(word.toLowerCase()));
}
