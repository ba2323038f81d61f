/**
 * All companies' search indexes of this server. A question is answered from an index that has everything committed before
 * the question came: it follows the ledger on demand, and soon after each commit where it is in use.
 */
import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import type { Logger } from "pino";
import { AppError } from "#core/errors.ts";
import type { Collections } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import { openIndexFile, WrongIndexError, type IndexFile } from "./index-file.ts";
import { rebuildIndex, removeIndex } from "./rebuild.ts";
import { sourceOf, type Source } from "./source.ts";
import { loadVocabulary, type Vocabulary } from "./vocabulary.ts";

export interface SearchIndexesOptions {
  /** Holds `<companyId>.db`. */
  dir: string;
  db: Database<Collections>;
  log: Pick<Logger, "warn" | "error">;
  /** Milliseconds a question waits for an index that is being made; 20,000. */
  patience?: number;
  /** Events behind from which an index is made anew instead of brought up; 500. */
  rebuildFrom?: number;
}

export interface SearchIndexes {
  /** @throws AppError busy while a large index is being made */
  read<T>(companyId: string, work: (index: IndexFile) => T): Promise<T>;
  vocabulary(companyId: string): Promise<Vocabulary>;
  /** Brings up what is in use or large, and deletes what belongs to nobody any more. */
  tidy(): Promise<void>;
  /** Makes a company's index anew now. */
  rebuild(companyId: string): Promise<void>;
  close(): Promise<void>;
}

interface Open {
  file: IndexFile;
  seq: number;
  /** The database's revision of the ledger when it was last followed; null where that is not known. */
  revision: number | null;
  vocabulary: { seq: number; words: Vocabulary } | null;
}

const inMemory = 64;
const eventsAtOnce = 20;
/** A company with this many SOPs gets its index before anybody asks. */
const large = 200;
const ledger = ["repo_events"] as const;

