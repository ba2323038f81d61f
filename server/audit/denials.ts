/**
 * Records refused requests as rows: forbidden requests, writes to missing records, and known users who can't sign in.
 * Writes the rows in batches, so that requests don't wait. Each user has a limit a minute, so that many refusals can't
 * fill the disk.
 */
import type { Logger } from "pino";
import { type Clock, isPeriodRunning } from "#core/clock.ts";
import type { Collections } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import type { Origin } from "../http/call.ts";
import { recordAudits, type AuditEntry } from "./record.ts";

/** The user that a request's credentials name, even if the user has lost access. */
export interface KnownUser {
  companyId: string;
  userId: string;
  userName: string | null;
}

export interface Denial {
  by: KnownUser;
  /** The resource and the action, such as `sops.update`. */
  call: string;
  entityId: string | null;
  status: number;
  code: string;
  origin: Origin;
}

export interface Denials {
  note(denial: Denial): void;
  /** Writes the refusals that were noted before this call. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

interface DenialWindow {
  by: KnownUser;
  until: number;
  written: number;
  left: number;
}

export const denialsAMinute = 30;
const windowMs = 60_000;
const usersAtMost = 2_000;
/** The maximum number of refusals in memory while the database can't store them. */
const waitingAtMost = 2_000;

export function createDenials(db: Database<Collections>, clock: Clock, log: Logger, everyMs = 500): Denials {
  const windows = new Map<string, DenialWindow>();
  let queue: AuditEntry[] = [];
  let isFailing = false;

  function noteDenial({ by, call, entityId, status, code, origin }: Denial): void {
    const window = openDenialWindow(by);
    if (window === null) return;
    if (window.written >= denialsAMinute) {
      window.left++;
      return;
    }
    window.written++;
    queue.push({
      ...by,
      action: "access.denied",
      entityType: call.split(".")[0] ?? call,
      entityId,
      changes: { call, status, code },
      at: clock.now(),
      origin,
    });
  }

  function openDenialWindow(by: KnownUser): DenialWindow | null {
    const now = clock.millis();
    const known = windows.get(by.userId);
    if (known && isPeriodRunning(known.until, windowMs, now)) return known;
    if (known) closeDenialWindow(known);
    else if (windows.size >= usersAtMost) return null;
    const window = { by, until: now + windowMs, written: 0, left: 0 };
    windows.set(by.userId, window);
    return window;
  }

  /** Adds a single row for the refusals of a minute beyond the user's limit. */
  function closeDenialWindow({ by, left }: DenialWindow): void {
    windows.delete(by.userId);
    if (left === 0) return;
    queue.push({
      ...by,
      action: "access.denied_more",
      entityType: "user",
      entityId: by.userId,
      changes: { count: left },
      at: clock.now(),
      origin: null,
    });
  }

  async function flushDenials(): Promise<void> {
    const now = clock.millis();
    for (const window of windows.values()) if (!isPeriodRunning(window.until, windowMs, now)) closeDenialWindow(window);
    if (queue.length === 0) return;
    const entries = queue;
    queue = [];
    try {
      await recordAudits(db, entries);
      isFailing = false;
    } catch (error) {
      queue = [...entries, ...queue].slice(0, waitingAtMost);
      throw error;
    }
  }

  const logFailure = (error: unknown) => {
    if (!isFailing) log.error({ err: error }, "refusals could not be recorded");
    isFailing = true;
  };
  const timer = setInterval(() => void flushDenials().catch(logFailure), everyMs);
  timer.unref();
  return {
    note: noteDenial,
    flush: flushDenials,
    async close() {
      clearInterval(timer);
      for (const window of windows.values()) closeDenialWindow(window);
      await flushDenials().catch(logFailure);
    },
  };
}
