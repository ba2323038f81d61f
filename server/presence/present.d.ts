/** Who is editing an SOP, as one of its readers may know it now. */
import type { Actor } from "#core/access/actor.ts";
import type { Presence } from "#core/presence/schemas.ts";
import type { PresenceDocument, SopDocument } from "../database/documents.ts";
import type { Services } from "../http/services.ts";
type Needs = Pick<Services, "db" | "clock">;
export declare function presentPresence({ db, clock }: Needs, actor: Actor, sop: SopDocument): Promise<Presence>;
/** The sessions among these that somebody is still signed in by. */
export declare function standingIn({ db }: Pick<Needs, "db">, presences: readonly Pick<PresenceDocument, "sessionId">[], now: string): Promise<Set<string>>;
export {};
