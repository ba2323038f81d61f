/**
 * Finds words that replace others: a word of a closed group such as colors, or any word if a text gains as many words
 * as it loses.
 */
import type { MeaningChange } from "./change-kinds.ts";
import { factLanguages, factWords, type FactLanguage } from "./fact-words.ts";
import { contentlessWordsOf, factsOf, sentencesOf, type TextFacts, type WordFact } from "./facts.ts";
import { matchPassages, type Passage } from "./passages.ts";
import { surplusEntries, pairByPosition, differingRuns, factsOnlyInFirst } from "./sequences.ts";
import { isSameWord } from "./spelling.ts";
import { findWords, createWordIndex, type WordIndex } from "./word-index.ts";
import type { WordGroup } from "./words/notation.ts";

interface GroupIndex {
  group: WordGroup;
  /** Words of the same meaning have one value. */
  index: WordIndex<string>;
}

const groups = new Map<FactLanguage, GroupIndex[]>();

/** Returns an index for each group of words, because a word can be in several groups. */
function wordGroupsOf(language: FactLanguage): GroupIndex[] {
  const known = groups.get(language);
  if (known !== undefined) return known;
  const made = Object.entries(factWords[language].groups).map(([group, words]) => ({
    group: group as WordGroup,
    index: createWordIndex(words.split(" ").map((alike) => ({ value: alike, words: alike.replaceAll("/", " ") }))),
  }));
  groups.set(language, made);
  return made;
}

/** Finds exchanged words of a group, such as `red → green`, even if the sentence around them changed as well. */
export function groupWordChanges(before: string, after: string, language: FactLanguage | null): MeaningChange[] {
  return groupIndexesOf(language).flatMap((index) => {
    const [old, now] = [groupMembersIn(index, before), groupMembersIn(index, after)];
    return pairByPosition(factsOnlyInFirst(old, now), factsOnlyInFirst(now, old)).flatMap(
      ([one, other]): MeaningChange[] =>
        one === undefined || other === undefined ? [] : [{ kind: "word", before: one.raw, after: other.raw }],
    );
  });
}

/** Groups whose words a draft must not replace by other words of the same group. */
const asked: ReadonlySet<WordGroup> = new Set(["time", "frequency", "color", "substance"]);

/** Finds words of a request that are missing in the draft, while the draft has another word of the same group. */
export function wordsReplacedInDraft(request: string, draft: string, language: FactLanguage | null): string[] {
  return groupIndexesOf(language).flatMap((index) => {
    if (!asked.has(index.group)) return [];
    const [wanted, own] = [groupMembersIn(index, request), groupMembersIn(index, draft)];
    const missing = wanted.filter(({ token }) => !own.some((one) => one.token === token));
    const hasOther = own.some(({ token }) => !wanted.some((one) => one.token === token));
    // a word inside a longer word of the draft isn't missing: `Stickstoffflasche`
    const isWithinDraft = ({ raw }: WordFact) => raw.length > 4 && draft.toLowerCase().includes(raw.toLowerCase());
    return hasOther ? missing.filter((one) => !isWithinDraft(one)).map(({ raw }) => raw) : [];
  });
}

function groupIndexesOf(language: FactLanguage | null): GroupIndex[] {
  return (language === null ? factLanguages : [language]).flatMap(wordGroupsOf);
}

function groupMembersIn({ index }: GroupIndex, text: string): WordFact[] {
  return findWords(index, text).flatMap(({ values, raw, start }) =>
    values.slice(0, 1).map((token) => ({ token, raw, start })),
  );
}

/**
 * Finds replaced words, such as "red button" and "green button": first within each sentence, then within the whole
 * text.
 */
export function wordExchanges(before: string, after: string, language: FactLanguage | null): MeaningChange[] {
  const [old, now] = [asPassages(before), asPassages(after)];
  const inSentences = matchPassages(old, now, language).flatMap((at, index) =>
    at === null ? [] : wordExchangesInSentence(old[index]?.text ?? "", now[at]?.text ?? "", language),
  );
  return inSentences.length > 0
    ? inSentences
    : wordExchangesInAnyOrder(nonFactWordsOf(before, language), nonFactWordsOf(after, language), language);
}

/** Finds replaced words in any order, if the text gained as many words as it lost. */
function wordExchangesInAnyOrder(
  old: readonly string[],
  now: readonly string[],
  language: FactLanguage | null,
): MeaningChange[] {
  const [gone, come] = unpairedContentWords(old, now, language);
  return gone.length === come.length ? pairByPosition(gone, come).map(wordChangeOf) : [];
}

function nonFactWordsOf(text: string, language: FactLanguage | null): string[] {
  return nonFactWordsIn(factsOf(text, language));
}

function wordChangeOf([one = "", other = ""]: readonly [string | undefined, string | undefined]): MeaningChange {
  return { kind: "word", before: one, after: other };
}

function asPassages(text: string): Passage[] {
  return sentencesOf(text).map((sentence) => ({ kind: "paragraph", text: sentence, cells: [], checked: null }));
}

