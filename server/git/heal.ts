/**
 * Checks a repository for damage when git fails to read it, and after clients got it. Rebuilds a damaged repository
 * from the ledger.
 */
import type { Services } from "../http/services.ts";

/**
 * Milliseconds between two checks of a repository. A check reads everything, and a client can make git fail on purpose.
 */
const everyMs = 600_000;

/**
 * Checks a repository for damage.
 * @param forget removes the repository from the cache, if the repository is a copy for some users
 */
type CheckRepository = (companyId: string, gitdir: string, forget: () => void) => void;

export interface Healer {
  /** Checks the repository. Call when git has failed to read it. */
  failed: CheckRepository;
  /** Checks the repository. Call when git has sent it to a client. */
  sent: CheckRepository;
}

export function createHealer({ repositories, damage, log }: Pick<Services, "repositories" | "damage" | "log">): Healer {
  const lookedAt = new Map<string, number>();

  const isDue = (key: string): boolean => {
    const now = performance.now();
    for (const [old, at] of lookedAt) if (now - at >= everyMs) lookedAt.delete(old);
    if (lookedAt.has(key)) return false;
    lookedAt.set(key, now);
    return true;
  };

  async function healRepository(companyId: string): Promise<void> {
    const faultOf = async () =>
      (await repositories.verify(companyId)).findings.find(({ where }) => where === "repository");
    const fault = await faultOf();
    if (fault === undefined) return;
    damage.note(`repository of company ${companyId}: ${fault.message}`, async () => (await faultOf()) !== undefined);
    await repositories.rebuild(companyId);
    await damage.checkAgain();
  }

  const isCopy = (companyId: string, gitdir: string) => gitdir !== repositories.path(companyId);

  const logFailure = (companyId: string) => (error: unknown) => {
    log.error({ companyId, err: error }, "a damaged repository can't be made again");
  };

  return {
    failed(companyId, gitdir, forget) {
      if (isCopy(companyId, gitdir)) forget();
      if (isDue(`failed ${companyId}`)) healRepository(companyId).catch(logFailure(companyId));
    },
    sent(companyId, gitdir, forget) {
      const checkPacks = async (place: string, repair: () => unknown) => {
        if (isDue(`sent ${place}`) && (await repositories.findDamagedPacks(place)).length > 0) await repair();
      };
      const checkRefs = async () => {
        if (!isDue(`refs ${companyId}`) || (await repositories.findDifferingRefs(companyId)).length === 0) return;
        // the check opens the repository again from the refs on disk
        await repositories.check(companyId);
        await repositories.drain(companyId);
        await healRepository(companyId);
      };
      // also check the company's repository below, because a copy can borrow its objects
      if (isCopy(companyId, gitdir)) checkPacks(gitdir, forget).catch(logFailure(companyId));
      checkPacks(repositories.path(companyId), () => healRepository(companyId))
        .then(checkRefs)
        .catch(logFailure(companyId));
    },
  };
}
