/** A question's answers, best first: those with all of its words, then those with most of them; slips corrected if need be. */
import type { Actor } from "#core/access/actor.ts";
import { type Query, type QueryTerm } from "#core/search/query.ts";
import { type SearchQuery } from "#core/search/schema.ts";
import type { Services } from "../http/services.ts";
import type { ListedSop } from "../sops/list.ts";
import { type Asking } from "./correct.ts";
export interface Hit extends ListedSop {
    score: number;
}
export interface Findings {
    query: Query;
    /** The terms that were looked for, and instead of which of the asked ones. */
    terms: readonly QueryTerm[];
    corrections: ReadonlyMap<QueryTerm, QueryTerm>;
    /** At most as many as were wanted. */
    hits: readonly Hit[];
}
export interface FindOptions {
    /** Hits wanted from the first on. */
    wanted: number;
    synonyms?: readonly (readonly string[])[];
}
export declare function find(services: Pick<Services, "db" | "clock" | "search">, actor: Actor, query: Omit<SearchQuery, "limit">, { wanted, synonyms }: FindOptions): Promise<Findings>;
/** @param wanted hits from the first on; the order of the first ones does not depend on it */
export declare function answer(asking: Asking, asked: Query, wanted: number): Promise<Findings>;
