/** Reads the user's favorites. No other user can see them. */
import type { Actor } from "#core/permissions/actor.ts";
import type { Collections, SopUseDocument } from "../database/documents.ts";
import type { Database, Filter } from "../database/port.ts";

/** Finds which of these SOPs are favorites of the actor. @returns their ids */
export async function findFavoritesAmong(
  db: Database<Collections>,
  { companyId, userId }: Actor,
  sopIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (sopIds.length === 0) return new Set();
  const filter: Filter<SopUseDocument> = { userId, favorite: true, sopId: { $in: [...sopIds] } };
  const found = await db
    .forCompany(companyId)
    .collection("sop_uses")
    .find(filter, { projection: { sopId: 1 } });
  return new Set(found.map(({ sopId }) => sopId));
}

/** Loads the ids of all favorites of the actor, even of SOPs that the actor can't see anymore. */
export async function loadFavoriteIds(db: Database<Collections>, { companyId, userId }: Actor): Promise<string[]> {
  const sopUses = db.forCompany(companyId).collection("sop_uses");
  return (await sopUses.find({ userId, favorite: true }, { projection: { sopId: 1 } })).map(({ sopId }) => sopId);
}
