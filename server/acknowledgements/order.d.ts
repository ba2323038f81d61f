/** People are told after the write that put a version in force: thousands of readers must not hold it up. */
import type { SopDocument } from "../database/documents.ts";
import { type Tx } from "./asked.ts";
export declare const noticesKind = "acknowledgements";
/** In the transaction of the change. @returns whether one of these SOPs asks its readers to confirm */
export declare function orderNotices(tx: Tx, companyId: string, sopIds: readonly string[], at: string): Promise<boolean>;
/** The SOPs of which another version is in force after a write, or none any more. */
export declare function whereForceMoved(writes: readonly {
    before: SopDocument | null;
    steps: readonly {
        sop: SopDocument;
    }[];
}[]): string[];
