/** The user's favorites. No other user sees them. */
import type { Actor } from "#core/permissions/actor.ts";
import type { Collections } from "../database/documents.ts";
import type { Database } from "../database/port.ts";

/** Which of these SOPs the actor starred. */
export async function starredOf(
  db: Database<Collections>,
  { companyId, userId }: Actor,
  sopIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (sopIds.length === 0) return new Set();
  const stars = { userId, favorite: true, sopId: { $in: [...sopIds] } };
  const found = await db
    .forCompany(companyId)
    .collection("sop_uses")
    .find(stars, { projection: { sopId: 1 } });
  return new Set(found.map(({ sopId }) => sopId));
}

/** Everything the actor starred, in sight or not. */
export async function allStarred(db: Database<Collections>, { companyId, userId }: Actor): Promise<string[]> {
  const marks = db.forCompany(companyId).collection("sop_uses");
  return (await marks.find({ userId, favorite: true }, { projection: { sopId: 1 } })).map(({ sopId }) => sopId);
}
