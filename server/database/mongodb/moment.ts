/** Reads MongoDB as it is at a single moment (cluster time). */
// oxlint-disable-next-line no-restricted-imports -- the engine itself
import type { ClientSession, Db, MongoClient } from "mongodb";

/**
 * The way to read a single moment: in a snapshot session, which ends after five minutes, or, with servers that lack
 * such sessions, in a transaction, which ends after a minute.
 */
export type SnapshotKind = "session" | "transaction";

/**
 * The read concern with which a session reads a single moment. With the client's default `majority`, each read could
 * see another moment.
 */
export const snapshotConcern = { level: "snapshot" } as const;

export async function readMongoSnapshot<T>(
  client: MongoClient,
  database: Db,
  moments: SnapshotKind,
  read: (session: ClientSession) => Promise<T>,
): Promise<T> {
  // the first read sets the moment
  const beginSnapshot = (session: ClientSession) =>
    database.collection("system", { readConcern: snapshotConcern }).findOne({}, { session });
  if (moments === "session")
    return client.withSession({ snapshot: true }, async (session) => {
      await beginSnapshot(session);
      return read(session);
    });
  return client.withSession(async (session) => {
    session.startTransaction({ readConcern: snapshotConcern, readPreference: "primary" });
    try {
      await beginSnapshot(session);
      return await read(session);
    } finally {
      await session.abortTransaction().catch(() => undefined);
    }
  });
}

export function refuseWrites(): never {
  throw new Error("a snapshot is for reading only");
}
