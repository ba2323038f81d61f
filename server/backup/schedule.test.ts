/** Backups that the server makes by itself, whose they are, and what it says about their age. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { systemClock } from "#core/clock.ts";
import { newId } from "#core/ids.ts";
import { mountSmallDisk, mountStalledDisk } from "../../test/full-disk.ts";
import { exchange } from "../../test/http.ts";
import { aPng } from "../../test/images.ts";
import { node, nodeEnv, project } from "../../test/node-program.ts";
import { startS3 } from "../../test/s3.ts";
import { startServer, type TestServer } from "../../test/server.ts";
import { readConfig } from "../config.ts";
import { latestSchema } from "../database/migration-list.ts";
import { createLeases } from "../jobs/leases.ts";
import { createJobWatch } from "../jobs/overdue.ts";
import { backupFileName, removeOldBackups } from "./folder.ts";
import { findLastBackup, loadInstallationOfBackups, recordBackup } from "./last.ts";
import { makeBackup } from "./make.ts";
import { checkBackup } from "./read.ts";
import { createBackups } from "./schedule.ts";
import { configOf, passphrase, restoreInto } from "../../test/restored-backup.ts";

const folder = mkdtempSync(path.join(tmpdir(), "sopwright-schedule-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const patience = { timeout: 60_000, interval: 200 };

const filesIn = (dir: string) => (existsSync(dir) ? readdirSync(dir).filter((name) => name.endsWith(".gz")) : []);
const now = () => new Date().toISOString();
/** As the threads that write backups. */
const today = () => ({ start: now() });

function scheduledOf(server: TestServer, backup: { dir?: string; hours?: number } = {}) {
  const { config, db, clock, log } = server.running.services;
  return { config: { ...config, backup: { ...config.backup, ...backup } }, db, clock, log };
}

const warningOf = async (scheduled: ReturnType<typeof scheduledOf>) => (await createBackups(scheduled).state()).warning;

test("a server with BACKUP_DIR makes its first backup once there is a company, with the keys", async () => {
  const dir = path.join(folder, "own");
  const server = await startServer("sqlite", { ...today(), env: { BACKUP_DIR: dir, BACKUP_PASSPHRASE: passphrase } });
  try {
    const { services } = server.running;
    const state = () => createBackups(services).state();
    expect(await state()).toEqual({ last: null, warning: null, text: "the first one is made after the set-up" });
    await server.company();
    await server.restart();
    await expect.poll(() => filesIn(dir).length, patience).toBe(1);
    const [name = ""] = filesIn(dir);
    const { header, summary } = await checkBackup(path.join(dir, name));
    expect(header).toMatchObject({ engine: "sqlite", schema: latestSchema });
    expect(header.installation).toBe(await loadInstallationOfBackups(server.running.services.db));
    expect(header.keys).not.toBeNull();
    expect(summary.documents["companies"]?.count).toBe(1);
  } finally {
    await server.stop();
  }
});

test(
  "no backup is due before the set-up, one is an hour after the first SOP, then each day",
  { timeout: 240_000 },
  async () => {
    const dir = path.join(folder, "due");
    const server = await startServer("sqlite", today());
    const scheduled = scheduledOf(server, { dir });
    const leases = createLeases(scheduled.db);
    const look = async (files: number) => {
      // names of backups have seconds
      await delay(1_000);
      const ran = Promise.withResolvers<void>();
      const jobs = createJobWatch(Object.assign(Object.create(scheduled.log), { debug: () => ran.resolve() }));
      const stop = createBackups(scheduled).start({ leases, jobs });
      await ran.promise;
      await stop();
      jobs.close();
      expect(filesIn(dir)).toHaveLength(files);
    };
    try {
      await look(0);
      const company = await server.company();
      await look(1);
      const manager = await company.user("manager");
      const sop = { title: "Boiler check", description: "Check", markdown: "Look at it." };
      await manager.client.sops.create({ body: sop });
      await look(1);
      // threads have the time of this machine
      server.clock.advance(3_900_000);
      await look(2);
      server.clock.advance(20 * 3_600_000);
      await look(2);
      server.clock.advance(4 * 3_600_000);
      await look(3);
    } finally {
      await server.stop();
    }
  },
);

