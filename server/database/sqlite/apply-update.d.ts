import type { Filter, Update } from "../port.ts";
/** Changes the document in place. @returns whether anything changed */
export declare function applyUpdate(document: Record<string, unknown>, update: Update): boolean;
/** What an upsert inserts when nothing matched: the filter's equalities, then the update. */
export declare function upserted(filter: Filter, update: Update): Record<string, unknown>;
