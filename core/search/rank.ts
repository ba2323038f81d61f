/**
 * Ranks a few hundred documents in memory, with the formula and the weights of the index: BM25 over weighted fields.
 */
import { stemLanguageOf, stemInLanguage, wordTextsOf } from "./analyse.ts";
import { parseQuery, type QueryTerm } from "./query.ts";
import { bm25Weight, fieldWeights } from "./weights.ts";

export interface RankDocument {
  title: string;
  description?: string;
  /** The text, plain or Markdown. */
  text?: string;
  tags?: readonly string[];
  lang?: string | null;
}

export interface RankedDocument<T> {
  document: T;
  /** The score; only scores for the same question are comparable. */
  score: number;
  /** The terms of the question that were found, as typed and folded. */
  found: readonly string[];
  /** The share of the question's terms that were found, 0 to 1. */
  coverage: number;
}

interface AnalyzedDocument<T> {
  document: T;
  /** The stems with their weighted frequencies; `raw` has the words as written. */
  stems: ReadonlyMap<string, number>;
  raw: ReadonlyMap<string, number>;
  length: number;
}

/**
 * The documents that match a question, best first. A document with every term comes before one that lacks some.
 * @param question free text: words without a meaning are dropped, and the last word may be unfinished
 */
export function rankDocuments<T extends RankDocument>(question: string, documents: readonly T[]): RankedDocument<T>[] {
  return createRanker(documents)(question);
}

/** Ranks the same documents for many questions, and analyzes them only once. */
export function createRanker<T extends RankDocument>(
  documents: readonly T[],
): (question: string) => RankedDocument<T>[] {
  const analysed = documents.map(analyzeForRanking);
  const averageLength = analysed.reduce((sum, { length }) => sum + length, 0) / Math.max(1, analysed.length);
  return (question) => {
    const terms = parseQuery(question).terms ?? [];
    const scored = terms.map((term) => {
      const frequencies = analysed.map((one) => termFrequencyIn(one, term));
      const holders = frequencies.filter((frequency) => frequency > 0).length;
      const rarity = Math.log(1 + (analysed.length - holders + 0.5) / (holders + 0.5));
      return frequencies.map((frequency, index) =>
        bm25Weight(rarity, frequency, (analysed[index]?.length ?? 0) / Math.max(1, averageLength)),
      );
    });
    return analysed
      .map(({ document }, index) => {
        const scores = scored.map((ofTerm) => ofTerm[index] ?? 0);
        const found = terms.filter((_, term) => (scores[term] ?? 0) > 0).map(({ raw }) => raw);
        const coverage = found.length / Math.max(1, terms.length);
        return { document, score: scores.reduce((sum, score) => sum + score, 0) * coverage, found, coverage };
      })
      .filter(({ found }) => found.length > 0)
      .sort((one, other) => Number(other.coverage === 1) - Number(one.coverage === 1) || other.score - one.score);
  };
}

function analyzeForRanking<T extends RankDocument>(document: T): AnalyzedDocument<T> {
  const fields = {
    title: wordTextsOf(document.title),
    description: wordTextsOf([document.description ?? "", ...(document.tags ?? [])].join("\n")),
    body: wordTextsOf(document.text ?? ""),
  };
  const all = Object.values(fields).flat();
  const language = stemLanguageOf(document.lang, all);
  const [stems, raw] = [new Map<string, number>(), new Map<string, number>()];
  for (const [name, words] of Object.entries(fields)) {
    const weight = fieldWeights[name as keyof typeof fields];
    for (const text of words) {
      const stem = stemInLanguage(text, language);
      stems.set(stem, (stems.get(stem) ?? 0) + weight);
      raw.set(text, (raw.get(text) ?? 0) + fieldWeights.words);
    }
  }
  return { document, stems, raw, length: all.length };
}

function termFrequencyIn(
  { stems, raw }: AnalyzedDocument<unknown>,
  { raw: word, isPrefix, alternatives }: QueryTerm,
): number {
  let frequency = frequencyOfWord(stems, word);
  if (isPrefix) {
    for (const [other, count] of raw) if (other.startsWith(word)) frequency += count;
  }
  if (frequency > 0) return frequency;
  const said = alternatives.map((words) => Math.min(...words.map((part) => frequencyOfWord(stems, part))));
  return Math.max(0, ...said);
}

function frequencyOfWord(stems: ReadonlyMap<string, number>, word: string): number {
  return stems.get(stemInLanguage(word, "en")) ?? stems.get(word) ?? 0;
}
