/** Makes a company's index from the copy of another server, or from the database. */
import { mkdir, rename } from "node:fs/promises";
import path from "node:path";
import type { FairQueue } from "../capacity/fair-queue.ts";
import type { Snapshots } from "../snapshots/store.ts";
import { indexVersion, type LedgerPosition } from "./index-file.ts";
import { rebuildIndex, deleteIndexFiles } from "./rebuild.ts";
import type { SearchSource, WantedSops } from "./source.ts";
import type { SearchThread } from "./thread.ts";
import { isUnwritable, UnwritableIndexError } from "./unwritable.ts";

/** An index that can answer questions. */
export interface ReadyIndex {
  seq: number;
  /** The database's revision of the ledger at the last update; null if unknown. */
  revision: number | null;
}

interface IndexToMake {
  companyId: string;
  source: SearchSource;
  file: string;
  /** True if an index of the events until `seq` is close enough to `end` to be updated. */
  isNear: (position: Pick<LedgerPosition, "seq">, end: number) => boolean;
  snapshots: Pick<Snapshots, "take"> | null;
}

/** The kind and format of the copies that other servers can read. */
export const searchCopyKey = { kind: "search", format: indexVersion } as const;
/** The number of SOPs from which a company is large: it gets its index before the first question. */
export const largeFromSops = 200;

export function createIndexMaker(options: {
  thread: SearchThread;
  builds: FairQueue;
  /** Aborts the running builds. */
  ending: AbortSignal;
}): (making: IndexToMake) => Promise<ReadyIndex> {
  const { thread, builds, ending } = options;

  async function makeOnDisk(making: IndexToMake): Promise<ReadyIndex> {
    const { companyId, source, file } = making;
    await mkdir(path.dirname(file), { recursive: true });
    const small = await source.small(largeFromSops);
    if (small) await thread.run("make", file, small);
    else await builds.run(() => copyOrRebuild(making), { companyId, userId: companyId });
    const position = await thread.run("open", file, {});
    return { seq: position?.seq ?? -1, revision: null };
  }

  async function copyOrRebuild({ companyId, source, file, isNear, snapshots }: IndexToMake): Promise<void> {
    const end = await source.end();
    const unfinished = `${file}.copy`;
    const isAcceptedSeq = (seq: number) => isNear({ seq }, end.seq);
    // removes the unfinished file of a stopped server
    await deleteIndexFiles(unfinished);
    if (!(await snapshots?.take({ companyId, ...searchCopyKey }, unfinished, isAcceptedSeq)))
      return rebuildIndex(file, source, ending);
    await deleteIndexFiles(file);
    await rename(unfinished, file);
  }

  return async (making) => {
    try {
      return await makeOnDisk(making);
    } catch (error) {
      throw isUnwritable(error) ? new UnwritableIndexError(error) : error;
    }
  };
}

/** Replaces the rows of some SOPs in the index with the wanted ones. */
export async function replaceRows(
  thread: SearchThread,
  at: string,
  source: SearchSource,
  { wanted, numbers }: WantedSops,
  position: LedgerPosition,
): Promise<void> {
  const missing = await thread.run("missing", at, { wanted });
  const texts = missing.length === 0 ? [] : await source.texts(missing, numbers);
  await thread.run("replace", at, { wanted, texts, position });
}
