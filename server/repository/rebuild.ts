/** Rebuilds a repository from the ledger, then swaps it with the old one. The head ids are the same, in one pack. */
import { initialise, loadRepository, type OpenRepository } from "./bare-repository.ts";
import { drainInto, type CommitterSettings } from "./committer.ts";
import { errorCode, type Disk } from "./disk.ts";

/** @throws LedgerError when an event makes another commit than it made before; the old repository then stays */
export async function rebuildBeside(
  settings: CommitterSettings,
  companyId: string,
  gitdir: string,
): Promise<OpenRepository> {
  const { disk } = settings;
  const fresh = `${gitdir}.new`;
  const old = `${gitdir}.old`;
  await removeLeftovers(disk, gitdir);
  await initialise(disk, fresh);
  try {
    const repository = await loadRepository(disk, fresh, settings.git);
    await drainInto({ ...settings, backlogFrom: 1 }, companyId, fresh, repository);
    await disk.rename(gitdir, old).catch((error: unknown) => {
      if (errorCode(error) !== "ENOENT") throw error;
    });
    await disk.rename(fresh, gitdir);
    await disk.remove(old);
    return repository;
  } catch (error) {
    await disk.remove(fresh).catch(() => undefined);
    throw error;
  }
}

/** Renamed first: half a repository is damage. */
export async function removeRepository(disk: Disk, gitdir: string): Promise<void> {
  await disk.rename(gitdir, `${gitdir}.old`);
  await disk.remove(`${gitdir}.old`);
}

/** Removes the leftovers of an interrupted rebuild or removal. */
export async function removeLeftovers(disk: Disk, gitdir: string): Promise<void> {
  await disk.remove(`${gitdir}.new`);
  await disk.remove(`${gitdir}.old`);
}
