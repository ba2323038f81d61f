/**
 * A database that refuses writes by a switch. If this machine allows mounts, also a small real disk and a disk that
 * stalls.
 */
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Collections } from "../server/database/documents.ts";
import { StorageFullError, type Database, type Store } from "../server/database/port.ts";

const writes = new Set<string | symbol>([
  "insertOne",
  "insertMany",
  "updateOne",
  "updateMany",
  "findOneAndUpdate",
  "deleteOne",
  "deleteMany",
  "bulkWrite",
]);

export interface DiskSwitch {
  full: boolean;
}

/** Wraps the database. Its writes fail as on a full disk while the switch is on. */
export function withFullDisk(db: Database<Collections>, disk: DiskSwitch): Database<Collections> {
  const refuse = () => Promise.reject(new StorageFullError());
  const guarded = <T extends object>(collection: T): T =>
    new Proxy(collection, {
      get: (target, name, receiver) =>
        disk.full && writes.has(name) ? refuse : (Reflect.get(target, name, receiver) as unknown),
    });
  const collectionsOf = (store: Store<Collections>): Store<Collections>["collection"] =>
    ((name: keyof Collections & string) => guarded(store.collection(name))) as Store<Collections>["collection"];
  return {
    ...db,
    collection: collectionsOf(db),
    forCompany: (companyId) => ({ companyId, collection: collectionsOf(db.forCompany(companyId)) }),
    transaction: (work) => (disk.full ? refuse() : db.transaction(work)),
  };
}

export interface SmallDisk {
  dir: string;
  fill(): void;
  free(): void;
  unmount(): void;
}

/** @returns null if this process isn't permitted to mount */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const dir = mkdtempSync(path.join(tmpdir(), "sopwright-small-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", dir], { stdio: "ignore" });
  } catch {
    rmSync(dir, { recursive: true });
    return null;
  }
  const filler = path.join(dir, "filler");
  return {
    dir,
    fill() {
      const handle = openSync(filler, "a");
      try {
        for (const block = Buffer.alloc(4096); ;) writeSync(handle, block);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      } finally {
        closeSync(handle);
      }
    },
    free: () => rmSync(filler, { force: true }),
    unmount() {
      execFileSync("umount", ["-l", dir]);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Mounts a disk that answers no call until it is unmounted. @returns null if this process isn't permitted to mount */
export function mountStalledDisk(): { dir: string; unmount(): void } | null {
  const dir = mkdtempSync(path.join(tmpdir(), "sopwright-stalled-"));
  let fuse: number | null = null;
  try {
    // no program reads the requests of this file system
    fuse = openSync("/dev/fuse", "r+");
    const options = "fd=3,rootmode=40000,user_id=0,group_id=0";
    execFileSync("mount", ["-i", "-t", "fuse", "none", dir, "-o", options], {
      stdio: ["ignore", "ignore", "ignore", fuse],
    });
  } catch {
    if (fuse !== null) closeSync(fuse);
    rmSync(dir, { recursive: true });
    return null;
  }
  const handle = fuse;
  return {
    dir,
    unmount() {
      execFileSync("umount", ["-l", dir]);
      closeSync(handle);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
