/** Stores sessions in the database, by the hash of the cookie. */
import type { Collections, SessionDocument } from "../database/documents.ts";
import { DamagedDocumentError, type Database } from "../database/port.ts";

export interface SessionStore {
  /** Returns the session; null if it has ended or never existed. Callers must refuse expired sessions. */
  read(id: string): Promise<SessionDocument | null>;
  start(session: SessionDocument): Promise<void>;
  end(id: string): Promise<void>;
  /** Stores the time of the last request and the proofs. */
  touch(id: string, seen: Partial<Pick<SessionDocument, "lastSeenAt" | "expiresAt" | "proofs">>): Promise<void>;
}

const sessionsPerUser = 20;

/**
 * Turns the error of a damaged session into null, so that the session counts as ended. Its user signs in again and gets
 * a new session.
 */
function nullIfDamaged(error: unknown): null {
  if (error instanceof DamagedDocumentError) return null;
  throw error;
}

export function createSessionStore(db: Pick<Database<Collections>, "collection">): SessionStore {
  const stored = db.collection("sessions");
  return {
    read: (id) => stored.findOne({ _id: id }).catch(nullIfDamaged),
    async start(session) {
      await stored.insertOne(session);
      const own = { userId: session.userId };
      const oldest = await stored.find(own, { sort: { createdAt: -1 }, skip: sessionsPerUser, limit: 100 });
      for (const { _id } of oldest) await stored.deleteOne({ _id });
    },
    async end(id) {
      await stored.deleteOne({ _id: id });
    },
    async touch(id, seen) {
      await stored.updateOne({ _id: id }, { $set: seen });
    },
  };
}
