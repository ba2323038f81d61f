/**
 * Manages all companies' search indexes on this server. An answer includes everything that was committed before its
 * query. The index follows the ledger on demand, and soon after each commit while it is in use.
 */
import { waitRefusals } from "#core/wait-refusals.ts";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "pino";
import type { Actor } from "#core/permissions/actor.ts";
import { AppError } from "#core/errors.ts";
import type { Query, QueryTerm } from "#core/search/query.ts";
import { createKeyedQueue } from "../capacity/keyed-queue.ts";
import { createFairQueue, type QueueLimits } from "../capacity/fair-queue.ts";
import { serverLimits, resources } from "../capacity/resources.ts";
import type { Collections } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import { copyIndex, readIndexPosition, type LedgerPosition, type IndexedVersionRow } from "./index-file.ts";
import type { IndexQuestion } from "./ranking.ts";
import { searchCopyKey, createIndexMaker, largeFromSops, replaceRows, type ReadyIndex } from "./make-index.ts";
import { deleteIndexFiles } from "./rebuild.ts";
import type { NearestWord } from "./word-lists.ts";
import type { HitExcerpt } from "./shown-hit.ts";
import { loadReadScope, type SopVersion } from "./read-scope.ts";
import { createSearchSource, type SearchSource } from "./source.ts";
import type { IndexMatch, ExcerptRange } from "./tasks.ts";
import { createSearchThread, DamagedIndexError } from "./thread.ts";
import { isUnwritable, UnwritableIndexError } from "./unwritable.ts";
import type { CopiedCache } from "../snapshots/job.ts";
import type { Snapshots } from "../snapshots/store.ts";
import { refusals } from "./refusals.ts";

export interface SearchIndexesOptions {
  /** The folder with `<companyId>.db`. */
  dir: string;
  db: Database<Collections>;
  log: Pick<Logger, "warn" | "error">;
  /** The copies that other servers offer, as a start for new indexes. */
  snapshots?: Pick<Snapshots, "take"> | null;
  /** Milliseconds that a query waits for an index that is being built; 10,000. */
  patience?: number;
  /** The number of missing events from which an index is rebuilt instead of updated; 500. */
  rebuildFrom?: number;
  /** The maximum numbers of queries that are answered at once and that wait. */
  bounds?: QueueLimits;
}

/** A company's index as an actor can read it. */
export interface IndexReader {
  /** Finds the best rows after the first `offset`, best first. */
  bestRows(
    question: IndexQuestion,
    page: { offset: number; limit: number; shown?: ExcerptRange | undefined },
  ): Promise<IndexMatch[]>;
  /** Finds all matching rows; null if there are more than `atMost`. */
  matchingRows(question: IndexQuestion, atMost?: number): Promise<IndexedVersionRow[] | null>;
  /** Finds words near `word`, nearest first. With `isBegun`, beginnings of words count too. */
  nearWords(word: string, isBegun: boolean): Promise<NearestWord[]>;
  /** Reads the excerpts of these rows, which the actor can read; null for a deleted row. */
  readExcerpts(rows: readonly SopVersion[], terms: readonly QueryTerm[]): Promise<(HitExcerpt | null)[]>;
  /** Returns the query with these corrections, each in the spelling of this row's text. */
  spellQuery(row: SopVersion, query: Query, corrections: ReadonlyMap<QueryTerm, QueryTerm>): Promise<string>;
}

export interface SearchIndexes {
  /**
   * Runs `work` on an index that includes everything that was committed before the call.
   * @throws AppError `busy` during the build of a large index or after too long a wait, `rate_limited` if too many
   * queries of this user or company wait
   */
  ask<T>(actor: Actor, work: (reading: IndexReader) => Promise<T>): Promise<T>;
  /** True if the index lacks the last changes because its file can't be written. */
  isBehind(companyId: string): boolean;
  /** Returns the numbers of open indexes, of indexes that are behind, and of running and waiting queries. */
  load(): { open: number; behind: number; running: number; waiting: number };
  /**
   * Updates the indexes on this server, and deletes those of deleted companies. On the embedded engine, also builds
   * missing indexes of large companies.
   */
  tidy(): Promise<void>;
  cache: CopiedCache;
  close(): Promise<void>;
}

const eventsAtOnce = 20;
const ledger = ["repo_events"] as const;

function emptyIfUnwritable(error: unknown): string[] {
  if (!isUnwritable(error)) throw error;
  return [];
}

