import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { mountSmallDisk } from "../../test/full-disk.ts";
import { prepareBackupFolder, isOnOtherDisk, isInsideDataFolder } from "./place.ts";

const root = mkdtempSync(path.join(tmpdir(), "sopwright-place-"));
afterAll(() => rmSync(root, { recursive: true }));

test("a folder for backups is made, and none above it", async () => {
  const folder = path.join(root, "a");
  expect(await prepareBackupFolder(path.join(folder, "b"))).toBe(
    `there is no ${folder}: mount its disk, or make the folder`,
  );
  expect(existsSync(folder)).toBe(false);
  expect([await prepareBackupFolder(folder), await prepareBackupFolder(folder)]).toEqual([null, null]);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  writeFileSync(path.join(root, "file"), "");
  for (const name of ["file", "file/below"])
    expect([name, await prepareBackupFolder(path.join(root, name))]).toEqual([name, "it is not a folder"]);
});

test.skipIf(!existsSync("/proc/self"))(
  "a folder that can't be made is named, also where none can be made",
  async () => {
    expect(await prepareBackupFolder("/proc/nothing")).toBe("it can't be made there");
    expect(await prepareBackupFolder("/proc/nothing/below")).toMatch(/^there is no \/proc\/nothing: /);
  },
);

test("a folder inside DATA_DIR is known, unless it is another disk", async (context) => {
  const dataDir = path.join(root, "data");
  const inside = path.join(dataDir, "backups");
  mkdirSync(inside, { recursive: true });
  expect([await isInsideDataFolder(dataDir, dataDir), await isInsideDataFolder(dataDir, inside)]).toEqual([true, true]);
  expect([await isInsideDataFolder(dataDir, root), await isInsideDataFolder(dataDir, `${dataDir}-backups`)]).toEqual([
    false,
    false,
  ]);
  const disk = mountSmallDisk(1);
  if (disk === null) return context.skip();
  try {
    expect([await isOnOtherDisk(disk.dir, dataDir), await isOnOtherDisk(dataDir, inside)]).toEqual([true, false]);
    const data = path.dirname(disk.dir);
    expect(await isInsideDataFolder(data, disk.dir)).toBe(false);
  } finally {
    disk.unmount();
  }
});
