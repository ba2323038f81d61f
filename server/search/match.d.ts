import type { QueryTerm } from "#core/search/query.ts";
/** Documents with all of the terms. */
export declare function allOf(terms: readonly QueryTerm[]): string;
export declare function anyOf(terms: readonly QueryTerm[]): string;
/** Documents with at least half of the terms. */
export declare function mostOf(terms: readonly QueryTerm[]): string;
