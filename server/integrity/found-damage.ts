/**
 * Remembers damage that a request, the committer or a list found, because the regular checks would find it only within
 * days. The damage is reported at once, and until it is repaired or this server stops.
 */
import type { Logger } from "pino";

export interface FoundDamage {
  /**
   * @param what the description that the checks use
   * @param isStill checks again whether the damage exists
   */
  note(what: string, isStill?: () => Promise<boolean>): void;
  /**
   * Returns a line for each remembered damage. First checks all of it again if the last check is more than a minute
   * ago.
   */
  lines(): Promise<string[]>;
  /** Checks all remembered damage again at once. Call it after a repair. */
  checkAgain(): Promise<void>;
}

const keptAtMost = 100;
const lookEveryMs = 60_000;
const alwaysTrue = async () => true;

export function createFoundDamage(log: Pick<Logger, "error">): FoundDamage {
  const met = new Map<string, () => Promise<boolean>>();
  let lookedAt = performance.now();

  async function checkFoundDamage(): Promise<void> {
    lookedAt = performance.now();
    for (const [what, isStill] of met) {
      // damage that can't be checked now stays in the list
      if (!(await isStill().catch(alwaysTrue))) met.delete(what);
    }
  }

  return {
    note(what, isStill = alwaysTrue) {
      if (met.has(what) || met.size >= keptAtMost) return;
      met.set(what, isStill);
      log.error({ damage: what }, "stored data is damaged");
    },
    async lines() {
      if (performance.now() - lookedAt > lookEveryMs) await checkFoundDamage();
      return [...met.keys()];
    },
    checkAgain: checkFoundDamage,
  };
}
