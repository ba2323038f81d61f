import type { Collections } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import { type Position, type RowText, type Wanted, type WantedRow } from "./index-file.ts";
export interface Source {
    /** The newest event of the ledger. */
    end(): Promise<Position>;
    eventId(seq: number): Promise<string | null>;
    /** Which SOPs the events after this one are about, and how far that is. */
    changes(after: number, limit: number): Promise<{
        sopIds: string[];
        position: Position | null;
    }>;
    wanted(sopIds: readonly string[]): Promise<WantedSops>;
    /** All SOPs with a number above this one, in order; null after the last. */
    page(after: number, limit: number): Promise<(WantedSops & {
        last: number;
    }) | null>;
    texts(rows: readonly WantedRow[], numbers: ReadonlyMap<string, number>): Promise<RowText[]>;
}
export interface WantedSops {
    wanted: Wanted[];
    /** SOP id → its number. */
    numbers: ReadonlyMap<string, number>;
}
export declare function sourceOf(db: Database<Collections>, companyId: string): Source;