test("the age is that of a file in BACKUP_DIR: a backup elsewhere counts as none, nor does one that is gone", async () => {
  const dir = path.join(folder, "counted");
  const server = await startServer("sqlite", today());
  try {
    await server.company();
    const scheduled = scheduledOf(server, { dir });
    const { config, db, clock } = scheduled;
    expect(await warningOf(scheduled)).toBe("there is no backup yet");
    const make = (target: string) => makeBackup({ config, clock, target, passphrase: null });
    await make(path.join(folder, "by-hand.ndjson.gz"));
    expect(await warningOf(scheduled)).toBe("there is no backup yet");
    const { file, at } = await make(dir);
    expect(await warningOf(scheduled)).toBeNull();
    await make(path.join(folder, "by-hand-2.ndjson.gz"));
    expect(await findLastBackup(db, config, clock.millis())).toMatchObject({ at, hasKeys: false, sops: 0, file });
    rmSync(file);
    expect(await warningOf(scheduled)).toBe(`the backup of ${at} is no longer in BACKUP_DIR`);
  } finally {
    await server.stop();
  }
});

test("readiness warns when the last backup is older than twice the interval, and of a date in the future", async () => {
  const server = await startServer("sqlite");
  try {
    await server.company();
    const { db, clock } = server.running.services;
    const dir = mkdtempSync(path.join(folder, "age-"));
    const daily = scheduledOf(server, { dir });
    const owner = await loadInstallationOfBackups(db);
    const write = (at: string) => writeFileSync(path.join(dir, backupFileName(at, owner)), "");
    write(clock.now());
    server.clock.advance(48 * 3_600_000);
    expect(await warningOf(daily)).toBeNull();
    server.clock.advance(3_600_000);
    expect(await warningOf(daily)).toBe("the last backup is 49 hours old");
    write(clock.now());
    server.clock.advance(30 * 60_000);
    expect(await warningOf(scheduledOf(server, { dir, hours: 0.1 }))).toBe("the last backup is 30 minutes old");
    // a newer one with a date in the future says nothing of the age
    write("2031-01-01T00:00:00Z");
    expect(await warningOf(scheduledOf(server, { dir, hours: 0.1 }))).toBe("the last backup is 30 minutes old");
    for (const name of filesIn(dir)) if (!name.includes("2031")) rmSync(path.join(dir, name));
    expect(await warningOf(daily)).toMatch(/^the date of the last backup lies in the future \(2031-01-01T00:00:00Z\)/);
  } finally {
    await server.stop();
  }
});

test("a server for others warns while it makes no backups; one for this machine alone doesn't", async () => {
  const env = { PUBLIC_URL: "https://sops.example.com" };
  for (const [given, state] of [
    [env, "warning"],
    [{}, "off"],
  ] as const) {
    const server = await startServer("sqlite", { env: given });
    try {
      const { config, db, clock } = server.running.services;
      const answer = (await exchange(server.running.listensOn, { path: "/readyz" })).json() as {
        parts: object;
        warnings?: string[];
      };
      expect([answer.parts, answer.warnings]).toEqual([
        expect.objectContaining({ backups: state }),
        state === "off" ? undefined : ["there are no backups: set BACKUP_DIR"],
      ]);
      // a timer of the operator makes them
      await recordBackup(db, config, { at: clock.now(), bytes: 1, seconds: 1, hasKeys: false });
      expect(await warningOf(scheduledOf(server))).toBeNull();
      server.clock.advance(8 * 24 * 3_600_000 + 3_600_000);
      expect(await warningOf(scheduledOf(server))).toBe("the last backup is 193 hours old");
      await recordBackup(db, config, { at: "2031-01-01T00:00:00Z", bytes: 1, seconds: 1, hasKeys: false });
      expect(await warningOf(scheduledOf(server))).toMatch(/^the date of the last backup lies in the future/);
    } finally {
      await server.stop();
    }
  }
});

test("readiness says why BACKUP_DIR can't be written, and that it lies in DATA_DIR", async () => {
  const file = path.join(folder, "file");
  writeFileSync(file, "");
  const missing = path.join(folder, "missing");
  const server = await startServer("sqlite", today());
  try {
    await server.company();
    for (const [dir, warning] of [
      [file, "BACKUP_DIR can't be written: it is not a folder"],
      [
        path.join(missing, "two"),
        `BACKUP_DIR can't be written: there is no ${missing}: mount its disk, or make the folder`,
      ],
      [missing, "there is no backup yet"],
    ] as const)
      expect([dir, await warningOf(scheduledOf(server, { dir }))]).toEqual([dir, warning]);
    const inside = path.join(server.dataDir, "backups");
    const scheduled = scheduledOf(server, { dir: inside });
    mkdirSync(inside);
    await makeBackup({ config: scheduled.config, clock: server.clock, target: inside, passphrase: null });
    expect(await warningOf(scheduled)).toMatch(/^BACKUP_DIR lies in DATA_DIR/);
  } finally {
    await server.stop();
  }
});

