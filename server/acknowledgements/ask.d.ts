import type { AcknowledgementAsk } from "#core/acknowledgements/schema.ts";
import type { SopDocument } from "../database/documents.ts";
import type { Services } from "../http/services.ts";
import { type Signed } from "../permissions/effect.ts";
/** @returns the SOP that asks @throws AppError not_found, forbidden, invalid_input for people and teams nobody knows */
export declare function askReaders({ db, clock }: Pick<Services, "db" | "clock">, call: Signed, sopId: string, asked: AcknowledgementAsk): Promise<SopDocument>;