export function createSearchIndexes(options: SearchIndexesOptions): SearchIndexes {
  const { dir, db, log, snapshots = null, patience = 10_000, rebuildFrom = 500, bounds = resources.search } = options;
  const followed = new Map<string, ReadyIndex>();
  /** The time of each index's last answer, in milliseconds since 1970. */
  const used = new Map<string, number>();
  const turns = createKeyedQueue(Infinity);
  const thread = createSearchThread();
  const queue = createFairQueue(bounds);
  const builds = createFairQueue(resources.indexBuilds);
  const ending = new AbortController();
  const makeIndex = createIndexMaker({ thread, builds, ending: ending.signal });
  /** Companies whose index is behind because its file can't be written. */
  const behind = new Set<string>();
  /** Companies whose index is damaged, until it is rebuilt. */
  const damaged = new Set<string>();
  let soon: NodeJS.Timeout | undefined;

  const fileOf = (companyId: string) => {
    if (!/^[A-Za-z0-9][A-Za-z0-9-]*$/.test(companyId)) throw new Error("not a company id");
    return path.join(dir, `${companyId}.db`);
  };

  async function updateWithinPatience(companyId: string): Promise<void> {
    const revision = db.revision(ledger);
    const known = followed.get(companyId);
    if (known && revision !== null && known.revision === revision) return;
    const ready = turns.run(companyId, () => updateIndex(companyId));
    ready.catch(() => undefined);
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => reject(new AppError("busy", waitRefusals.search(), { retryAfterSeconds: 5 })),
      patience,
    );
    try {
      await Promise.race([ready, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async function updateIndex(companyId: string): Promise<void> {
    ending.signal.throwIfAborted();
    const revision = db.revision(ledger);
    const source = createSearchSource(db, companyId);
    const end = await source.end();
    const before = followed.get(companyId) ?? (await openIndexOnDisk(companyId, source));
    const known = await updateOrRemakeIndex(companyId, before, source, end.seq).catch((error: unknown) => {
      // a query can use an index that is behind
      if (!(error instanceof UnwritableIndexError) || !before || before.seq > end.seq) throw error;
      if (!behind.has(companyId))
        log.warn({ companyId, err: error }, "search index is behind: its file can't be written");
      return before;
    });
    if (known.seq < end.seq) behind.add(companyId);
    else behind.delete(companyId);
    known.revision = known.seq < end.seq ? null : revision;
    await keepIndex(companyId, known);
  }

  async function updateOrRemakeIndex(
    companyId: string,
    before: ReadyIndex | null,
    source: SearchSource,
    end: number,
  ): Promise<ReadyIndex> {
    const known = before && isNearEnd(before, end) ? before : await remakeIndex(companyId, source);
    if (known.seq < end) await followEvents(fileOf(companyId), known, source);
    return known;
  }

  /**
   * Says whether the index's file is nearly up to date, without loading the index: the first query or change loads it,
   * because a loaded index takes memory.
   */
  async function isUsable(companyId: string): Promise<boolean> {
    const position = readIndexPosition(fileOf(companyId));
    const source = createSearchSource(db, companyId);
    const end = await source.end();
    return position !== null && isNearEnd(position, end.seq) && (await source.has(position));
  }

  const isNearEnd = ({ seq }: Pick<LedgerPosition, "seq">, end: number) => seq <= end && end - seq <= rebuildFrom;

  /**
   * Opens the index file.
   * @returns null if it can't be brought up to date
   */
  async function openIndexOnDisk(companyId: string, source: SearchSource): Promise<ReadyIndex | null> {
    const file = fileOf(companyId);
    if (!existsSync(file)) return null;
    try {
      const position = await thread.run("open", file, {});
      if (position && (await source.has(position))) {
        return { seq: position.seq, revision: null };
      }
    } catch (error) {
      if (!(error instanceof DamagedIndexError || error instanceof UnwritableIndexError)) throw error;
      log.warn({ companyId, err: error }, "search index can't be used");
    }
    return null;
  }

  async function remakeIndex(companyId: string, source: SearchSource): Promise<ReadyIndex> {
    await releaseIndex(companyId);
    const usable = damaged.has(companyId) ? null : snapshots;
    const known = await makeIndex({ companyId, source, file: fileOf(companyId), isNear: isNearEnd, snapshots: usable });
    damaged.delete(companyId);
    return known;
  }

  async function followEvents(file: string, known: ReadyIndex, source: SearchSource): Promise<void> {
    for (;;) {
      const { sopIds, position } = await source.changes(known.seq, eventsAtOnce);
      if (!position) return;
      await replaceRows(thread, file, source, await source.wanted(sopIds), position);
      known.seq = position.seq;
    }
  }

  async function keepIndex(companyId: string, known: ReadyIndex): Promise<void> {
    followed.delete(companyId);
    followed.set(companyId, known);
    const [oldest] = followed.keys();
    if (followed.size > serverLimits.searchIndexes.atMost && oldest !== undefined) await releaseIndex(oldest);
  }

  async function releaseIndex(companyId: string): Promise<void> {
    followed.delete(companyId);
    await thread.run("letGo", fileOf(companyId), {});
  }

  /** Does the work. Deletes a damaged file and tries again, which rebuilds it. */
  async function withRepair<T>(companyId: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DamagedIndexError)) throw error;
      const known = followed.get(companyId);
      await turns.run(companyId, async () => {
        // another query may have already rebuilt the index
        if (followed.get(companyId) !== known) return;
        await releaseIndex(companyId);
        damaged.add(companyId);
        log.warn({ companyId, err: error }, "search index is damaged: rebuilding it");
        await deleteIndexFiles(fileOf(companyId)).catch((why: unknown) => {
          if (!isUnwritable(why)) throw why;
        });
      });
      return work();
    }
  }

  async function askIndex<T>(actor: Actor, work: (reading: IndexReader) => Promise<T>): Promise<T> {
    const { companyId, userId } = actor;
    used.set(companyId, Date.now());
    return withRepair(companyId, async () => {
      await updateWithinPatience(companyId);
      const file = fileOf(companyId);
      return queue.run(
        async () => {
          const scope = await loadReadScope(db, actor);
          return work({
            bestRows: (question, page) => thread.run("best", file, { scope, question, ...page }),
            matchingRows: (question, atMost = Infinity) => thread.run("all", file, { scope, question, atMost }),
            nearWords: (word, isBegun) => thread.run("near", file, { scope, word, isBegun }),
            readExcerpts: (rows, terms) => thread.run("show", file, { rows, terms }),
            spellQuery: (row, query, corrections) => thread.run("spell", file, { row, query, corrections }),
          });
        },
        { companyId, userId },
      );
    });
  }

  async function tidyIndexes(): Promise<void> {
    const companies = await db.collection("companies").find({}, { projection: { status: 1, sopCount: 1 } });
    const alive = new Map(companies.filter(({ status }) => status !== "deleted").map((one) => [one._id, one.sopCount]));
    const names = existsSync(dir) ? await readdir(dir).catch(emptyIfUnwritable) : [];
    const files = names.filter((name) => name.endsWith(".db")).map((name) => name.slice(0, -3));
    for (const companyId of new Set([...files, ...followed.keys()].filter((name) => !alive.has(name)))) {
      await turns.run(companyId, async () => {
        await releaseIndex(companyId);
        await deleteIndexFiles(fileOf(companyId));
      });
    }
    for (const [companyId, sopCount] of alive) {
      if (ending.signal.aborted) return;
      // on MongoDB, a missing index is built only when a user of the company searches on this server
      if (!files.includes(companyId) && (sopCount < largeFromSops || db.engine === "mongodb")) continue;
      if (followed.has(companyId) || !(await isUsable(companyId)))
        await withRepair(companyId, () => turns.run(companyId, () => updateIndex(companyId))).catch(logFailure);
    }
  }

  const logFailure = (error: unknown) => {
    if (!ending.signal.aborted) log.error({ err: error }, "search");
  };
  /** Companies whose index is updated soon. */
  const stale = new Set<string>();
  /** Says whether this server updates the index: it is open, or on the disk of the embedded engine. */
  const isUpdatedHere = (companyId: string) =>
    followed.has(companyId) || (db.engine === "sqlite" && existsSync(fileOf(companyId)));
  const stopFollowing = db.watch(["repo_events"], (written) => {
    const companies = written.get("repo_events")?.companies ?? followed.keys();
    for (const companyId of companies) if (isUpdatedHere(companyId)) stale.add(companyId);
    soon ??= setTimeout(() => {
      soon = undefined;
      for (const companyId of stale) updateWithinPatience(companyId).catch(logFailure);
      stale.clear();
    }, 200);
    soon.unref();
  });
  const stopWatching = db.watch(["companies"], (written) => {
    const ids = written.get("companies")?.ids ?? followed.keys();
    const here = [...ids].filter((companyId) => followed.has(companyId));
    if (here.length > 0) void tidyDeleted(here).catch(logFailure);
  });

  async function tidyDeleted(companies: readonly string[]): Promise<void> {
    const deleted = await db.collection("companies").find({ _id: { $in: companies }, status: "deleted" });
    if (deleted.length > 0) await tidyIndexes();
  }

  const dropIndex = (companyId: string): Promise<void> =>
    turns.run(companyId, async () => {
      await releaseIndex(companyId);
      used.delete(companyId);
      await deleteIndexFiles(fileOf(companyId));
    });

  return {
    ask: askIndex,
    cache: {
      ...searchCopyKey,
      dir,
      ending: ".db",
      usedAt: (companyId) => used.get(companyId) ?? null,
      drop: dropIndex,
      open: () => [...followed].map(([id, { seq }]) => [id, seq] as const),
      copyTo: (companyId, file) => copyIndex(fileOf(companyId), file),
    },
    isBehind: (companyId) => behind.has(companyId),
    load: () => ({ open: followed.size, behind: behind.size, ...queue.load() }),
    tidy: () => tidyIndexes().catch(logFailure),
    async close() {
      // unfinished builds stop, because a large one takes minutes and the next start builds those indexes
      ending.abort(new AppError("busy", refusals.stopping()));
      clearTimeout(soon);
      stopFollowing();
      stopWatching();
      queue.close();
      builds.close();
      await thread.close();
      await turns.idle();
    },
  };
}
