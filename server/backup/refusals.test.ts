/** What a backup refuses to write, and what a restore refuses to read. Nothing is written then. */
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "#core/clock.ts";
import { mountSmallDisk } from "../../test/full-disk.ts";
import { randomOf, seed } from "../../test/random-writes.ts";
import { describeServer } from "../../test/server.ts";
import { latestSchema } from "../database/migration-list.ts";
import { migrationRecordCollection } from "../database/migrations.ts";
import { lockFolder } from "../database/sqlite/lock.ts";
import { assertDatabaseFile } from "../data-folder/installation.ts";
import { keyFilePath } from "../keys/key-file.ts";
import { newKey, formatKeys } from "../keys/key-list.ts";
import { checkBackup } from "./read.ts";
import { readCurrentKeys, openKeys, sealKeys } from "./sealed-keys.ts";
import { configOf, passphrase, restoreInto } from "../../test/restored-backup.ts";
import { writeBackup } from "./write.ts";

const folder = mkdtempSync(path.join(tmpdir(), "sopwright-refusals-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const fileOf = (name: string) => path.join(folder, name);
const check = (file: string) => checkBackup(file);

describeServer("a restore", (server, engine) => {
  const good = fileOf(`${engine}-good.ndjson.gz`);
  let lines: string[] = [];

  beforeAll(async () => {
    const manager = await (await server().company()).user("manager");
    await manager.client.sops.create({
      body: { title: "Boiler check", description: "Check", markdown: "Look at it." },
    });
    const { config, db } = server().running.services;
    const keys = await sealKeys(readCurrentKeys(config), passphrase);
    await writeBackup(good, { db, config, clock: systemClock, keys });
    lines = gunzipSync(readFileSync(good)).toString().trimEnd().split("\n");
  });

  /** Written as the format says, with checksums that fit. */
  function forged(name: string, change: (lines: string[]) => string[]): string {
    const changed = change(lines.slice(0, -1));
    const sha256 = createHash("sha256")
      .update(changed.map((line) => `${line}\n`).join(""))
      .digest("hex");
    const { end } = JSON.parse(lines.at(-1) ?? "") as { end: object };
    const file = fileOf(`${engine}-${name}.gz`);
    writeFileSync(file, gzipSync([...changed, JSON.stringify({ end: { ...end, sha256 } })].join("\n") + "\n"));
    return file;
  }
  const withHeader = (change: object) => (all: string[]) => [
    JSON.stringify({ ...(JSON.parse(all[0] ?? "") as object), ...change }),
    ...all.slice(1),
  ];
  const withLine = (line: unknown) => (all: string[]) => [...all, JSON.stringify(line)];

  test("reads what it refuses below, unchanged", async () => {
    const { summary, header } = await check(forged("same", (all) => all));
    expect(summary.documents["sops"]?.count).toBe(1);
    expect(header.keys).not.toBeNull();
  });

  test("refuses a file that was cut off anywhere", async () => {
    const bytes = readFileSync(good);
    const random = randomOf(seed);
    const file = fileOf(`${engine}-cut.gz`);
    for (const length of [
      0,
      1,
      9,
      10,
      40,
      bytes.length - 1,
      ...Array.from({ length: 40 }, () => random.below(bytes.length)),
    ]) {
      writeFileSync(file, bytes);
      truncateSync(file, length);
      await expect(check(file), `${length} bytes, seed ${seed}`).rejects.toThrow(/ends too early|is no backup/);
    }
    const unpacked = lines.slice(0, -1).join("\n");
    writeFileSync(file, gzipSync(`${unpacked}\n`));
    await expect(check(file)).rejects.toThrow("ends too early");
  });

  test("refuses each changed byte, or reads the same as without the change", async () => {
    const bytes = readFileSync(good);
    const { summary } = await check(good);
    const random = randomOf(seed);
    const file = fileOf(`${engine}-flip.gz`);
    let refused = 0;
    for (let n = 0; n < 60; n++) {
      const at = random.below(bytes.length);
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8));
      writeFileSync(file, changed);
      const read = await check(file).catch((error: Error) => error);
      if (read instanceof Error) refused += 1;
      else expect([read.summary, at, seed]).toEqual([summary, at, seed]);
      if (read instanceof Error) expect(read.message).toMatch(/damaged|ends too early|is no backup/);
    }
    // the time and the system in the header of gzip mean nothing
    expect(refused).toBeGreaterThan(50);
  });

  test.each<[string, (all: string[]) => string[], RegExp]>([
    ["another format", withHeader({ format: "other" }), /is no backup of Sopwright/],
    ["a newer format", withHeader({ version: 2 }), /has format 2, this program reads 1/],
    ["a newer schema", withHeader({ schema: 9_999 }), /has schema 9999, this program knows up to/],
    [
      "an older schema",
      withHeader({ schema: 17 }),
      /has schema 17, this program reads those from 18\. Restore it with/,
    ],
    ["an unknown collection", withLine(["../../etc", { _id: "a" }]), /unknown collection "\.\.\/\.\.\/etc"/],
    ["sessions", withLine(["sessions", { _id: "a", userId: "b" }]), /unknown collection "sessions"/],
    [
      "an id that leads out of the folder",
      withLine(["outbox", { _id: "../../evil" }]),
      /has the id "\.\.\/\.\.\/evil"/,
    ],
    ["a company that leads out of it", withLine(["companies", { _id: ".." }]), /has the id "\.\."/],
    ["a company with dots", withLine(["sops", { _id: "a", companyId: "..b" }]), /belongs to the company "\.\.b"/],
    [
      "the id of an installation",
      withLine(["system", { _id: "installation", value: "x" }]),
      /has the id "installation"/,
    ],
    ["a line that is no document", withLine("text"), /unknown collection/],
    ["more documents than its end says", withLine(["teams", { _id: "t", companyId: "c" }]), /teams differs/],
    ["something after its end", (all) => [...all, lines.at(-1) ?? ""], /differs from its checksum|after its end/],
  ])("refuses %s", async (name, change, message) => {
    const file = forged(name.replaceAll(" ", "-"), change);
    await expect(check(file)).rejects.toThrow(message);
    const config = configOf(folder, `${engine}-${name}`);
    await expect(restoreInto(config, file)).rejects.toThrow(message);
    expect(existsSync(config.dataDir)).toBe(false);
  });

  test("refuses other files, folders and names without a file", async () => {
    const text = fileOf("text.txt");
    writeFileSync(text, "a shopping list");
    await expect(check(text)).rejects.toThrow("is no backup of Sopwright");
    writeFileSync(text, gzipSync("a shopping list"));
    await expect(check(text)).rejects.toThrow("is no backup of Sopwright");
    await expect(check(folder)).rejects.toThrow("is a folder");
    await expect(check(fileOf("nothing"))).rejects.toThrow("there is no file");
  });

  test("refuses a wrong passphrase, and changed keys", async () => {
    const { keys } = (await check(good)).header;
    if (!keys) throw new Error("they were saved");
    expect(await openKeys(keys, passphrase)).toEqual(readCurrentKeys(server().running.services.config));
    await expect(openKeys(keys, "another passphrase")).rejects.toThrow("the passphrase is wrong");
    await expect(openKeys({ ...keys, tag: Buffer.alloc(16).toString("base64") }, passphrase)).rejects.toThrow("wrong");
    const costly = { ...keys, cost: { N: 2 ** 30, r: 8, p: 1 } };
    await expect(openKeys(costly, passphrase)).rejects.toThrow("a way that this program doesn't know");
    expect(JSON.stringify(keys)).not.toContain(
      readCurrentKeys(server().running.services.config)[0]?.secret.toString("base64"),
    );
  });

  test("refuses an installation that is not empty, and one with other keys", async () => {
    const config = configOf(folder, `${engine}-used`);
    await restoreInto(config, good);
    await expect(restoreInto(config, good)).rejects.toThrow(/is in use: it has .*sopwright\.db/);
    const left = configOf(folder, `${engine}-left`);
    mkdirSync(path.join(left.dataDir, "restoring"), { recursive: true });
    const unlock = lockFolder(left.dataDir);
    if (engine === "sqlite") await expect(restoreInto(left, good)).rejects.toThrow(/is in use by process \d+/);
    unlock();
    writeFileSync(path.join(left.dataDir, "restoring", "sopwright.db"), "half");
    if (engine === "sqlite")
      expect(() => assertDatabaseFile(left.dataDir)).toThrow(
        `a restore into ${left.dataDir} did not end: run it again, or delete ${left.dataDir}/restoring`,
      );
    await restoreInto(left, good);
    expect(readdirSync(left.dataDir)).not.toContain("restoring");
    assertDatabaseFile(left.dataDir);
    const other = configOf(folder, `${engine}-keys`);
    mkdirSync(other.dataDir);
    writeFileSync(keyFilePath(other.dataDir), formatKeys([newKey()]), { mode: 0o600 });
    await expect(restoreInto(other, good)).rejects.toThrow("lacks keys of the backup");
    expect(readdirSync(other.dataDir)).toEqual(["keys"]);
    await restoreInto(other, good, null);
    expect(existsSync(path.join(other.dataDir, "sopwright.db"))).toBe(true);
  });

  test("is not offered data between two versions: a backup then refuses", async () => {
    const { config, db } = server().running.services;
    const file = fileOf(`${engine}-between.gz`);
    const records = migrationRecordCollection(db);
    const newest = { number: latestSchema };
    await records.updateOne(newest, { $set: { progress: { pass: 0, after: "a", documents: 1 } } });
    const options = { db, config, clock: systemClock, keys: null };
    await expect(writeBackup(file, options)).rejects.toThrow("the stored data is between two versions");
    await records.updateOne(newest, { $unset: { progress: "" } });
    await writeBackup(file, options);
    expect((await check(file)).header.schema).toBe(latestSchema);
  });

  test("overwrites no file with a backup, and leaves nothing when the disk is full", async (context) => {
    const { config: own, db } = server().running.services;
    const options = { db, config: own, clock: systemClock, keys: null };
    await expect(writeBackup(good, options)).rejects.toThrow("exists: choose another name");
    expect(statSync(good).mode & 0o777).toBe(0o600);
    const disk = mountSmallDisk(24);
    if (disk === null) return context.skip();
    try {
      disk.fill();
      await expect(writeBackup(path.join(disk.dir, "full.gz"), options)).rejects.toThrow(
        `no space left in ${disk.dir}`,
      );
      expect(readdirSync(disk.dir)).toEqual(["filler"]);
      const config = configOf(disk.dir, "restored");
      await expect(restoreInto(config, good)).rejects.toThrow();
      disk.free();
      await restoreInto(config, good);
    } finally {
      disk.unmount();
    }
  });
});
