/** Repositories that are made for some users from the same facts, and kept a while for their next request. */
import { randomBytes } from "node:crypto";
import path from "node:path";
import { initialise } from "../repository/bare-repository.ts";
import { makeFolder, realDisk } from "../repository/disk.ts";

export interface Copy {
  gitdir: string;
  /** Called once, when the client has what it wants. */
  leave(): void;
  /** It is damaged: the next client gets another one. */
  forget(): void;
}

export interface KeptRepositories {
  /**
   * @param key a digest of all that the repository holds
   * @param fill writes it into a bare repository, where it isn't there yet
   */
  take(key: string, fill: (gitdir: string) => Promise<void>): Promise<Copy>;
}

interface Kept {
  gitdir: Promise<string>;
  uses: number;
}

/** Repositories on disk that no client uses now. A fetch a moment later finds its own again. */
const unusedAtMost = 16;

export function keepRepositories(dir: string): KeptRepositories {
  const kept = new Map<string, Kept>();
  let cleared: Promise<void> | null = null;

  /** Before the first one those of the server's last run go. */
  function folder(): Promise<void> {
    cleared ??= realDisk
      .remove(dir)
      .then(() => makeFolder(realDisk, dir))
      .catch((error: unknown) => {
        cleared = null;
        throw error;
      });
    return cleared;
  }

  async function make(fill: (gitdir: string) => Promise<void>): Promise<string> {
    const gitdir = path.join(dir, `${randomBytes(12).toString("hex")}.git`);
    await initialise(realDisk, gitdir);
    try {
      await fill(gitdir);
      return gitdir;
    } catch (error) {
      await realDisk.remove(gitdir).catch(() => undefined);
      throw error;
    }
  }

  async function trim(): Promise<void> {
    const unused = [...kept].filter(([, { uses }]) => uses === 0);
    for (const [key, { gitdir }] of unused.slice(0, Math.max(0, unused.length - unusedAtMost))) {
      kept.delete(key);
      await realDisk.remove(await gitdir).catch(() => undefined);
    }
  }

  return {
    async take(key, fill) {
      await folder();
      const one = kept.get(key) ?? { gitdir: make(fill), uses: 0 };
      one.uses += 1;
      // the latest use comes last
      kept.delete(key);
      kept.set(key, one);
      const leave = () => {
        one.uses -= 1;
        void trim();
      };
      const forget = () => {
        if (kept.get(key) === one) kept.delete(key);
      };
      try {
        return { gitdir: await one.gitdir, leave, forget };
      } catch (error) {
        forget();
        throw error;
      }
    },
  };
}
