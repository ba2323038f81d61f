/** Edit screens come and go: stored until their word ends, and told to the browsers of those who see the draft. */
import { type PresenceState } from "#core/presence/rules.ts";
import type { PresenceDocument, SopDocument } from "../database/documents.ts";
import type { Services } from "../http/services.ts";
type Needs = Pick<Services, "db" | "clock">;
/** One edit screen: whose, of which SOP. */
export type Tab = Pick<PresenceDocument, "_id" | "companyId" | "sopId" | "userId" | "tab" | "sessionId">;
export declare function tabOf(sop: SopDocument, userId: string, tab: string, sessionId: string): Tab;
/** Opened, or still there; who was told of it is told no second time. */
export declare function keepTab({ db, clock }: Needs, { _id, companyId, ...tab }: Tab, state: Exclude<PresenceState, "gone">): Promise<void>;
/** @param asKnown leaves alone what was renewed since */
export declare function endTab({ db, clock }: Needs, tab: Tab, asKnown?: Pick<PresenceDocument, "expiresAt">): Promise<void>;
export {};
