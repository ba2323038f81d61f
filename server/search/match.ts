/** Builds questions by how many of the terms a text must have. */
import type { QueryTerm } from "#core/search/query.ts";
import type { Question } from "./ranking.ts";

export function allOf(terms: readonly QueryTerm[]): Question {
  return { terms, atLeast: terms.length };
}

export function anyOf(terms: readonly QueryTerm[]): Question {
  return { terms, atLeast: 1 };
}

/** A question that wants at least half of the terms. */
export function mostOf(terms: readonly QueryTerm[]): Question {
  return { terms, atLeast: Math.ceil(terms.length / 2) };
}
