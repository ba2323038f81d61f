/** Rebuilds an index. This thread reads texts in small portions; another thread counts the words. */
import { rename, rm } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { startWorker } from "../capacity/start-thread.ts";
import { indexFilePaths, type LedgerPosition, type RowText } from "./index-file.ts";
import type { SearchSource } from "./source.ts";
import { isUnwritable, UnwritableIndexError } from "./unwritable.ts";

/** Messages to the thread, which answers each one. */
export type BuilderAsk = { kind: "add"; texts: RowText[] } | { kind: "finish"; position: LedgerPosition };
export type BuilderReply = { error: null } | { error: string; isUnwritable: boolean };

const sopsAtOnce = 10;

/** Finds the worker's file: beside the server's file in a build, or the TypeScript file in a run from source. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./builder.ts" : "./search-builder.js", import.meta.url);
}

/**
 * Builds an index of all SOPs at `path`. The new index replaces an old index once it is complete.
 * @throws the reason of `ending` when that is aborted
 */
export async function rebuildIndex(path: string, source: SearchSource, ending: AbortSignal): Promise<void> {
  const unfinished = `${path}.new`;
  await deleteIndexFiles(unfinished);
  // the position is read first, so that SOPs saved during the build are read again afterwards
  const position = await source.end();
  const builder = startBuilder(unfinished);
  try {
    let adding: Promise<void> = Promise.resolve();
    for (let after = 0; ;) {
      ending.throwIfAborted();
      const page = await source.page(after, sopsAtOnce);
      if (!page) break;
      const rows = page.wanted.flatMap(({ sopId, rows: own }) => own.map((row) => ({ sopId, ...row })));
      const texts = rows.length === 0 ? [] : await source.texts(rows, page.numbers);
      await adding;
      adding = builder.ask({ kind: "add", texts });
      adding.catch(() => undefined);
      after = page.last;
      await setImmediate();
    }
    await adding;
    await builder.ask({ kind: "finish", position });
  } catch (error) {
    await builder.end();
    await deleteIndexFiles(unfinished);
    throw error;
  }
  await builder.end();
  await deleteIndexFiles(path);
  await rename(unfinished, path);
}

export async function deleteIndexFiles(path: string): Promise<void> {
  for (const part of indexFilePaths(path)) await rm(part, { force: true });
}

interface Builder {
  ask(message: BuilderAsk): Promise<void>;
  end(): Promise<void>;
}

function startBuilder(path: string): Builder {
  const worker = startWorker("searchBuild", workerFile(), path);
  worker.unref();
  let waiting: PromiseWithResolvers<void> | null = null;
  const rejectWaiting = (error: Error) => {
    waiting?.reject(error);
    waiting = null;
  };
  worker.on("message", (reply: BuilderReply) => {
    if (reply.error !== null)
      return rejectWaiting(reply.isUnwritable ? new UnwritableIndexError(reply.error) : new Error(reply.error));
    waiting?.resolve();
    waiting = null;
  });
  worker.on("error", (error) => rejectWaiting(isUnwritable(error) ? new UnwritableIndexError(error) : error));
  worker.on("exit", () => rejectWaiting(new Error("the search builder stopped")));
  return {
    ask(message) {
      waiting = Promise.withResolvers<void>();
      worker.postMessage(message);
      return waiting.promise;
    },
    async end() {
      waiting = null;
      await worker.terminate();
    },
  };
}