/** Finds replaced words of one sentence: word by word, or as one run of words. */
function wordExchangesInSentence(before: string, after: string, language: FactLanguage | null): MeaningChange[] {
  const [words, nowWords] = [nonFactWordsOf(before, language), nonFactWordsOf(after, language)];
  const stretches = differingRuns(words, nowWords);
  const [only, ...more] = stretches;
  if (only === undefined) return [];
  if (more.length === 0 && only.gone.length !== only.come.length) {
    // a replacement can have another number of words: `isopropyl alcohol`, `acetone`
    const isJoined = only.gone.join("").toLowerCase() === only.come.join("").toLowerCase();
    const isBoth = unpairedContentWords(only.gone, only.come, language).every((list) => list.length > 0);
    return isBoth && !isJoined ? [wordChangeOf([only.gone.join(" "), only.come.join(" ")])] : [];
  }
  const changed = stretches.flatMap(({ gone, come }) => pairByPosition(gone, come));
  const isInPlace = stretches.every(({ gone, come }) => gone.length === come.length);
  // in a mostly reworded sentence, and with moved words, positions don't match the words
  const isMoved = changed.some(([one = ""], at) =>
    changed.some(([, other = ""], place) => at !== place && isSameWordOrSynonym(one, other, language)),
  );
  if (!isInPlace || isMoved || (changed.length > 1 && changed.length * 2 >= words.length))
    return wordExchangesInAnyOrder(words, nowWords, language);
  return changed.filter(([one = "", other = ""]) => !isSameWordOrSynonym(one, other, language)).map(wordChangeOf);
}

function isSameWordOrSynonym(one: string, other: string, language: FactLanguage | null): boolean {
  return isSameWord(one, other, language) || areSynonyms(one, other, language);
}

const weakWords = new Map<FactLanguage | null, ReadonlySet<string>>();

/** Tells whether a word is longer than two letters, carries content, and isn't already compared as a fact. */
function isContentWord(word: string, language: FactLanguage | null): boolean {
  let weak = weakWords.get(language);
  if (weak === undefined) {
    const own = (language === null ? factLanguages : [language]).flatMap((one) => {
      const { next, groups, weak: verbs } = factWords[one];
      return [verbs, next, groups.time, groups.order].flatMap((list) => list.split(/[ /]/));
    });
    weak = new Set([...own, ...contentlessWordsOf(language)]);
    weakWords.set(language, weak);
  }
  return word.length > 2 && !weak.has(word.toLowerCase());
}

/**
 * Returns the content words of each list without a match in the other list. Equal words are matched first, then other
 * forms of a word.
 */
function unpairedContentWords(
  old: readonly string[],
  now: readonly string[],
  language: FactLanguage | null,
): [string[], string[]] {
  const contentWords = (list: readonly string[]) => list.filter((word) => isContentWord(word, language));
  const surplusWords = (list: readonly string[], other: readonly string[]) =>
    surplusEntries(contentWords(list), contentWords(other), (word) => word.toLowerCase());
  const [left, come] = [surplusWords(old, now), surplusWords(now, old)];
  const gone = left.filter((word) => {
    const at = come.findIndex((other) => isSameWordOrSynonym(word, other, language));
    if (at !== -1) come.splice(at, 1);
    return at === -1;
  });
  return [gone, come];
}

const alike = new Map<FactLanguage, ReadonlyMap<string, number[]>>();

/** Returns the numbers of the synonym groups of each word. A word can be in several groups. */
function synonymGroupsOf(language: FactLanguage): ReadonlyMap<string, number[]> {
  const known = alike.get(language);
  if (known !== undefined) return known;
  const made = new Map<string, number[]>();
  for (const [at, words] of factWords[language].alike.split(" ").entries())
    for (const word of words.split("/")) made.set(word, [...(made.get(word) ?? []), at]);
  alike.set(language, made);
  return made;
}

/** Tells whether two words are in the same synonym group: `use`, `utilize`. */
function areSynonyms(one: string, other: string, language: FactLanguage | null): boolean {
  return (language === null ? factLanguages : [language]).some((own) => {
    const others = synonymGroupsOf(own).get(other.toLowerCase()) ?? [];
    return (synonymGroupsOf(own).get(one.toLowerCase()) ?? []).some((at) => others.includes(at));
  });
}

/** Returns the words that are not part of an amount or a word of duty, because these facts are compared separately. */
function nonFactWordsIn({ text, amounts, strict }: TextFacts): string[] {
  const others = amounts.reduceRight((rest, { start, end }) => `${rest.slice(0, start)} ${rest.slice(end)}`, text);
  const facts = new Set(strict.flatMap(({ raw }) => raw.toLowerCase().split(/\s+/)));
  // an elided article, such as `l'`, is a separate word
  const words = others.normalize("NFC").match(/\p{L}{1,4}['’](?=\p{L}{3})|[\p{L}\p{Nd}'’-]+/gu) ?? [];
  return words.filter((word) => !facts.has(word.toLowerCase()));
}
