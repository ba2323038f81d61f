/**
 * Damage that work met on the way: a request, the committer, a list. The checks of stored data would come to it within
 * days. It is known at once, until it is gone or this server ends.
 */
import type { Logger } from "pino";

export interface MetDamage {
  /**
   * @param what names it, as the checks do
   * @param isStill looks again
   */
  note(what: string, isStill?: () => Promise<boolean>): void;
  /** One line each. Looks again once a minute. */
  lines(): Promise<string[]>;
  /** Looks again at once, after a repair. */
  look(): Promise<void>;
}

const keptAtMost = 100;
const lookEveryMs = 60_000;
const always = async () => true;

export function createMetDamage(log: Pick<Logger, "error">): MetDamage {
  const met = new Map<string, () => Promise<boolean>>();
  let lookedAt = performance.now();

  async function look(): Promise<void> {
    lookedAt = performance.now();
    for (const [what, isStill] of met) {
      // what can't be looked at now stays
      if (!(await isStill().catch(always))) met.delete(what);
    }
  }

  return {
    note(what, isStill = always) {
      if (met.has(what) || met.size >= keptAtMost) return;
      met.set(what, isStill);
      log.error({ damage: what }, "stored data is damaged");
    },
    async lines() {
      if (performance.now() - lookedAt > lookEveryMs) await look();
      return [...met.keys()];
    },
    look,
  };
}
