import type { Logger } from "pino";
import type { Collections } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import { type IndexFile } from "./index-file.ts";
import { type Vocabulary } from "./vocabulary.ts";
export interface SearchIndexesOptions {
    /** Holds `<companyId>.db`. */
    dir: string;
    db: Database<Collections>;
    log: Pick<Logger, "warn" | "error">;
    /** Milliseconds a question waits for an index that is being made; 20,000. */
    patience?: number;
    /** Events behind from which an index is made anew instead of brought up; 500. */
    rebuildFrom?: number;
}
export interface SearchIndexes {
    /** @throws AppError busy while a large index is being made */
    read<T>(companyId: string, work: (index: IndexFile) => T): Promise<T>;
    vocabulary(companyId: string): Promise<Vocabulary>;
    /** Brings up what is in use or large, and deletes what belongs to nobody any more. */
    tidy(): Promise<void>;
    /** Makes a company's index anew now. */
    rebuild(companyId: string): Promise<void>;
    close(): Promise<void>;
}
export declare function createSearchIndexes(options: SearchIndexesOptions): SearchIndexes;
