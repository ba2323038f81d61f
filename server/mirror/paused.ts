/**
 * Pauses mirrors after a restore: two installations with the same data would push to the same remotes and stop each
 * other's mirrors. An administrator of the company resumes a mirror, or the operator resumes all with the restore.
 */
import type { Collections } from "../database/documents.ts";
import type { Store } from "../database/port.ts";

type CollectionSource = Pick<Store<Collections>, "collection">;

/** The id of the entry in `system`. Backups don't contain it. */
export const pausedMirrorsId = "paused-mirrors";

/** Loads the ids of the companies whose mirrors are paused. */
export async function loadPausedMirrorIds(db: CollectionSource): Promise<Set<string>> {
  const [stored] = await db.collection("system").find({ _id: pausedMirrorsId }, { limit: 1 });
  return new Set(stored ? (JSON.parse(stored.value) as string[]) : []);
}

/** Pauses the mirrors of all companies. Call it once, after a restore. */
export async function pauseAllMirrors(db: CollectionSource, at: string): Promise<void> {
  const ids = (await db.collection("mirrors").find({}, { projection: { url: 1 } })).map(({ _id }) => _id);
  if (ids.length > 0) await db.collection("system").insertOne({ _id: pausedMirrorsId, value: JSON.stringify(ids), at });
}

/** Lets the mirror of a company run again. Does nothing if the mirror isn't paused. */
export async function resumeMirror(db: CollectionSource, companyId: string, at: string): Promise<void> {
  const paused = await loadPausedMirrorIds(db);
  if (!paused.delete(companyId)) return;
  const change = { value: JSON.stringify([...paused]), at };
  await db.collection("system").updateOne({ _id: pausedMirrorsId }, { $set: change });
}
