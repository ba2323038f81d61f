/** Builds questions for the index, by how many of the terms a text must have. */
import type { QueryTerm } from "#core/search/query.ts";
import type { IndexQuestion } from "./ranking.ts";

export function questionForAllTerms(terms: readonly QueryTerm[]): IndexQuestion {
  return { terms, atLeast: terms.length };
}

export function questionForAnyTerm(terms: readonly QueryTerm[]): IndexQuestion {
  return { terms, atLeast: 1 };
}

/** Builds a question for texts with at least half of the terms. */
export function questionForMostTerms(terms: readonly QueryTerm[]): IndexQuestion {
  return { terms, atLeast: Math.ceil(terms.length / 2) };
}
