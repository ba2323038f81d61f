/** Stores a user's ticked steps of an SOP in this browser, with the version that they belong to. */

export interface StepTicks {
  version: number;
  /** The keys of ticked steps. A key changes with all that the step's screen shows. */
  ticks: string[];
}

/** A run that isn't finished. */
export interface OpenRun {
  sopId: string;
  /** The number of the next step, from 1. `total` is the number of all steps. */
  next: number;
  total: number;
  /** ISO time of the last tick. */
  at: string;
}

/**
 * Returns the prefix of a user's keys. Users of one browser have separate ticks, because a ticked step counts as read.
 */
const userPrefix = (userId: string) => `sop-steps:${userId}:`;
/** Matches the keys of version 1.0.0-beta.1, which name no user. */
const keyWithoutUser = /^sop-steps:[^:]*$/;
const runStorageKeyOf = (userId: string, sopId: string) => `${userPrefix(userId)}${sopId}`;

export function readTicks(userId: string, sopId: string): StepTicks | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(runStorageKeyOf(userId, sopId)) ?? "null");
    return isStepTicks(kept) ? kept : null;
  } catch {
    return null;
  }
}

function isStepTicks(kept: unknown): kept is StepTicks {
  if (typeof kept !== "object" || kept === null || !("version" in kept) || !("ticks" in kept)) return false;
  return (
    Number.isInteger(kept.version) && Array.isArray(kept.ticks) && kept.ticks.every((key) => typeof key === "string")
  );
}

/**
 * Stores a user's ticks of an SOP, or removes them if `run` is null or has no ticks. Also removes runs of version
 * 1.0.0-beta.1, which name no user. If the browser refuses storage, ticks last only as long as the page.
 * @param total the number of the SOP's steps
 */
export function storeTicks(userId: string, sopId: string, run: StepTicks | null, total: number): void {
  const key = runStorageKeyOf(userId, sopId);
  try {
    for (const old of Object.keys(localStorage)) if (keyWithoutUser.test(old)) localStorage.removeItem(old);
    if (run === null || run.ticks.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify({ ...run, total, at: new Date().toISOString() }));
  } catch {
    return;
  }
}

/**
 * Finds the user's run with the latest tick in this browser. Returns null if there is no run, or if that tick is older
 * than `maxAgeMs`.
 */
export function findLatestRun(userId: string, maxAgeMs: number, now: number = Date.now()): OpenRun | null {
  const prefix = userPrefix(userId);
  try {
    const runs = Object.entries(localStorage)
      .filter(([place]) => place.startsWith(prefix))
      .flatMap(([place, kept]) => openRunOf(place.slice(prefix.length), JSON.parse(String(kept))) ?? [])
      .filter(({ at }) => now - Date.parse(at) < maxAgeMs);
    return runs.sort((a, b) => (a.at < b.at ? 1 : -1))[0] ?? null;
  } catch {
    return null;
  }
}

function openRunOf(sopId: string, kept: unknown): OpenRun | null {
  if (!isStepTicks(kept)) return null;
  const { total, at } = kept as StepTicks & Partial<Pick<OpenRun, "total" | "at">>;
  if (total === undefined || !Number.isInteger(total) || typeof at !== "string") return null;
  return { sopId, next: Math.min(kept.ticks.length + 1, total), total, at };
}
