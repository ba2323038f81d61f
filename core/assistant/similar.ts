/**
 * Measures how similar two SOPs are by their titles, descriptions and tags, so that existing SOPs aren't suggested
 * again.
 */
import { stemOf, wordTexts } from "#core/search/analyse.ts";
import { isEmptyWord } from "#core/search/empty-words.ts";

export interface SopSubject {
  title: string;
  description?: string;
  tags?: readonly string[];
  /** The subjects of the text, as `topicsIn` finds them; absent if only title and description are known. */
  topics?: ReadonlyMap<string, number>;
}

export interface Likeness<T> {
  head: T;
  /** The similarity: 0 without a common word, 1 for the same words. */
  score: number;
}

/** From this score on, two SOPs are about the same work. */
export const sameSubject = 0.6;
/** From this score on, two titles are spellings of the same title. */
export const sameTitle = 0.8;

type Counts = ReadonlyMap<string, number>;

interface Vectors {
  title: Counts;
  head: Counts;
  /** Counts of title, description, tags and text; null if the text is not known. */
  text: Counts | null;
}

/** The weights of words in a title, in a description or tag, and in a text. */
const worth = { title: 6, head: 2, text: 1 } as const;
const topicsAtMost = 40;

/**
 * Compares titles and descriptions with those of a collection. Rare words count more than frequent ones.
 * @param among the collection that decides which words are rare
 * @returns for an SOP, the entries with common words, the most similar first
 */
export function likenessTo<T extends SopSubject>(
  known: readonly T[],
  among: readonly SopSubject[] = known,
): (head: SopSubject) => Likeness<T>[] {
  const holders = new Map<string, number>();
  for (const { head, text } of among.map(stemsOf)) {
    for (const stem of (text ?? head).keys()) holders.set(stem, (holders.get(stem) ?? 0) + 1);
  }
  const rarity = (stem: string) => Math.log(1 + (among.length + 1) / ((holders.get(stem) ?? 0) + 0.5));
  const weigh = ({ title, head, text }: Vectors): Vectors => ({
    title: weighed(title, rarity),
    head: weighed(head, rarity),
    text: text && weighed(text, rarity),
  });
  const vectors = known.map(stemsOf).map(weigh);
  return (head) => {
    const own = weigh(stemsOf(head));
    return known
      .map((one, at): Likeness<T> => ({ head: one, score: alike(own, vectors[at] ?? own) }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score);
  };
}

function alike(one: Vectors, other: Vectors): number {
  const heads = Math.max(cosine(one.title, other.title), cosine(one.head, other.head));
  const score = one.text && other.text ? (heads + cosine(one.text, other.text)) / 2 : heads;
  return Math.min(1, Math.round(score * 1000) / 1000);
}

function stemsOf({ title, description = "", tags = [], topics }: SopSubject): Vectors {
  const ofTitle = stemsIn(title);
  const head = new Map<string, number>();
  addUp(head, stemsIn([description, ...tags].join("\n")), worth.head);
  addUp(head, ofTitle, worth.title);
  const text = topics === undefined ? null : new Map(topics);
  if (text) for (const [stem, count] of head) text.set(stem, (text.get(stem) ?? 0) + count);
  return { title: addUp(new Map(), ofTitle, 1), head, text };
}

/** The words that a text uses most, by their stems. @param text without markup */
export function topicsIn(text: string): Counts {
  const counts = addUp(new Map(), stemsIn(text), worth.text);
  return new Map([...counts].sort(([, one], [, other]) => other - one).slice(0, topicsAtMost));
}

/** The stems of the words with a meaning, in the order of the text. */
export function stemsIn(text: string): string[] {
  return wordTexts(text)
    .filter((word) => !isEmptyWord(word))
    .map((word) => stemOf(word, "en"));
}

function addUp(counts: Map<string, number>, stems: readonly string[], each: number): Map<string, number> {
  for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + each);
  return counts;
}

/** Scales the counts to a vector of length 1. */
function weighed(counts: Counts, rarity: (stem: string) => number): Map<string, number> {
  const vector = new Map([...counts].map(([stem, count]) => [stem, (1 + Math.log(count)) * rarity(stem)]));
  const length = Math.hypot(...vector.values());
  if (length > 0) for (const [stem, value] of vector) vector.set(stem, value / length);
  return vector;
}

function cosine(one: Counts, other: Counts): number {
  let sum = 0;
  for (const [stem, value] of one) sum += value * (other.get(stem) ?? 0);
  return sum;
}
