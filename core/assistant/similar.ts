/**
 * Measures how similar two SOPs are by their titles, descriptions and tags, so that existing SOPs aren't suggested
 * again.
 */
import { stemInLanguage, wordTextsOf } from "#core/search/analyse.ts";
import { isEmptyWord } from "#core/search/empty-words.ts";

export interface SopSubject {
  title: string;
  description?: string;
  tags?: readonly string[];
  /** The most frequent words of the text, from `mainTopicsOf`; absent if only title and description are known. */
  topics?: ReadonlyMap<string, number>;
}

export interface ScoredText<T> {
  head: T;
  /** The similarity: 0 without a common word, 1 for the same words. */
  score: number;
}

/** The minimum score of two SOPs about the same work. */
export const sameSubject = 0.6;
/** The minimum score of two spellings of one title. */
export const sameTitle = 0.8;

type WordCounts = ReadonlyMap<string, number>;

interface SubjectWordCounts {
  title: WordCounts;
  head: WordCounts;
  /** Counts of title, description, tags and text; null if the text is not known. */
  text: WordCounts | null;
}

/** The weights of words in a title, in a description or tag, and in a text. */
const worth = { title: 6, head: 2, text: 1 } as const;
const topicsAtMost = 40;

/**
 * Creates a function that finds entries similar to an SOP. Rare words count more than frequent ones.
 * @param known the entries to compare with
 * @param among the entries that show how rare a word is
 * @returns a function that lists the known entries that share words with an SOP, the most similar first
 */
export function createLikenessRanking<T extends SopSubject>(
  known: readonly T[],
  among: readonly SopSubject[] = known,
): (head: SopSubject) => ScoredText<T>[] {
  const holders = new Map<string, number>();
  for (const { head, text } of among.map(wordCountsOf)) {
    for (const stem of (text ?? head).keys()) holders.set(stem, (holders.get(stem) ?? 0) + 1);
  }
  const rarityOf = (stem: string) => Math.log(1 + (among.length + 1) / ((holders.get(stem) ?? 0) + 0.5));
  const weightedCounts = ({ title, head, text }: SubjectWordCounts): SubjectWordCounts => ({
    title: unitVectorOf(title, rarityOf),
    head: unitVectorOf(head, rarityOf),
    text: text && unitVectorOf(text, rarityOf),
  });
  const vectors = known.map(wordCountsOf).map(weightedCounts);
  return (head) => {
    const own = weightedCounts(wordCountsOf(head));
    return known
      .map((one, at): ScoredText<T> => ({ head: one, score: likenessOf(own, vectors[at] ?? own) }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score);
  };
}

function likenessOf(one: SubjectWordCounts, other: SubjectWordCounts): number {
  const heads = Math.max(cosineSimilarity(one.title, other.title), cosineSimilarity(one.head, other.head));
  const score = one.text && other.text ? (heads + cosineSimilarity(one.text, other.text)) / 2 : heads;
  return Math.min(1, Math.round(score * 1000) / 1000);
}

function wordCountsOf({ title, description = "", tags = [], topics }: SopSubject): SubjectWordCounts {
  const ofTitle = meaningfulStemsIn(title);
  const head = new Map<string, number>();
  addStemWeights(head, meaningfulStemsIn([description, ...tags].join("\n")), worth.head);
  addStemWeights(head, ofTitle, worth.title);
  const text = topics === undefined ? null : new Map(topics);
  if (text) for (const [stem, count] of head) text.set(stem, (text.get(stem) ?? 0) + count);
  return { title: addStemWeights(new Map(), ofTitle, 1), head, text };
}

/** Returns the most frequent words of a text with their counts, by their stems. @param text without markup */
export function mainTopicsOf(text: string): WordCounts {
  const counts = addStemWeights(new Map(), meaningfulStemsIn(text), worth.text);
  return new Map([...counts].sort(([, one], [, other]) => other - one).slice(0, topicsAtMost));
}

/** Returns the stems of the words with a meaning, in the order of the text. */
export function meaningfulStemsIn(text: string): string[] {
  return wordTextsOf(text)
    .filter((word) => !isEmptyWord(word))
    .map((word) => stemInLanguage(word, "en"));
}

function addStemWeights(counts: Map<string, number>, stems: readonly string[], each: number): Map<string, number> {
  for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + each);
  return counts;
}

/** Weights the counts by the rarity of the words, and scales them to a vector of length 1. */
function unitVectorOf(counts: WordCounts, rarity: (stem: string) => number): Map<string, number> {
  const vector = new Map([...counts].map(([stem, count]) => [stem, (1 + Math.log(count)) * rarity(stem)]));
  const length = Math.hypot(...vector.values());
  if (length > 0) for (const [stem, value] of vector) vector.set(stem, value / length);
  return vector;
}

function cosineSimilarity(one: WordCounts, other: WordCounts): number {
  let sum = 0;
  for (const [stem, value] of one) sum += value * (other.get(stem) ?? 0);
  return sum;
}
