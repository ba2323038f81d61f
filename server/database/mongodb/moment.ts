/** One moment of the database, at one cluster time. */
// oxlint-disable-next-line no-restricted-imports -- the engine itself
import type { ClientSession, Db, MongoClient } from "mongodb";

/** `transaction` is for servers without snapshot sessions. It ends after a minute; a session after five. */
export type Moments = "session" | "transaction";

/** Beside a session. The concern of the client, `majority`, knows no cluster time. */
export const momentConcern = { level: "snapshot" } as const;

export async function readMoment<T>(
  client: MongoClient,
  database: Db,
  moments: Moments,
  read: (session: ClientSession) => Promise<T>,
): Promise<T> {
  // the moment is that of the first read
  const begin = (session: ClientSession) =>
    database.collection("system", { readConcern: momentConcern }).findOne({}, { session });
  if (moments === "session")
    return client.withSession({ snapshot: true }, async (session) => {
      await begin(session);
      return read(session);
    });
  return client.withSession(async (session) => {
    session.startTransaction({ readConcern: momentConcern, readPreference: "primary" });
    try {
      await begin(session);
      return await read(session);
    } finally {
      await session.abortTransaction().catch(() => undefined);
    }
  });
}

export function refuseWrites(): never {
  throw new Error("a snapshot is for reading only");
}
