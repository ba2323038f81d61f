/** Rebuilds an index. This thread reads texts in small portions; another thread counts the words. */
import { rename, rm } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { startWorker } from "../capacity/start-thread.ts";
import { indexFiles, type LedgerPosition, type RowText } from "./index-file.ts";
import type { SearchSource } from "./source.ts";
import { isUnwritable, UnwritableIndexError } from "./unwritable.ts";

/** Messages to the thread; it answers each message once. */
export type BuilderAsk = { kind: "add"; texts: RowText[] } | { kind: "finish"; position: LedgerPosition };
export type BuilderReply = { error: null } | { error: string; isUnwritable: boolean };

const sopsAtOnce = 10;

/** A build has the worker as a file beside the server's; a run from source uses its TypeScript file. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./builder.ts" : "./search-builder.js", import.meta.url);
}

/**
 * Builds an index of all SOPs at `path`. It replaces an old index when it is complete.
 * @throws the reason of `ending` when that is aborted
 */
export async function rebuildIndex(path: string, source: SearchSource, ending: AbortSignal): Promise<void> {
  const unfinished = `${path}.new`;
  await removeIndex(unfinished);
  // the position comes first: later saves are read again after the build, even if it included them
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
    await removeIndex(unfinished);
    throw error;
  }
  await builder.end();
  await removeIndex(path);
  await rename(unfinished, path);
}

export async function removeIndex(path: string): Promise<void> {
  for (const part of indexFiles(path)) await rm(part, { force: true });
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
