/**
 * Caches repositories that are made for some users, by the facts in them. The next request with the same facts reuses
 * the repository.
 */
import { randomBytes } from "node:crypto";
import path from "node:path";
import { initializeRepository } from "../repository/bare-repository.ts";
import { createFolderOnDisk, realDisk } from "../repository/disk.ts";

export interface RepositoryCopy {
  gitdir: string;
  /** Ends the use of the repository. Call once, when the client has its answer. */
  leave(): void;
  /** Removes the repository from the cache. Call when it is damaged, so that the next client gets a new one. */
  forget(): void;
}

export interface RepositoryCache {
  /**
   * Returns the repository for a key, and creates it if needed.
   * @param key a digest of everything in the repository
   * @param fill writes the content into a new bare repository
   */
  repositoryFor(key: string, fill: (gitdir: string) => Promise<void>): Promise<RepositoryCopy>;
}

interface CachedRepository {
  gitdir: Promise<string>;
  uses: number;
}

/** The maximum number of unused repositories on disk. They stay so that a client's next fetch is fast. */
const unusedAtMost = 16;

export function createRepositoryCache(dir: string): RepositoryCache {
  const kept = new Map<string, CachedRepository>();
  let cleared: Promise<void> | null = null;

  /** Creates the folder of the cache. The first call deletes the repositories of the server's last run. */
  function makeCacheFolder(): Promise<void> {
    cleared ??= realDisk
      .remove(dir)
      .then(() => createFolderOnDisk(realDisk, dir))
      .catch((error: unknown) => {
        cleared = null;
        throw error;
      });
    return cleared;
  }

  async function makeTemporaryRepository(fill: (gitdir: string) => Promise<void>): Promise<string> {
    const gitdir = path.join(dir, `${randomBytes(12).toString("hex")}.git`);
    await initializeRepository(realDisk, gitdir);
    try {
      await fill(gitdir);
      return gitdir;
    } catch (error) {
      await realDisk.remove(gitdir).catch(() => undefined);
      throw error;
    }
  }

  async function removeUnusedRepositories(): Promise<void> {
    const unused = [...kept].filter(([, { uses }]) => uses === 0);
    for (const [key, { gitdir }] of unused.slice(0, Math.max(0, unused.length - unusedAtMost))) {
      kept.delete(key);
      await realDisk.remove(await gitdir).catch(() => undefined);
    }
  }

  return {
    async repositoryFor(key, fill) {
      await makeCacheFolder();
      const one = kept.get(key) ?? { gitdir: makeTemporaryRepository(fill), uses: 0 };
      one.uses += 1;
      // move the entry to the end, because entries are in the order of their last use
      kept.delete(key);
      kept.set(key, one);
      const leaveRepository = () => {
        one.uses -= 1;
        void removeUnusedRepositories();
      };
      const forgetRepository = () => {
        if (kept.get(key) === one) kept.delete(key);
      };
      try {
        return { gitdir: await one.gitdir, leave: leaveRepository, forget: forgetRepository };
      } catch (error) {
        forgetRepository();
        throw error;
      }
    },
  };
}
