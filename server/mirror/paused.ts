/**
 * Pauses mirrors after a restore: two installations with the same data would push to the same remotes and stop each
 * other's mirrors. An administrator of the company resumes a mirror, or the operator resumes all with the restore.
 */
import type { Collections } from "../database/documents.ts";
import type { Store } from "../database/port.ts";

type CollectionSource = Pick<Store<Collections>, "collection">;

/** The id of the entry in `system`. Backups don't contain it. */
export const pausedId = "paused-mirrors";

/** Reads the ids of the companies whose mirrors are paused. */
export async function pausedMirrors(db: CollectionSource): Promise<Set<string>> {
  const [stored] = await db.collection("system").find({ _id: pausedId }, { limit: 1 });
  return new Set(stored ? (JSON.parse(stored.value) as string[]) : []);
}

export async function pauseMirrors(db: CollectionSource, at: string): Promise<void> {
  const ids = (await db.collection("mirrors").find({}, { projection: { url: 1 } })).map(({ _id }) => _id);
  if (ids.length > 0) await db.collection("system").insertOne({ _id: pausedId, value: JSON.stringify(ids), at });
}

export async function resumeMirror(db: CollectionSource, companyId: string, at: string): Promise<void> {
  const paused = await pausedMirrors(db);
  if (!paused.delete(companyId)) return;
  const change = { value: JSON.stringify([...paused]), at };
  await db.collection("system").updateOne({ _id: pausedId }, { $set: change });
}