test("readiness doesn't wait for a disk of BACKUP_DIR that stalls, and names it", async (context) => {
  const disk = mountStalledDisk();
  if (disk === null) return context.skip();
  let server: TestServer | null = null;
  let isMounted = true;
  try {
    server = await startServer("sqlite", { ...today(), env: { BACKUP_DIR: disk.dir } });
    const { url } = server;
    const look = async () => {
      const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) });
      const { warnings = [] } = (await answer.json()) as { warnings?: string[] };
      return [answer.status, warnings.filter((text) => text.includes("BACKUP_DIR"))];
    };
    const silent = [200, ["BACKUP_DIR does not answer: check its disk"]];
    // more than the threads that read files, and no warning yet: a busy machine is late too
    expect(await Promise.all(Array.from({ length: 8 }, look))).toEqual(Array.from({ length: 8 }, () => [200, []]));
    await expect.poll(look, patience).toEqual(silent);
    const started = performance.now();
    for (let n = 0; n < 20; n++) expect(await look()).toEqual(silent);
    expect(performance.now() - started).toBeLessThan(5_000);
    disk.unmount();
    isMounted = false;
    await expect.poll(look, patience).toEqual([200, []]);
  } finally {
    if (isMounted) disk.unmount();
    await server?.stop();
  }
});

