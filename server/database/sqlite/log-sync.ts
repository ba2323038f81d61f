/**
 * Makes commits durable: writes SQLite's write-ahead log to the disk, without blocking the thread that answers
 * requests. One sync covers all commits made before it began.
 */
import { closeSync, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";

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
  waitUntilDurable(): Promise<void> {
    if (this.#running === null) return this.#startSync();
    // the running sync may have begun before the last commit
    this.#next ??= this.#running.catch(() => undefined).then(() => this.#startSync());
    return this.#next;
  }

  /**
   * Throws after a failed sync, because it is then unknown which commits are on the disk, and no later write may
   * succeed. Call before each write.
   * @throws the error of the failed sync
   */
  assertNoFailedSync(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  #startSync(): Promise<void> {
    this.#next = null;
    this.#running = this.#syncOnce().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #syncOnce(): Promise<void> {
    // after a failed sync, the system can report success for the next sync although data is lost
    this.assertNoFailedSync();
    try {
      this.#descriptor ??= openSync(this.#file, "r+");
      await this.#sync(this.#descriptor);
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }
}
