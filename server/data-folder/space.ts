/**
 * Watches the space on the disk of DATA_DIR and keeps a reserve file there. When the disk is full, the server shrinks
 * that file: first for its other files, such as a search index, then a part for each database write that finds no
 * space, so that sign-ins and audit entries still work. If the database is on that disk, content is read-only until the
 * reserve has its full size again.
 */
import { randomBytes } from "node:crypto";
import { statfsSync, statSync, truncateSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Logger } from "pino";
import { StorageFullError } from "../database/port.ts";
import { isOutOfSpaceError } from "../file-errors.ts";

export interface Space {
  /** True if the database can't store content. Requests and jobs that write content are refused. */
  isFull(): boolean;
  /** True if a write found no space and no reserve is left. Then even sign-ins are refused. */
  isUsedUp(): boolean;
  /** Frees a part of the reserve. @returns false when no reserve was left */
  release(): boolean;
  /** Gets the errors of requests, so that the server notices a full disk at the first error. */
  notice(error: unknown): void;
  /** Begins to check the disk regularly. */
  watch(): void;
  close(): Promise<void>;
}

const partBytes = 1024 * 1024;
const reserveBytes = 64 * partBytes;
/** The reserve's share of the free space. So a small disk has a smaller reserve. */
const shareOfFree = 1 / 8;
const shareForFiles = 1 / 4;
/** The free bytes below which the disk counts as full. A save needs more. */
const lowBytes = 256 * 1024;
/** The free bytes, in addition to the reserve, from which a full disk counts as free again. */
const enoughBytes = 4 * partBytes;
const everyMs = 2_000;

interface SpaceOptions {
  /** True if the database is in DATA_DIR. Otherwise the database reports its own full disk. */
  isEmbedded: boolean;
  /** The maximum size of the reserve in bytes. */
  atMost?: number | undefined;
}

export function createSpace(
  dataDir: string,
  log: Pick<Logger, "warn" | "info">,
  { isEmbedded, atMost = reserveBytes }: SpaceOptions,
): Space {
  const file = path.join(dataDir, "reserve");
  let isLow = false;
  let isOut = false;
  /**
   * The time in milliseconds when a database on another disk refused a write. A while later, a write is tried again.
   */
  let refusedAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  let checking: Promise<void> = Promise.resolve();
  let closed = false;

  const reservedBytes = () => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  /** Returns the free bytes on the disk; Infinity if the disk doesn't report them. */
  function freeBytes(): number {
    try {
      const { bavail, bsize } = statfsSync(dataDir);
      return bavail * bsize;
    } catch {
      return Infinity;
    }
  }
  const isFull = () => (isEmbedded ? isLow : performance.now() - refusedAt < everyMs);

  function releaseReserve(bytes: number): boolean {
    const left = reservedBytes();
    if (left > 0) truncateSync(file, Math.max(0, left - bytes));
    return left > 0;
  }

  function setDiskFull(value: boolean): void {
    if (value === isLow) return;
    isLow = value;
    if (!value) return log.info("there is space again on the disk of DATA_DIR");
    log.warn("the disk of DATA_DIR is full");
    // free a share of the reserve for files, less what is free already; if the reserve is small, leave half of it for
    // the database
    const forFiles = Math.max(reservedBytes() * shareForFiles, Math.min(partBytes, reservedBytes() / 2)) - freeBytes();
    if (forFiles > 0) releaseReserve(forFiles);
  }

  async function checkReserve(): Promise<void> {
    const free = freeBytes();
    if (free >= lowBytes) isOut = false;
    const share = Math.floor(((free + reservedBytes()) * shareOfFree) / partBytes) * partBytes;
    const lacking = Math.max(0, Math.min(atMost, Math.max(partBytes, share)) - reservedBytes());
    const isEnough = free - lacking >= (isLow ? enoughBytes : lowBytes);
    setDiskFull(!isEnough || !(await fillReserve(lacking)));
  }

  /**
   * Enlarges the reserve with random bytes, because a file system could compress zeros to nothing.
   * @returns false if there was no space for all bytes
   */
  async function fillReserve(bytes: number): Promise<boolean> {
    if (bytes === 0) return true;
    const part = randomBytes(partBytes);
    const handle = await open(file, "a", 0o600);
    try {
      for (let left = bytes; left > 0 && !closed; left -= partBytes) {
        await handle.appendFile(part);
        // let other requests run
        await setImmediate();
      }
      return true;
    } catch (error) {
      if (!isOutOfSpaceError(error)) throw error;
      return false;
    } finally {
      await handle.close();
    }
  }

  const startCheck = () => {
    checking = checking
      .then(checkReserve)
      .catch((error: unknown) => log.warn({ err: error }, "the reserve of DATA_DIR can't be made"));
  };

  return {
    isFull,
    isUsedUp: () => isFull() && (!isEmbedded || isOut),
    release() {
      setDiskFull(true);
      isOut = !releaseReserve(partBytes);
      return !isOut;
    },
    notice(error) {
      // this error doesn't say which disk is full, so measure the disk of the data folder
      if (!(error instanceof StorageFullError)) return isOutOfSpaceError(error) ? startCheck() : undefined;
      if (isEmbedded) setDiskFull(true);
      else refusedAt = performance.now();
    },
    watch() {
      startCheck();
      timer = setInterval(startCheck, everyMs);
      timer.unref();
    },
    async close() {
      closed = true;
      clearInterval(timer);
      await checking;
    },
  };
}