test("a full disk of BACKUP_DIR is named, and one that is no longer mounted gets nothing", async (context) => {
  const disk = mountSmallDisk(1);
  if (disk === null) return context.skip();
  const server = await startServer("sqlite", today());
  const scheduled = scheduledOf(server, { dir: disk.dir });
  const jobs = createJobWatch(scheduled.log);
  const backups = createBackups(scheduled);
  try {
    await server.company();
    disk.fill();
    const stop = backups.start({ leases: createLeases(scheduled.db), jobs });
    const full = `the last backup failed: no space left in ${disk.dir}: free some space there, or name another folder`;
    await expect.poll(async () => (await backups.state()).warning, patience).toBe(full);
    await stop();
    disk.free();
    await makeBackup({ config: scheduled.config, clock: server.clock, target: disk.dir, passphrase: null });
    expect(await warningOf(scheduled)).toBeNull();
  } finally {
    disk.unmount();
  }
  try {
    mkdirSync(disk.dir);
    expect(await warningOf(scheduled)).toMatch(/^BACKUP_DIR was on another disk than DATA_DIR, and now isn't/);
    server.clock.advance(48 * 3_600_000);
    await createBackups(scheduled).start({ leases: createLeases(scheduled.db), jobs })();
    expect(readdirSync(disk.dir)).toEqual([]);
  } finally {
    jobs.close();
    rmSync(disk.dir, { recursive: true });
    await server.stop();
  }
});

test("the newest own backups stay, those of others, those from the future, and files that are none of ours", async () => {
  const dir = mkdtempSync(path.join(folder, "kept-"));
  const [owner, other] = [newId(), newId()];
  const dayOf = (day: number, of: string | null = owner) => backupFileName(`2026-06-0${day}T03:00:00.000Z`, of);
  const own = [1, 2, 3, 4].map((day) => dayOf(day));
  const others = [
    dayOf(1, other),
    dayOf(1, null),
    backupFileName("2031-01-01T00:00:00Z", owner),
    backupFileName("2031-01-02T00:00:00Z", owner),
    "notes.txt",
    "sopwright-by-hand.ndjson.gz",
  ];
  for (const name of [...own, ...others]) writeFileSync(path.join(dir, name), "");
  const keeping = { owner, written: path.join(dir, dayOf(4)), now: Date.parse("2026-06-04T03:00:10Z") };
  await removeOldBackups(dir, { ...keeping, count: 2 });
  expect(readdirSync(dir).sort()).toEqual([...own.slice(2), ...others].sort());
  // the clock was set back: what was just written stays
  writeFileSync(path.join(dir, dayOf(1)), "");
  await removeOldBackups(dir, { ...keeping, written: path.join(dir, dayOf(1)), count: 1 });
  expect(filesIn(dir).filter((name) => own.includes(name))).toEqual([dayOf(1), dayOf(4)]);
});

test("a stop leaves no draft, and the next backup removes an own one that a killed program left", async () => {
  const dir = mkdtempSync(path.join(folder, "drafts-"));
  const s3 = await startS3();
  const server = await startServer("sqlite", { ...today(), env: s3.env });
  const drafts = () => readdirSync(dir).filter((name) => name.endsWith(".part"));
  try {
    const user = await (await server.company()).user("admin");
    const headers = { "content-type": "image/png" };
    const uploaded = await user.send({ method: "POST", path: "/api/assets", headers, body: aPng(40, 40) });
    expect(uploaded.status).toBe(201);
    s3.trouble = "silent";
    const scheduled = scheduledOf(server, { dir });
    const jobs = createJobWatch(scheduled.log);
    const stop = createBackups(scheduled).start({ leases: createLeases(scheduled.db), jobs });
    await expect.poll(drafts, patience).toHaveLength(1);
    await stop();
    jobs.close();
    expect(readdirSync(dir)).toEqual([]);

    const env = { ...nodeEnv, ...s3.env, DATA_DIR: scheduled.config.dataDir };
    const task = spawn(node, ["server/admin/main.ts", "backup", dir, "--without-keys"], { cwd: project, env });
    const ended = once(task, "exit");
    await expect.poll(drafts, patience).toHaveLength(1);
    task.kill("SIGTERM");
    expect(await ended).toEqual([143, null]);
    expect(readdirSync(dir)).toEqual([]);

    s3.trouble = null;
    const owner = await loadInstallationOfBackups(scheduled.db);
    const left = [`${backupFileName("2026-06-05T03:00:00.000Z", owner)}.part`];
    const others = [`${backupFileName("2026-06-05T03:00:00.000Z", newId())}.part`, "notes.part"];
    for (const name of [...left, ...others]) {
      writeFileSync(path.join(dir, name), "");
      utimesSync(path.join(dir, name), 1, 1);
    }
    const running = `${backupFileName("2026-06-06T03:00:00.000Z", owner)}.part`;
    writeFileSync(path.join(dir, running), "");
    const { file } = await makeBackup({ config: scheduled.config, clock: server.clock, target: dir, passphrase: null });
    expect(readdirSync(dir).sort()).toEqual([...others, running, path.basename(file)].sort());
  } finally {
    s3.trouble = null;
    await server.stop();
    await s3.stop();
  }
});

test("a restored copy deletes none of the backups of the installation it was copied from", async () => {
  const dir = mkdtempSync(path.join(folder, "shared-"));
  const server = await startServer("sqlite", today());
  try {
    await server.company();
    const { config } = scheduledOf(server, { dir });
    const { clock } = server;
    const { file } = await makeBackup({ config, clock, target: dir, passphrase: null });
    const copy = configOf(folder, "copy", { BACKUP_DIR: dir, BACKUP_KEEP: "1" });
    await restoreInto(copy, file, null);
    clock.advance(60_000);
    const made = await makeBackup({ config: copy, clock, target: dir, passphrase: null });
    await removeOldBackups(dir, { owner: made.owner, count: 1, written: made.file, now: clock.millis() });
    expect(filesIn(dir).sort()).toEqual([file, made.file].map((one) => path.basename(one)).sort());
    expect(made.owner).not.toBe(await loadInstallationOfBackups(server.running.services.db));

    // it takes the place of the lost one: these are its own
    const successor = configOf(folder, "successor", { BACKUP_DIR: dir });
    await restoreInto(successor, file, null, { takesOver: true });
    clock.advance(60_000);
    const next = await makeBackup({ config: successor, clock, target: dir, passphrase: null });
    await removeOldBackups(dir, { owner: next.owner, count: 1, written: next.file, now: clock.millis() });
    expect(filesIn(dir).sort()).toEqual([made.file, next.file].map((one) => path.basename(one)).sort());
  } finally {
    await server.stop();
  }
});

test("an unwritable place for a backup is named, with the way out", async (context) => {
  const server = await startServer("sqlite", today());
  try {
    const config = readConfig({ DATA_DIR: server.dataDir });
    const make = (target: string) => makeBackup({ config, clock: systemClock, target, passphrase: null });
    const nowhere = path.join(folder, "nowhere");
    await expect(make(path.join(nowhere, "b.gz"))).rejects.toThrow(
      `${nowhere}: there is no such folder. Name a folder that this user can write`,
    );
    await expect(make("/proc/b.gz")).rejects.toThrow("/proc: ");
    const disk = mountSmallDisk(1);
    if (disk === null) return context.skip();
    try {
      disk.fill();
      await expect(make(path.join(disk.dir, "b.gz"))).rejects.toThrow(`no space left in ${disk.dir}: free some space`);
      expect(readdirSync(disk.dir)).toEqual(["filler"]);
    } finally {
      disk.unmount();
    }
  } finally {
    await server.stop();
  }
});
