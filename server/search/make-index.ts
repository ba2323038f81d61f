/** Makes a company's index: from the copy of another server, from the database, or in memory where the disk is full. */
import { mkdir, rename } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "pino";
import type { FairQueue } from "../capacity/fair-queue.ts";
import { StorageFullError } from "../database/port.ts";
import type { Snapshots } from "../snapshots/store.ts";
import { indexVersion, type Position } from "./index-file.ts";
import { rebuildIndex, removeIndex } from "./rebuild.ts";
import type { Source, WantedSops } from "./source.ts";
import { inMemory } from "./tasks.ts";
import { DamagedIndexError, type SearchThread } from "./thread.ts";
import { isUnwritable } from "./unwritable.ts";

/** An index that can answer questions. */
export interface Known {
  /** The path of the file, or the name of the index in memory. */
  path: string;
  /** When the file of an index in memory was last tried, in milliseconds. */
  triedAt: number;
  seq: number;
  /** The database's revision of the ledger when it was last followed; null where that is not known. */
  revision: number | null;
}

interface Making {
  companyId: string;
  source: Source;
  file: string;
  /** Whether an index of the events until `seq` can follow those until `end`. */
  isNear: (position: Pick<Position, "seq">, end: number) => boolean;
  snapshots: Pick<Snapshots, "take"> | null;
}

/** The kind and format of the copies that other servers can read. */
export const copied = { kind: "search", format: indexVersion } as const;
/** A company with this many SOPs gets its index before the first question. */
export const large = 200;
const sopsAtOnce = 20;

export function createIndexMaker(options: {
  thread: SearchThread;
  builds: FairQueue;
  log: Pick<Logger, "warn">;
  /** Stops unfinished builds when aborted. */
  ending: AbortSignal;
}): (making: Making) => Promise<Known> {
  const { thread, builds, log, ending } = options;

  async function onDisk(making: Making): Promise<Known> {
    const { companyId, source, file } = making;
    await mkdir(path.dirname(file), { recursive: true });
    const small = await source.small(large);
    if (small) await thread.run("make", file, small);
    else await builds.run(() => copyOrRebuild(making), { companyId, userId: companyId });
    const position = await thread.run("open", file, {});
    return { path: file, triedAt: 0, seq: position?.seq ?? -1, revision: null };
  }

  async function copyOrRebuild({ companyId, source, file, isNear, snapshots }: Making): Promise<void> {
    const end = await source.end();
    const unfinished = `${file}.copy`;
    const accepts = (seq: number) => isNear({ seq }, end.seq);
    // remove the unfinished file of a stopped server
    await removeIndex(unfinished);
    if (!(await snapshots?.take({ companyId, ...copied }, unfinished, accepts)))
      return rebuildIndex(file, source, ending);
    await removeIndex(file);
    await rename(unfinished, file);
  }

  /** Makes an index in memory. Reads a large one in portions, so that the thread answers others in between. */
  async function withoutFile({ companyId, source }: Making): Promise<Known> {
    const at = inMemory(companyId);
    // later saves come after this position; those read already are read once more
    const position = await source.end();
    await thread.run("hold", at, { position });
    try {
      for (let after = 0; ;) {
        ending.throwIfAborted();
        const page = await source.page(after, sopsAtOnce);
        if (!page) return { path: at, triedAt: performance.now(), seq: position.seq, revision: null };
        await replaceRows(thread, at, source, page, position);
        after = page.last;
      }
    } catch (error) {
      await thread.run("letGo", at, {});
      // the index was dropped because others needed the memory
      throw error instanceof DamagedIndexError ? new StorageFullError(error) : error;
    }
  }

  return async (making) => {
    const { companyId } = making;
    try {
      return await onDisk(making);
    } catch (error) {
      if (!isUnwritable(error)) throw error;
      log.warn({ companyId, err: error }, "search index can't be written: it is kept in memory");
      return builds.run(() => withoutFile(making), { companyId, userId: companyId });
    }
  };
}

/** Puts the wanted rows of some SOPs in place of those that the index has. */
export async function replaceRows(
  thread: SearchThread,
  at: string,
  source: Source,
  { wanted, numbers }: WantedSops,
  position: Position,
): Promise<void> {
  const missing = await thread.run("missing", at, { wanted });
  const texts = missing.length === 0 ? [] : await source.texts(missing, numbers);
  await thread.run("replace", at, { wanted, texts, position });
}
