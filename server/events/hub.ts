/**
 * Notifies open browsers of changed resources of their company: only ids, in order, with missed events after a
 * reconnection.
 */
import type { Logger } from "pino";
import type { Clock } from "#core/clock.ts";
import { resolveActor } from "#core/permissions/resolve.ts";
import type { Actor, SopFacts } from "#core/permissions/actor.ts";
import type { Collections, CompanyDocument, EventDocument, UserDocument } from "../database/documents.ts";
import type { Database, CommitWrites } from "../database/port.ts";
import type { Keyring } from "../keys/keyring.ts";
import { findValidCredentials, type StreamCredential } from "./credentials.ts";
import { loadSopFactsOfEvents, eventForActor, type EventForBrowser } from "./recipients.ts";
import { createEventPositions } from "./positions.ts";

export interface PositionedEvent extends EventForBrowser {
  position: string;
}

export interface Listener {
  companyId: string;
  userId: string;
  sessionVersion: number;
  credential: StreamCredential;
  /** The number of the last event that was checked for this listener. */
  seq: number;
  /**
   * Sends an event that the listener's user can see now. The user's permissions can have changed since the stream
   * began.
   */
  send(news: PositionedEvent): void;
  /** Tells the listener that events are lost, so that it loads all resources again. */
  reset(position: string): void;
  /** Sends an empty message, which keeps proxies from closing the connection. */
  beat(): void;
  /** Ends the stream, because the server stops or the user can no longer sign in. */
  end(): void;
}

export interface EventHub {
  /** Adds a listener at the position `since`, or at the newest event if null. @returns a function that removes it */
  join(listener: Omit<Listener, "seq">, since: string | null): Promise<() => void>;
  close(): void;
}

const batch = 200;
const heartbeatMs = 25_000;
/** Milliseconds between two checks of listeners. A check follows writes to users, sessions, tokens or companies. */
const checkEveryMs = 500;

/** Says whether a write can have ended this listener's access. */
function mayEndStream({ companyId, userId, credential }: Listener, written: CommitWrites): boolean {
  const hasWritten = (name: string, id: string) => written.has(name) && (written.get(name)?.ids.has(id) ?? true);
  return (
    hasWritten("companies", companyId) || hasWritten("users", userId) || hasWritten(credential.kind, credential.id)
  );
}

