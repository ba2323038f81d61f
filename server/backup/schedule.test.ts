/** Backups that the server makes by itself, and what it says about their age. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { startServer } from "../../test/server.ts";
import { migrations } from "../database/migration-list.ts";
import { backupName, keepNewest } from "./folder.ts";
import { lastBackup, rememberBackup } from "./last.ts";
import { checkBackup } from "./read.ts";
import { backupWarning } from "./schedule.ts";
import { passphrase } from "./testing.ts";

const folder = mkdtempSync(path.join(tmpdir(), "sopwright-schedule-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a server with BACKUP_DIR makes its first backup by itself, with the keys", async () => {
  const dir = path.join(folder, "own");
  const server = await startServer("sqlite", { env: { BACKUP_DIR: dir, BACKUP_PASSPHRASE: passphrase } });
  try {
    const { services } = server.running;
    await expect.poll(() => lastBackup(services.db, services.config), { timeout: 60_000 }).not.toBeNull();
    const [name, ...others] = readdirSync(dir);
    expect(others).toEqual([]);
    const { header } = await checkBackup(path.join(dir, name ?? ""), migrations.length);
    expect(header).toMatchObject({ engine: "sqlite", schema: migrations.length });
    expect(header.keys).not.toBeNull();
  } finally {
    await server.stop();
  }
});

test("readiness warns when the last backup is older than twice the interval, and names no age before", async () => {
  const server = await startServer("sqlite");
  try {
    const { config, db, clock } = server.running.services;
    const scheduled = { config: { ...config, backup: { ...config.backup, dir: folder } }, db, clock };
    expect(await backupWarning({ ...scheduled, config })).toBeNull();
    expect(await backupWarning(scheduled)).toBe("there is no backup yet");
    await rememberBackup(db, config, { at: clock.now(), bytes: 1, seconds: 1, hasKeys: false });
    server.clock.advance(48 * 3_600_000);
    expect(await backupWarning(scheduled)).toBeNull();
    server.clock.advance(3_600_000);
    expect(await backupWarning(scheduled)).toBe("the last backup is 49 hours old");
  } finally {
    await server.stop();
  }
});

test("the newest backups stay, and files that are none of ours", async () => {
  const dir = mkdtempSync(path.join(folder, "kept-"));
  const names = [1, 2, 3, 4].map((day) => backupName(`2026-06-0${day}T03:00:00.000Z`));
  for (const name of [...names, "notes.txt", "sopwright-by-hand.ndjson.gz"]) writeFileSync(path.join(dir, name), "");
  expect(await keepNewest(dir, 2)).toEqual(names.slice(2));
  expect(readdirSync(dir).sort()).toEqual([...names.slice(2), "notes.txt", "sopwright-by-hand.ndjson.gz"].sort());
});
