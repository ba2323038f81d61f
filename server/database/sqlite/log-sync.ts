/**
 * Makes commits durable: writes SQLite's write-ahead log to the disk, beside the thread that answers requests. One sync
 * serves every commit made before it began.
 */
import { closeSync, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";

/** Writes a file's data to the disk. */
export type SyncFile = (descriptor: number) => Promise<void>;

export class LogSync {
  readonly #file: string;
  readonly #sync: SyncFile;
  #descriptor: number | null = null;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;
  #failure: unknown = null;

  constructor(databaseFile: string, sync: SyncFile = promisify(fdatasync)) {
    this.#file = `${databaseFile}-wal`;
    this.#sync = sync;
  }

  /** Resolves when all commits made before the call are on the disk. */
  durable(): Promise<void> {
    if (this.#running === null) return this.#begin();
    // the running sync may have begun before the last commit
    this.#next ??= this.#running.catch(() => undefined).then(() => this.#begin());
    return this.#next;
  }

  /** After a failed sync nothing says which commits are on the disk: no later write may succeed. @throws that failure */
  assertWhole(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  #begin(): Promise<void> {
    this.#next = null;
    this.#running = this.#once().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #once(): Promise<void> {
    // after a failure the system can report the next sync as done without the lost data
    this.assertWhole();
    try {
      this.#descriptor ??= openSync(this.#file, "r+");
      await this.#sync(this.#descriptor);
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }
}
