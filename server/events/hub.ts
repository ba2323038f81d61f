/** Notifies open browsers of changed resources: only ids, only of their company, in order, with replay after a gap. */
import type { Logger } from "pino";
import type { Clock } from "#core/clock.ts";
import type { Collections, CompanyDocument, EventDocument, UserDocument } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import { throttle } from "./throttle.ts";
import type { SessionStore } from "../http/session-store.ts";
import { validCredentials, type Credential } from "./credentials.ts";

export interface Recipient {
  user: UserDocument;
  company: CompanyDocument;
}

export interface Listener {
  companyId: string;
  userId: string;
  sessionVersion: number;
  credential: Credential;
  /** The last event this listener has. */
  seq: number;
  /** Comes with the listener's present rights, which can have changed since the start. */
  send(events: readonly EventDocument[], recipient: Recipient): void;
  /** Events between the listener's last one and the oldest stored one are lost, so anything may have changed. */
  reset(seq: number): void;
  /** Nothing happened: keeps proxies from closing the connection. */
  beat(): void;
  /** The server stops, or its user may no longer sign in. */
  end(): void;
}

export interface EventHub {
  /** Joins at `since`, or at the newest event when null. @returns leave */
  join(listener: Omit<Listener, "seq">, since: number | null): Promise<() => void>;
  close(): void;
}

const batch = 200;
const heartbeatMs = 25_000;
/** After a write to people, sessions, tokens or companies, listeners are checked again, at most this often. */
const checkEveryMs = 500;

export function createEventHub(
  db: Database<Collections>,
  clock: Clock,
  log: Logger,
  sessions: Pick<SessionStore, "heldAmong">,
): EventHub {
  const listeners = new Set<Listener>();
  let running: Promise<void> | null = null;
  let again = false;

  const companiesListening = () => new Set([...listeners].map((listener) => listener.companyId));

  /** A stream outlives its request's checks, so this ends streams of users who can't sign in anymore. */
  async function entitled(companyId: string): Promise<{ listener: Listener; who: Recipient }[]> {
    const mine = [...listeners].filter((listener) => listener.companyId === companyId);
    const company = await db.collection("companies").findOne({ _id: companyId });
    const people = await db
      .forCompany(companyId)
      .collection("users")
      .find({ _id: { $in: [...new Set(mine.map(({ userId }) => userId))] }, status: "active" });
    const users = new Map(people.map((user) => [user._id, user]));
    const valid = await validCredentials(
      db,
      mine.map(({ credential }) => credential),
      clock.now(),
    );
    for (const id of sessions.heldAmong(mine.map(({ credential }) => credential.id))) valid.add(id);
    return mine.flatMap((listener) => {
      const user = users.get(listener.userId);
      const signedIn = user?.sessionVersion === listener.sessionVersion && valid.has(listener.credential.id);
      if (company?.status === "active" && user && signedIn) return [{ listener, who: { user, company } }];
      if (listeners.delete(listener)) listener.end();
      return [];
    });
  }

  async function deliver(): Promise<void> {
    for (const companyId of companiesListening()) {
      const mine = await entitled(companyId);
      if (mine.length === 0) continue;
      const from = Math.min(...mine.map(({ listener }) => listener.seq));
      const events = await db
        .forCompany(companyId)
        .collection("events")
        .find({ seq: { $gt: from } }, { sort: { seq: 1 }, limit: batch });
      for (const { listener, who } of mine) pass(listener, who, events);
      if (events.length === batch) again = true;
    }
  }

  function pass(listener: Listener, who: Recipient, events: readonly EventDocument[]): void {
    const fresh = events.filter(({ seq }) => seq > listener.seq);
    const [first, last] = [fresh[0], fresh.at(-1)];
    if (!first || !last) return;
    const gap = first.seq > listener.seq + 1;
    listener.seq = last.seq;
    if (gap) listener.reset(last.seq);
    else listener.send(fresh, who);
  }

  function wake(): void {
    if (listeners.size === 0) return;
    if (running) {
      again = true;
      return;
    }
    running = deliver()
      .catch((error: unknown) => log.error({ err: error }, "events were not delivered"))
      .finally(() => {
        running = null;
        if (again) {
          again = false;
          wake();
        }
      });
  }

  async function beat(): Promise<void> {
    for (const companyId of companiesListening()) {
      for (const { listener } of await entitled(companyId)) listener.beat();
    }
  }

  /** Are all events after this one still stored? After a restore, an unknown id says nothing. */
  async function isKept(companyId: string, since: number, newest: number): Promise<boolean> {
    if (since >= newest) return since === newest;
    const next = await db
      .forCompany(companyId)
      .collection("events")
      .findOne({ seq: since + 1 });
    return next !== null;
  }

  const stop = db.watch(["events"], wake);
  const failed = (error: unknown) => log.error({ err: error }, "event streams were not checked");
  const check = throttle(
    async () => {
      for (const companyId of companiesListening()) await entitled(companyId);
    },
    checkEveryMs,
    failed,
  );
  const stopChecks = db.watch(["users", "sessions", "tokens", "companies"], check.call);
  const timer = setInterval(() => {
    beat().catch(failed);
  }, heartbeatMs);
  timer.unref();

  return {
    async join(listener, since) {
      const counters = await db.collection("counters").findOne({ _id: listener.companyId });
      const newest = counters?.eventSeq ?? 0;
      const replayed = since !== null && (await isKept(listener.companyId, since, newest));
      const joined: Listener = { ...listener, seq: replayed ? since : newest };
      listeners.add(joined);
      if (since !== null && !replayed) joined.reset(newest);
      wake();
      return () => listeners.delete(joined);
    },
    close() {
      stop();
      stopChecks();
      check.stop();
      clearInterval(timer);
      for (const listener of listeners) listener.end();
      listeners.clear();
    },
  };
}
