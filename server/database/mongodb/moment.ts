/** Reads the database at a single cluster time. */
// oxlint-disable-next-line no-restricted-imports -- the engine itself
import type { ClientSession, Db, MongoClient } from "mongodb";

/**
 * The way to read one moment. `transaction` is for servers without snapshot sessions, and ends after a minute. A session
 * ends after five minutes.
 */
export type SnapshotKind = "session" | "transaction";

/** The read concern to use with a session. The client's `majority` has no cluster time. */
export const momentConcern = { level: "snapshot" } as const;

export async function readMongoSnapshot<T>(
  client: MongoClient,
  database: Db,
  moments: SnapshotKind,
  read: (session: ClientSession) => Promise<T>,
): Promise<T> {
  // the first read sets the cluster time
  const beginSnapshot = (session: ClientSession) =>
    database.collection("system", { readConcern: momentConcern }).findOne({}, { session });
  if (moments === "session")
    return client.withSession({ snapshot: true }, async (session) => {
      await beginSnapshot(session);
      return read(session);
    });
  return client.withSession(async (session) => {
    session.startTransaction({ readConcern: momentConcern, readPreference: "primary" });
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
