/**
 * Sessions in the database, keyed by the hash of the cookie. On a full disk, memory holds new sessions and remembers
 * ended ones until the database can take both. So people can sign in and read, and signed-out users stay signed out.
 */
import type { Logger } from "pino";
import { serverLimits as memory } from "../capacity/resources.ts";
import type { Collections, SessionDocument } from "../database/documents.ts";
import { createPostponedWrites, ignoreFullDisk } from "../database/postponed.ts";
import { DamagedDocumentError, StorageFullError, type Database } from "../database/port.ts";

export interface SessionStore {
  /** Null for one that was ended or never began. Expired ones are the caller's to refuse. */
  read(id: string): Promise<SessionDocument | null>;
  start(session: SessionDocument): Promise<void>;
  end(id: string): Promise<void>;
  /** Keeps "last seen" and proofs; lost while the disk is full. */
  touch(id: string, seen: Partial<Pick<SessionDocument, "lastSeenAt" | "expiresAt" | "proofs">>): Promise<void>;
  /** A user's sessions that only memory has. */
  held(userId: string): SessionDocument[];
  /** Ends those, except one. */
  endHeld(userId: string, except?: string): void;
  /** Of these ids, those that only memory has. */
  heldAmong(ids: readonly string[]): string[];
  /** Stores what memory holds, as far as there is space. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const sessionsPerUser = 20;

/** Its user signs in again, and gets a new one. */
function asEnded(error: unknown): null {
  if (error instanceof DamagedDocumentError) return null;
  throw error;
}

export function createSessionStore(db: Pick<Database<Collections>, "collection">, log: Pick<Logger, "error">) {
  const stored = db.collection("sessions");
  const waiting = createPostponedWrites(log, memory.sessions.atMost);
  const held = new Map<string, SessionDocument>();
  const ended = new Set<string>();
  const ofUser = (userId: string) => [...held.values()].filter((session) => session.userId === userId);

  async function dropOldest(userId: string): Promise<void> {
    const own = await stored.find({ userId }, { sort: { createdAt: -1 }, skip: sessionsPerUser, limit: 100 });
    for (const old of own) await stored.deleteOne({ _id: old._id });
  }

  function hold(session: SessionDocument): void {
    waiting.keep({
      about: { userId: session.userId, what: "session" },
      async run() {
        if (!held.has(session._id)) return;
        await stored.insertOne(held.get(session._id) ?? session);
        // ended while it was written
        if (!held.delete(session._id)) await stored.deleteOne({ _id: session._id });
        await dropOldest(session.userId);
      },
    });
    held.set(session._id, session);
    for (const old of ofUser(session.userId).slice(0, -sessionsPerUser)) held.delete(old._id);
  }

  const store: SessionStore = {
    async read(id) {
      if (ended.has(id)) return null;
      return held.get(id) ?? (await stored.findOne({ _id: id }).catch(asEnded));
    },
    async start(session) {
      try {
        await stored.insertOne(session);
      } catch (error) {
        if (!(error instanceof StorageFullError)) throw error;
        return hold(session);
      }
      await dropOldest(session.userId).catch(ignoreFullDisk);
    },
    async end(id) {
      held.delete(id);
      try {
        await stored.deleteOne({ _id: id });
      } catch (error) {
        if (!(error instanceof StorageFullError)) throw error;
        const run = async () => {
          await stored.deleteOne({ _id: id });
          ended.delete(id);
        };
        waiting.keep({ about: { what: "end of a session" }, run });
        ended.add(id);
      }
    },
    async touch(id, seen) {
      const session = held.get(id);
      if (session) held.set(id, { ...session, ...seen });
      else await stored.updateOne({ _id: id }, { $set: seen }).catch(ignoreFullDisk);
    },
    held: ofUser,
    endHeld(userId, except) {
      for (const { _id } of ofUser(userId)) if (_id !== except) held.delete(_id);
    },
    heldAmong: (ids) => ids.filter((id) => held.has(id)),
    flush: () => waiting.flush(),
    close: () => waiting.close(),
  };
  return store;
}
