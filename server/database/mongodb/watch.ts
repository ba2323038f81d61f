/**
 * Notifies watchers of changes, by a single change stream for the whole database. Without a stream, reports a possible
 * change every two seconds.
 */
import { setTimeout as delay } from "node:timers/promises";
// oxlint-disable-next-line no-restricted-imports -- the engine itself
import type { ChangeStream, Db } from "mongodb";
import type { CommitWrites, WrittenDocuments } from "../port.ts";

const pollMs = 2000;

interface Watcher {
  names: ReadonlySet<string>;
  changed(written: CommitWrites): void;
}

export interface ChangeSignal {
  /**
   * Watches collections. Also calls `changed` once when the stream starts, for earlier writes.
   * @returns a function that stops watching
   */
  watch(names: readonly string[], changed: Watcher["changed"]): () => void;
  stop(): Promise<void>;
}

interface ChangeEvent {
  ns?: { coll?: string };
  documentKey?: { _id?: string };
  /** The company of an added document; absent for other changes. */
  companyId?: string;
}

function writtenDocumentsOf({ documentKey, companyId }: ChangeEvent): WrittenDocuments | null {
  if (documentKey?._id === undefined) return null;
  return { ids: new Set([documentKey._id]), companies: new Set(companyId === undefined ? [] : [companyId]) };
}

const anyWriteIn = (names: ReadonlySet<string>): CommitWrites => new Map([...names].map((name) => [name, null]));

export function createChangeSignal(database: Db): ChangeSignal {
  const watchers = new Set<Watcher>();
  const stopping = new AbortController();
  let stream: ChangeStream | undefined;
  let followed: ReadonlySet<string> = new Set();
  let isFollowing = false;

  const isFollowed = ({ names }: Watcher): boolean => [...names].every((name) => followed.has(name));
  const reportWrites = (written: CommitWrites): void => {
    for (const watcher of watchers) {
      const watched = new Map([...written].filter(([name]) => watcher.names.has(name)));
      if (watched.size > 0 && !stopping.signal.aborted) watcher.changed(watched);
    }
  };
  const followChanges = async (): Promise<void> => {
    followed = new Set([...watchers].flatMap(({ names }) => [...names]));
    stream = database.watch([
      { $match: { "ns.coll": { $in: [...followed] } } },
      { $project: { ns: 1, operationType: 1, documentKey: 1, companyId: "$fullDocument.companyId" } },
    ]);
    await stream.tryNext();
    // documents may have been written before the stream started
    reportWrites(anyWriteIn(followed));
    while (!stopping.signal.aborted) {
      const event = (await stream.next()) as ChangeEvent;
      if (event.ns?.coll !== undefined) reportWrites(new Map([[event.ns.coll, writtenDocumentsOf(event)]]));
    }
  };
  const keepFollowingChanges = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await followChanges().catch(() => undefined);
      await stream?.close().catch(() => undefined);
      if (![...watchers].every(isFollowed)) continue;
      reportWrites(anyWriteIn(followed));
      await delay(pollMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };

  return {
    watch(names, changed) {
      const watcher = { names: new Set(names), changed };
      watchers.add(watcher);
      // start the stream after all watchers of this moment are added; a later watcher of other collections restarts it
      if (!isFollowing) setImmediate(() => void keepFollowingChanges());
      else if (!isFollowed(watcher)) void stream?.close().catch(() => undefined);
      else setImmediate(() => watchers.has(watcher) && !stopping.signal.aborted && changed(anyWriteIn(watcher.names)));
      isFollowing = true;
      return () => void watchers.delete(watcher);
    },
    async stop() {
      stopping.abort();
      watchers.clear();
      await stream?.close().catch(() => undefined);
    },
  };
}
