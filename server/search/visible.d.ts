/** Of what the index found, what the asker may see and asked for: the database decides, before anything is counted. */
import type { Actor } from "#core/access/actor.ts";
import type { Clock } from "#core/clock.ts";
import type { SearchQuery } from "#core/search/schema.ts";
import type { Collections } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import { type ListedSop } from "../sops/list.ts";
import type { WantedRow } from "./index-file.ts";
export type Narrowing = Pick<SearchQuery, "category" | "status" | "time" | "template" | "mine" | "favorite" | "review">;
/** SOP id → what the asker sees of it, of those among the rows that show him the version the index found. */
export type SeenAmong = (rows: readonly WantedRow[]) => Promise<ReadonlyMap<string, ListedSop>>;
export declare function seenBy({ db, clock }: {
    db: Database<Collections>;
    clock: Clock;
}, actor: Actor, query: Narrowing): Promise<SeenAmong>;
