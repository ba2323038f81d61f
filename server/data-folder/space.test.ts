/** The reserve of DATA_DIR on a small disk of its own. */
import { randomBytes } from "node:crypto";
import { rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { mountSmallDisk, type SmallDisk } from "../../test/full-disk.ts";
import { StorageFullError } from "../database/port.ts";
import { createSpace, type Space } from "./space.ts";

const probe = mountSmallDisk(1);
probe?.unmount();

const log = { warn: () => undefined, info: () => undefined };
const mebibyte = 1024 * 1024;
const patience = { timeout: 20_000, interval: 100 };

/** @param megabytes of the disk */
function onDisk(megabytes: number, work: (disk: SmallDisk, open: (isEmbedded: boolean) => Space) => Promise<void>) {
  return async () => {
    const disk = mountSmallDisk(megabytes);
    if (!disk) return;
    const opened: Space[] = [];
    const open = (isEmbedded: boolean) => {
      const space = createSpace(disk.dir, log, { isEmbedded });
      opened.push(space);
      space.watch();
      return space;
    };
    try {
      await work(disk, open);
    } finally {
      for (const space of opened) await space.close();
      disk.unmount();
    }
  };
}

/** The bytes that a reserve takes on the disk. */
function reserveOf({ dir }: SmallDisk): number {
  return (statSync(path.join(dir, "reserve"), { throwIfNoEntry: false })?.blocks ?? 0) * 512;
}

describe.skipIf(probe === null)(`the reserve${probe ? "" : " (SKIPPED: this process can't mount)"}`, () => {
  test(
    "takes an eighth of a small disk",
    onDisk(40, async (disk, open) => {
      open(true);
      await expect.poll(() => reserveOf(disk), patience).toBe(5 * mebibyte);
    }),
  );

  test(
    "takes 64 MiB of a large disk",
    onDisk(800, async (disk, open) => {
      open(true);
      await expect.poll(() => reserveOf(disk), patience).toBe(64 * mebibyte);
    }),
  );

  test(
    "gives a part to files on a full disk, one to each write that asks, and is whole again with space",
    { timeout: 60_000 },
    onDisk(40, async (disk, open) => {
      const space = open(true);
      await expect.poll(() => reserveOf(disk), patience).toBe(5 * mebibyte);
      // as of another disk
      space.notice(Object.assign(new Error("no space"), { code: "ENOSPC" }));
      expect([space.isFull(), reserveOf(disk)]).toEqual([false, 5 * mebibyte]);
      disk.fill();
      await expect.poll(() => space.isFull(), patience).toBe(true);
      const afterFiles = reserveOf(disk);
      expect(afterFiles).toBeLessThan(5 * mebibyte);
      expect([space.release(), reserveOf(disk)]).toEqual([true, afterFiles - mebibyte]);
      expect(space.isUsedUp()).toBe(false);
      while (space.release());
      expect([space.isFull(), space.isUsedUp(), reserveOf(disk)]).toEqual([true, true, 0]);
      disk.free();
      await expect.poll(() => space.isFull(), patience).toBe(false);
      expect(reserveOf(disk)).toBe(5 * mebibyte);
    }),
  );

  test.each([0, 100_000, mebibyte, 5 * mebibyte])(
    "lets a start on a full disk go on with a reserve of %i bytes as long as there is space",
    (bytes) =>
      onDisk(40, async (disk, open) => {
        const file = path.join(disk.dir, "reserve");
        writeFileSync(file, randomBytes(bytes));
        writeFileSync(path.join(disk.dir, "kept"), Buffer.alloc(mebibyte / 2));
        disk.fill();
        // as much as the killed server had given away and not used
        rmSync(path.join(disk.dir, "kept"));
        for (let start = 0; start < 4; start += 1) {
          const space = open(true);
          space.notice(new StorageFullError());
          expect([start, space.isUsedUp(), reserveOf(disk) >= Math.floor(bytes / 4)]).toEqual([start, false, true]);
          await space.close();
        }
        const space = open(true);
        while (space.release());
        expect([space.isUsedUp(), reserveOf(disk)]).toEqual([true, 0]);
        // a look at the disk finds what was given away
        await expect.poll(() => space.isUsedUp(), patience).toBe(false);
        do disk.fill();
        while (space.release());
        expect([space.isFull(), space.isUsedUp()]).toEqual([true, true]);
      })(),
  );

  test(
    "says that another database is full only after that has said so, and not for long",
    { timeout: 60_000 },
    onDisk(40, async (disk, open) => {
      const space = open(false);
      await expect.poll(() => reserveOf(disk), patience).toBe(5 * mebibyte);
      disk.fill();
      await expect.poll(() => reserveOf(disk), patience).toBeLessThan(5 * mebibyte);
      expect(space.isFull()).toBe(false);
      space.notice(new StorageFullError());
      expect([space.isFull(), space.isUsedUp()]).toEqual([true, true]);
      await expect.poll(() => space.isFull(), patience).toBe(false);
    }),
  );
});
