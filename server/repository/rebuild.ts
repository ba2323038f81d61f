/** Rebuilds a repository from the ledger, then replaces the old repository. The commit ids stay the same. */
import { setImmediate } from "node:timers/promises";
import { LedgerError } from "#core/repository/project.ts";
import { initializeRepository, loadRepository, type OpenRepository } from "./bare-repository.ts";
import { AlteredEventError, commitWaitingEvents, type CommitterSettings } from "./committer.ts";
import { errorCodeOf, type Disk } from "./disk.ts";
import { standInName } from "./stand-ins.ts";
import { findDamagedObjects } from "./verify.ts";

/**
 * Builds a copy of the repository and replaces the old repository with it.
 * @throws LedgerError when an event makes another commit than before, or can't be read although the old repository has
 * it. The old repository then stays
 */
export async function rebuildAndReplace(
  settings: CommitterSettings,
  companyId: string,
  gitdir: string,
): Promise<OpenRepository> {
  const { disk } = settings;
  const fresh = `${gitdir}.new`;
  const old = `${gitdir}.old`;
  await removeLeftovers(disk, gitdir);
  await initializeRepository(disk, fresh);
  try {
    const repository = await commitAllToFresh(settings, companyId, gitdir, fresh);
    if (repository.standIns.length > 0 && (await isRepositoryUndamaged(settings, gitdir))) {
      throw new LedgerError(repository.state.seq, `${repository.standIns.map(standInName).join(", ")} can't be read`);
    }
    await disk.rename(gitdir, old).catch((error: unknown) => {
      if (errorCodeOf(error) !== "ENOENT") throw error;
    });
    await disk.rename(fresh, gitdir);
    await disk.remove(old);
    return repository;
  } catch (error) {
    await disk.remove(fresh).catch(() => undefined);
    throw error;
  }
}

/**
 * Commits all events to the new repository. Starts again if the first run found an altered event and the old repository
 * is damaged.
 */
async function commitAllToFresh(
  settings: CommitterSettings,
  companyId: string,
  gitdir: string,
  fresh: string,
): Promise<OpenRepository> {
  const { disk, git: binary } = settings;
  const commitToFresh = async () => {
    const repository = await loadRepository(disk, fresh, binary);
    await commitWaitingEvents(settings, companyId, fresh, repository);
    return repository;
  };
  return commitToFresh().catch(async (error: unknown) => {
    if (!(error instanceof AlteredEventError) || (await isRepositoryUndamaged(settings, gitdir))) throw error;
    return commitToFresh();
  });
}

async function isRepositoryUndamaged(settings: CommitterSettings, gitdir: string): Promise<boolean> {
  const { disk, git } = settings;
  const before = await loadRepository(disk, gitdir, git).catch(() => null);
  if (before === null || before.refs.history.oid === null || before.standIns.length > 0) return false;
  return (await findDamagedObjects({ ...settings, turn: () => setImmediate() }, gitdir)).length === 0;
}

/** Removes a repository. Renames its folder first, because a partly deleted repository counts as damaged. */
export async function removeRepository(disk: Disk, gitdir: string): Promise<void> {
  await disk.rename(gitdir, `${gitdir}.old`);
  await disk.remove(`${gitdir}.old`);
}

/** Removes the leftovers of an interrupted rebuild or removal. */
export async function removeLeftovers(disk: Disk, gitdir: string): Promise<void> {
  await disk.remove(`${gitdir}.new`);
  await disk.remove(`${gitdir}.old`);
}
