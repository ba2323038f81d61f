/** A title that is what was asked for says more than its words counted alone. */
import { isEmptyWord } from "./empty-words.ts";
import type { Query } from "./query.ts";
import { wordTexts } from "./analyse.ts";
import type { TermFinder } from "./highlight.ts";

/** @returns what a score is multiplied by: 1 where the title has no word of the question, 6 where it is the question */
export function titleWorth(title: string, question: Pick<Query, "text" | "terms">, find: TermFinder): number {
  const all = wordTexts(title);
  const words = all.filter((word) => !isEmptyWord(word));
  const found = words.map(find).filter((term) => term !== null);
  const asked = new Set(found).size / Math.max(1, question.terms?.length ?? 0);
  const isSame = all.length > 0 && all.join(" ") === wordTexts(question.text).join(" ");
  return (isSame ? 3 : 1) + 2 * asked + (asked * found.length) / Math.max(1, words.length);
}
