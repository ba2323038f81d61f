/** Keeps the members of a deleted team in the audience by their own ids, because they still have to confirm. */
import type { AcknowledgementAskDocument, TeamMemberDocument } from "../database/documents.ts";
import { acknowledgementAskCollection, laterTime, type Tx } from "./audience.ts";

type TeamMemberSince = Pick<TeamMemberDocument, "userId" | "joinedAt">;
type AudienceSince = AcknowledgementAskDocument["since"];

/**
 * Replaces a team in all audiences by its members. Call in the transaction that deletes the team.
 * @param members the members before the deletion
 */
export async function keepMembersInAudience(
  tx: Tx,
  companyId: string,
  teamId: string,
  members: readonly TeamMemberSince[],
): Promise<void> {
  const asks = acknowledgementAskCollection(tx, companyId);
  for (const ask of await asks.find({ audience: `team:${teamId}` })) {
    const since = replaceTeamByMembers(ask.since, `team:${teamId}`, members);
    const audience = Object.keys(since);
    if (audience.length === 0) await asks.deleteOne({ _id: ask._id });
    else await asks.updateOne({ _id: ask._id }, { $set: { audience, since } });
  }
}

/**
 * Returns the start times with each member in place of the team. Due days don't change: each member gets the start time
 * as a member of the team, or keeps an earlier one.
 */
function replaceTeamByMembers(since: AudienceSince, team: string, members: readonly TeamMemberSince[]): AudienceSince {
  const left = { ...since };
  delete left[team];
  for (const { userId, joinedAt } of members) {
    const [key, asMember] = [`user:${userId}`, laterTime(since[team] ?? joinedAt, joinedAt)];
    const before = left[key];
    left[key] = before !== undefined && before < asMember ? before : asMember;
  }
  return left;
}
