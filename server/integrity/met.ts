/**
 * Remembers damage that a request, the committer or a list met. The checks of stored data would find it only within
 * days. It is reported at once, until it is repaired or this server ends.
 */
import type { Logger } from "pino";

export interface MetDamage {
  /**
   * @param what the description that the checks use
   * @param isStill checks again whether the damage exists
   */
  note(what: string, isStill?: () => Promise<boolean>): void;
  /** A line for each damage. Checks the damage again once a minute. */
  lines(): Promise<string[]>;
  /** Checks again at once. Call it after a repair. */
  look(): Promise<void>;
}

const keptAtMost = 100;
const lookEveryMs = 60_000;
const alwaysTrue = async () => true;

export function createMetDamage(log: Pick<Logger, "error">): MetDamage {
  const met = new Map<string, () => Promise<boolean>>();
  let lookedAt = performance.now();

  async function checkMet(): Promise<void> {
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
      if (performance.now() - lookedAt > lookEveryMs) await checkMet();
      return [...met.keys()];
    },
    look: checkMet,
  };
}
