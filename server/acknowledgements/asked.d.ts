import type { Actor } from "#core/access/actor.ts";
import { type Run } from "#core/acknowledgements/rules.ts";
import type { AcknowledgementAskDocument, Collections, SopDocument, UserDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
export type Tx = Transaction<Collections>;
export declare function asksOf(store: Tx, companyId: string): import("../database/port.ts").Collection<AcknowledgementAskDocument>;
/** Of each SOP with a version in force, what is to be confirmed now. */
export declare function runsOf(store: Tx, companyId: string, sops: readonly Pick<SopDocument, "_id" | "hasForce">[]): Promise<Map<string, Run>>;
/** Somebody who is asked: he is in the audience, active, and sees the SOP. */
export interface Reader {
    user: UserDocument;
    actor: Actor;
    /** Since when he is asked, whatever is in force: ISO time. */
    since: string;
}
/** `<user> <team>` → since when he is a member. */
type Joined = ReadonlyMap<string, string>;
export declare function joinedOf(store: Tx, companyId: string, filter: {
    userId?: string;
    teamId?: {
        $in: string[];
    };
}): Promise<{
    joined: Joined;
    userIds: string[];
}>;
export declare function readersOf(store: Tx, ask: AcknowledgementAskDocument, sop: SopDocument, now: string): Promise<Reader[]>;
/** Whoever is asked in several ways is asked since the first of them. @returns null for who is not asked */
export declare function askedSince({ audience, since }: Pick<AcknowledgementAskDocument, "audience" | "since">, user: Pick<UserDocument, "_id" | "teamIds" | "createdAt">, joined: Joined): string | null;
export declare function later(one: string, other: string): string;
export {};
