/** Who has confirmed what is in force, who owes it, and who confirmed once. */
import { type Run } from "#core/acknowledgements/rules.ts";
import type { AcknowledgementPerson, AcknowledgementQuery } from "#core/acknowledgements/schema.ts";
import type { AcknowledgementAskDocument, AcknowledgementDocument, SopDocument } from "../database/documents.ts";
import { type Tx } from "./asked.ts";
export interface Matrix {
    ask: AcknowledgementAskDocument | null;
    run: Run | null;
    /** Overdue first, then by name. */
    people: AcknowledgementPerson[];
    /** All of everybody's, newest version first. */
    confirmations: AcknowledgementDocument[];
}
export declare function matrixOf(store: Tx, sop: SopDocument, now: string): Promise<Matrix>;
type Standing = Pick<AcknowledgementPerson, "state" | "dueBy" | "confirmed">;
/** Of somebody who is asked. @param since when he was */
export declare function standing(ask: Pick<AcknowledgementAskDocument, "dueDays"> | null, run: Run | null, since: string, latest: Pick<AcknowledgementDocument, "version" | "at"> | null, now: string): Standing;
/** One page of those the query asks for; a cursor is the place of the last one shown. */
export declare function pageOf(people: readonly AcknowledgementPerson[], { state, search, limit, cursor }: Pick<AcknowledgementQuery, "state" | "search" | "limit" | "cursor">): {
    people: AcknowledgementPerson[];
    nextCursor?: string;
};
export declare function countsOf(people: readonly AcknowledgementPerson[]): {
    asked: number;
    confirmed: number;
    overdue: number;
};
export {};