export function createEventHub(db: Database<Collections>, clock: Clock, log: Logger, keys: Keyring): EventHub {
  const positions = createEventPositions({ keys, clock });
  /** Listeners by company, so that an event is matched only against the listeners of its company. */
  const listening = new Map<string, Set<Listener>>();
  /** Companies with events to deliver, in the order in which they got their first one. */
  const woken = new Set<string>();
  /** Companies whose listeners' credentials must be checked. */
  const doubted = new Set<string>();
  let running: Promise<void> | null = null;

  const listenersOf = (companyId: string): Listener[] => [...(listening.get(companyId) ?? [])];

  function removeListener(listener: Listener): boolean {
    const { companyId } = listener;
    const left = listening.get(companyId)?.delete(listener) ?? false;
    if (listening.get(companyId)?.size === 0) listening.delete(companyId);
    return left;
  }

  function actorOf(
    { _id: userId, companyId, role, teamIds, permissions }: UserDocument,
    company: CompanyDocument,
  ): Actor {
    return resolveActor({ userId, companyId, role, teamIds, permissions }, company.settings, clock.now());
  }

  /**
   * Returns the listeners whose users can still sign in. Ends the streams of the others, because a stream lasts longer
   * than the checks of its request.
   */
  async function keepEntitledListeners(companyId: string): Promise<{ listener: Listener; actor: Actor }[]> {
    const mine = listenersOf(companyId);
    if (mine.length === 0) return [];
    const company = await db.collection("companies").findOne({ _id: companyId });
    const people = await db
      .forCompany(companyId)
      .collection("users")
      .find({ _id: { $in: [...new Set(mine.map(({ userId }) => userId))] }, status: "active" });
    const users = new Map(people.map((user) => [user._id, user]));
    const valid = await findValidCredentials(
      db,
      mine.map(({ credential }) => credential),
      clock.now(),
    );
    return mine.flatMap((listener) => {
      const user = users.get(listener.userId);
      const signedIn = user?.sessionVersion === listener.sessionVersion && valid.has(listener.credential.id);
      if (company?.status === "active" && user && signedIn) return [{ listener, actor: actorOf(user, company) }];
      if (removeListener(listener)) listener.end();
      return [];
    });
  }

  async function deliverEvents(companyId: string): Promise<void> {
    const mine = await keepEntitledListeners(companyId);
    if (mine.length === 0) return;
    const from = Math.min(...mine.map(({ listener }) => listener.seq));
    const events = await db
      .forCompany(companyId)
      .collection("events")
      .find({ seq: { $gt: from } }, { sort: { seq: 1 }, limit: batch });
    const sops = await loadSopFactsOfEvents(
      db,
      companyId,
      events,
      mine.map(({ actor }) => actor),
    );
    const placed = events.map((event) => ({ event, position: positions.write(companyId, event.seq) }));
    for (const { listener, actor } of mine) passToListener(listener, actor, placed, sops);
    if (events.length === batch) woken.add(companyId);
  }

  function passToListener(
    listener: Listener,
    actor: Actor,
    events: readonly { event: EventDocument; position: string }[],
    sops: ReadonlyMap<string, SopFacts>,
  ): void {
    const fresh = events.filter(({ event }) => event.seq > listener.seq);
    const last = fresh.at(-1);
    if (!last) return;
    const gap = last.event.seq > listener.seq + fresh.length;
    listener.seq = last.event.seq;
    if (gap) return listener.reset(last.position);
    for (const { event, position } of fresh) {
      const told = eventForActor(actor, event, sops);
      if (told) listener.send({ ...told, position });
    }
  }

  function scheduleDelivery(companies: Iterable<string>): void {
    for (const companyId of companies) if (listening.has(companyId)) woken.add(companyId);
    if (woken.size === 0) return;
    running ??= deliverScheduledEvents().finally(() => {
      running = null;
      scheduleDelivery([]);
    });
  }

  async function deliverScheduledEvents(): Promise<void> {
    for (const companyId of woken) {
      woken.delete(companyId);
      await deliverEvents(companyId).catch((error: unknown) => log.error({ err: error }, "events were not delivered"));
    }
  }

  async function sendHeartbeats(): Promise<void> {
    for (const companyId of listening.keys()) {
      for (const { listener } of await keepEntitledListeners(companyId)) listener.beat();
    }
  }

  function scheduleListenerChecks(written: CommitWrites): void {
    for (const [companyId, listeners] of listening) {
      if ([...listeners].some((listener) => mayEndStream(listener, written))) doubted.add(companyId);
    }
    if (doubted.size > 0) check.call();
  }

  async function checkScheduledListeners(): Promise<void> {
    for (const companyId of doubted) {
      doubted.delete(companyId);
      await keepEntitledListeners(companyId);
    }
  }

  /**
   * Says whether the events after `since` are still stored, by a check of the next and the newest event. After a
   * restore of a backup, `since` can be larger than the newest number. If events in between are missing, the delivery
   * notices that.
   */
  async function hasEventsSince(companyId: string, since: number, newest: number): Promise<boolean> {
    if (since >= newest) return since === newest;
    const ends = [...new Set([since + 1, newest])];
    // `find` leaves out a damaged event, which so counts as lost
    const found = await db
      .forCompany(companyId)
      .collection("events")
      .find({ seq: { $in: ends } });
    return found.length === ends.length;
  }

  const stop = db.watch(["events"], (written) =>
    scheduleDelivery(written.get("events")?.companies ?? [...listening.keys()]),
  );
  const logFailure = (error: unknown) => log.error({ err: error }, "event streams were not checked");
  const check = throttle(checkScheduledListeners, checkEveryMs, logFailure);
  const stopChecks = db.watch(["users", "sessions", "tokens", "companies"], scheduleListenerChecks);
  const timer = setInterval(() => {
    sendHeartbeats().catch(logFailure);
  }, heartbeatMs);
  timer.unref();

  return {
    async join(listener, asked) {
      const { companyId } = listener;
      const since = asked === null ? null : positions.read(companyId, asked);
      const counters = await db.collection("counters").findOne({ _id: companyId });
      const newest = counters?.eventSeq ?? 0;
      const replayed = since !== null && (await hasEventsSince(companyId, since, newest));
      const joined: Listener = { ...listener, seq: replayed ? since : newest };
      const others = listening.get(joined.companyId);
      if (others) others.add(joined);
      else listening.set(joined.companyId, new Set([joined]));
      if (asked !== null && !replayed) joined.reset(positions.write(companyId, newest));
      scheduleDelivery([joined.companyId]);
      return () => removeListener(joined);
    },
    close() {
      stop();
      stopChecks();
      check.stop();
      clearInterval(timer);
      for (const listener of [...listening.values()].flatMap((listeners) => [...listeners])) listener.end();
      listening.clear();
      woken.clear();
    },
  };
}

/**
 * Limits how often `work` runs: at most once every `everyMs`. A call while a run is scheduled has no further effect.
 */
function throttle(work: () => Promise<void>, everyMs: number, failed: (error: unknown) => void) {
  let ranAt = Number.NEGATIVE_INFINITY;
  let waiting: NodeJS.Timeout | null = null;
  return {
    call(): void {
      if (waiting) return;
      const runWork = () => {
        waiting = null;
        ranAt = performance.now();
        work().catch(failed);
      };
      waiting = setTimeout(runWork, Math.max(0, ranAt + everyMs - performance.now()));
      waiting.unref();
    },
    stop(): void {
      if (waiting) clearTimeout(waiting);
    },
  };
}
