/** The matrix as CSV, one line for each confirmation and for whoever still owes one; the export stands in the log. */
import type { Context } from "koa";
import type { SopDocument, UserDocument } from "../database/documents.ts";
import type { Origin } from "../http/call.ts";
import type { Services } from "../http/services.ts";
export declare function exportMatrix({ db, clock }: Pick<Services, "db" | "clock">, ctx: Context, sop: SopDocument, by: {
    user: UserDocument;
    origin: Origin;
}): Promise<void>;