export function createSearchIndexes(options: SearchIndexesOptions): SearchIndexes {
  const { dir, db, log, patience = 20_000, rebuildFrom = 500 } = options;
  const open = new Map<string, Open>();
  const turns = new Map<string, Promise<unknown>>();
  let closed = false;
  let soon: NodeJS.Timeout | undefined;

  const fileOf = (companyId: string) => {
    if (!/^[A-Za-z0-9][A-Za-z0-9-]*$/.test(companyId)) throw new Error("not a company id");
    return path.join(dir, `${companyId}.db`);
  };

  /** One at a time for each company. */
  function inTurn<T>(companyId: string, work: () => Promise<T>): Promise<T> {
    const before = turns.get(companyId) ?? Promise.resolve();
    const turn = before.then(work, work);
    const settled = turn
      .catch(() => undefined)
      .finally(() => {
        if (turns.get(companyId) === settled) turns.delete(companyId);
      });
    turns.set(companyId, settled);
    return turn;
  }

  async function current(companyId: string): Promise<Open> {
    const revision = db.revision(ledger);
    const known = open.get(companyId);
    if (known && revision !== null && known.revision === revision) return known;
    const ready = inTurn(companyId, () => bringUp(companyId));
    ready.catch(() => undefined);
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => reject(new AppError("busy", "The search index is being made: try again in a moment")),
      patience,
    );
    try {
      return await Promise.race([ready, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async function bringUp(companyId: string): Promise<Open> {
    if (closed) throw new AppError("busy", "The server is stopping");
    const revision = db.revision(ledger);
    const source = sourceOf(db, companyId);
    const end = await source.end();
    let known = open.get(companyId) ?? (await openKnown(companyId, source));
    if (known && (known.seq > end.seq || end.seq - known.seq > rebuildFrom)) known = null;
    known ??= await makeAnew(companyId, source);
    if (known.seq < end.seq) await follow(known, source);
    known.revision = revision;
    keep(companyId, known);
    return known;
  }

  /** Null when there is none that could be brought up. */
  async function openKnown(companyId: string, source: Source): Promise<Open | null> {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const names = new Set(await readdir(dir));
    if (!names.has(`${companyId}.db`)) return null;
    try {
      const file = openIndexFile(fileOf(companyId));
      const position = file.position();
      // the same number in another ledger (a database brought back from a backup, say) is another event
      if (position && (position.seq < 0 || (await source.eventId(position.seq)) === position.eventId)) {
        return { file, seq: position.seq, revision: null, vocabulary: null };
      }
      file.close();
    } catch (error) {
      if (!(error instanceof WrongIndexError)) log.warn({ companyId, err: error }, "search index is damaged");
    }
    return null;
  }

  async function makeAnew(companyId: string, source: Source): Promise<Open> {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    letGo(companyId);
    await rebuildIndex(fileOf(companyId), source);
    const file = openIndexFile(fileOf(companyId));
    return { file, seq: file.position()?.seq ?? -1, revision: null, vocabulary: null };
  }

  async function follow(known: Open, source: Source): Promise<void> {
    for (;;) {
      const { sopIds, position } = await source.changes(known.seq, eventsAtOnce);
      if (!position) return;
      const { wanted, numbers } = await source.wanted(sopIds);
      const missing = known.file.missing(wanted);
      const texts = missing.length === 0 ? [] : await source.texts(missing, numbers);
      known.file.replace(wanted, texts, position);
      known.seq = position.seq;
      await breathe();
    }
  }

  function keep(companyId: string, known: Open): void {
    open.delete(companyId);
    open.set(companyId, known);
    const [oldest] = open.keys();
    if (open.size > inMemory && oldest !== undefined) letGo(oldest);
  }

  function letGo(companyId: string): void {
    open.get(companyId)?.file.close();
    open.delete(companyId);
  }

  const rebuild = (companyId: string) =>
    inTurn(companyId, async () => {
      const source = sourceOf(db, companyId);
      const known = await makeAnew(companyId, source);
      await follow(known, source);
      keep(companyId, known);
    });

  /** A damaged file is made anew, once. */
  async function read<T>(companyId: string, work: (index: IndexFile) => T): Promise<T> {
    try {
      return work((await current(companyId)).file);
    } catch (error) {
      if (!isDamage(error)) throw error;
      log.warn({ companyId, err: error }, "search index is damaged: it is made anew");
      await rebuild(companyId);
      return work((await current(companyId)).file);
    }
  }

  async function tidy(): Promise<void> {
    const companies = await db.collection("companies").find({}, { projection: { status: 1, sopCount: 1 } });
    const alive = new Map(companies.filter(({ status }) => status !== "deleted").map((one) => [one._id, one.sopCount]));
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const files = (await readdir(dir)).filter((name) => name.endsWith(".db")).map((name) => name.slice(0, -3));
    for (const companyId of files.filter((name) => !alive.has(name))) {
      await inTurn(companyId, async () => {
        letGo(companyId);
        await removeIndex(fileOf(companyId));
      });
    }
    for (const [companyId, sopCount] of alive) {
      if (closed) return;
      if (files.includes(companyId) || sopCount >= large) await read(companyId, () => undefined);
    }
  }

  const worry = (error: unknown) => log.error({ err: error }, "search");
  const stopFollowing = db.watch(["repo_events"], () => {
    clearTimeout(soon);
    soon = setTimeout(() => {
      for (const companyId of open.keys()) current(companyId).catch(worry);
    }, 200);
    soon.unref();
  });
  const stopWatching = db.watch(["companies"], () => void tidyDeleted().catch(worry));

  async function tidyDeleted(): Promise<void> {
    const deleted = await db.collection("companies").find({ _id: { $in: [...open.keys()] }, status: "deleted" });
    if (deleted.length > 0) await tidy();
  }

  return {
    read,
    rebuild,
    tidy,
    async vocabulary(companyId) {
      const known = await current(companyId);
      if (known.vocabulary?.seq !== known.seq) {
        known.vocabulary = { seq: known.seq, words: await loadVocabulary(known.file) };
      }
      return known.vocabulary.words;
    },
    async close() {
      closed = true;
      clearTimeout(soon);
      stopFollowing();
      stopWatching();
      await Promise.all(turns.values());
      for (const companyId of open.keys()) letGo(companyId);
    },
  };
}

/** SQLITE_CORRUPT with its extensions, SQLITE_NOTADB; a file that went away under us reads as an I/O error. */
function isDamage(error: unknown): boolean {
  const code = (error as { errcode?: unknown }).errcode;
  return typeof code === "number" && [10, 11, 26].includes(code & 0xff);
}
