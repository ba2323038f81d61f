/**
 * Writes that accompany an action which must work on a full disk, such as the audit row of a sign-in. Tries them at
 * once, keeps them in memory on a full disk, and writes them in order when there is space.
 */
import { serverLimits } from "../capacity/resources.ts";
import type { Logger } from "pino";
import { StorageFullError } from "./port.ts";

export interface PostponedWrite {
  /** Once it can be written. */
  run(): Promise<unknown>;
  /** Logged if it can never be written: no secrets. */
  about: Readonly<Record<string, unknown>>;
}

export interface PostponedWrites {
  /** @returns false when it waits @throws what `run` throws, unless the disk is full */
  write(write: PostponedWrite): Promise<boolean>;
  /** Keeps a write that just failed. @throws StorageFullError when too many wait */
  keep(write: PostponedWrite): void;
  /** How many wait. */
  waiting(): number;
  /** Writes what waits, up to the first that finds no space. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const everyMs = 1_000;

export function createPostponedWrites(
  log: Pick<Logger, "error">,
  atMost: number = serverLimits.postponedWrites.atMost,
): PostponedWrites {
  const queue: PostponedWrite[] = [];
  let running: Promise<void> | null = null;
  const lose = ({ about }: PostponedWrite, error: unknown) => log.error({ ...about, err: error }, "never written");

  async function writeAll(): Promise<void> {
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      try {
        await next.run();
      } catch (error) {
        if (error instanceof StorageFullError) return;
        lose(next, error);
      }
      queue.shift();
    }
  }

  function flush(): Promise<void> {
    running ??= writeAll().finally(() => {
      running = null;
    });
    return running;
  }

  function keep(write: PostponedWrite): void {
    if (queue.length >= atMost) {
      const full = new StorageFullError();
      lose(write, full);
      throw full;
    }
    queue.push(write);
  }

  const timer = setInterval(() => void flush(), everyMs);
  timer.unref();
  return {
    async write(write) {
      try {
        await write.run();
        return true;
      } catch (error) {
        if (!(error instanceof StorageFullError)) throw error;
        keep(write);
        return false;
      }
    },
    keep,
    waiting: () => queue.length,
    flush,
    async close() {
      clearInterval(timer);
      await flush();
      for (const write of queue.splice(0)) lose(write, new StorageFullError());
    },
  };
}

/** For a write that may get lost on a full disk. */
export function ignoreFullDisk(error: unknown): void {
  if (!(error instanceof StorageFullError)) throw error;
}
