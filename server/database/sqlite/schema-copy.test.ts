import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seeded } from "../../../test/audit-tamper.ts";
import { testDeclarations, type TestCollections } from "../../../test/database/test-documents.ts";
import { count } from "../../../test/proof.ts";
import type { BaseDocument, Declarations } from "../port.ts";
import { countMissingBytes } from "./first-page.ts";
import { openSqlite } from "./open.ts";

const root = mkdtempSync(join(tmpdir(), "sopwright-schema-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

type Tested = TestCollections & { words: BaseDocument };
/** With a name after "sqlite_", which begins those of SQLite's own indexes. */
const declarations: Declarations<Tested> = { ...testDeclarations, words: { tenant: false, indexes: [] } };
const pageSize = 4096;
const sourceFolder = join(root, "source");
const source = join(sourceFolder, "sopwright.db");
const items = Array.from({ length: 30 }, (_, n) => ({ _id: `item-${n}`, companyId: "c", number: n }));

beforeAll(async () => {
  const db = openSqlite<Tested>(sourceFolder, declarations);
  await db.prepare();
  await db.collection("items").insertMany(items);
  await db.close();
});

let made = 0;
function copied(): { folder: string; file: string } {
  const folder = join(root, `copy-${(made += 1)}`);
  cpSync(sourceFolder, folder, { recursive: true });
  return { folder, file: join(folder, "sopwright.db") };
}

function fill(file: string, place: number, value: number | Buffer): void {
  const bytes = readFileSync(file);
  bytes.set(typeof value === "number" ? Buffer.alloc(pageSize, value) : value, place);
  writeFileSync(file, bytes);
}

async function start(folder: string) {
  const repairs: string[] = [];
  let dropped = 0;
  const db = openSqlite<Tested>(folder, declarations, {
    onRepair: (what) => void repairs.push(what),
    onDropped: (changes) => void (dropped += changes),
  });
  await db.prepare();
  return { db, repairs, dropped: () => dropped, count: await db.collection("items").countDocuments({}) };
}

const isReadable = (folder: string) => {
  const read = () => openSqlite<Tested>(folder, declarations, { readOnly: true }).close();
  return expect(read);
};

describe("the list of tables", () => {
  test("whose page was emptied is put back, and what was there is kept", async () => {
    const { folder, file } = copied();
    const before = readFileSync(file).subarray(0, pageSize);
    // SQLite reads an empty leaf without an error
    fill(file, 100, Buffer.from([0x0d, 0, 0, 0, 0, 0x10, 0, 0]));
    const emptied = readFileSync(file).subarray(0, pageSize);
    expect(emptied.equals(before)).toBe(false);
    isReadable(folder).toThrow("the list of tables in sopwright.db is damaged");
    const { db, repairs, count: found } = await start(folder);
    expect({ repairs, found }).toEqual({ repairs: ["the list of tables"], found: items.length });
    expect(await db.damage()).toEqual([]);
    await db.close();
    const [kept] = readdirSync(folder).filter((name) => name.startsWith("sopwright.db-damaged-"));
    const { replaced } = JSON.parse(readFileSync(join(folder, String(kept)), "utf8")) as { replaced: string };
    expect(Buffer.from(replaced, "base64").equals(emptied)).toBe(true);
    const again = await start(folder);
    expect(again.repairs).toEqual([]);
    await again.db.close();
  });

  test("is put back by the next start after one that was stopped", async () => {
    const { folder, file } = copied();
    fill(file, 0, 0);
    const stopped = copied();
    const { db } = await start(folder);
    await db.close();
    const [kept] = readdirSync(folder).filter((name) => name.startsWith("sopwright.db-damaged-"));
    // a start that ends after it wrote the first page leaves a list without entries
    copyFileSync(join(folder, String(kept)), `${stopped.file}-restoring`);
    fill(stopped.file, 100, Buffer.from([0x0d, 0, 0, 0, 0, 0x10, 0, 0]));
    fill(stopped.file, 40, Buffer.from([0, 0, 0, 1]));
    isReadable(stopped.folder).toThrow("Start or restart the server");
    const { db: after, count: found } = await start(stopped.folder);
    expect(found).toBe(items.length);
    await after.close();
    expect(existsSync(`${stopped.file}-restoring`)).toBe(false);
  });

  test("stays as it is in a file that the copy isn't of", async () => {
    const { folder, file } = copied();
    const other = new DatabaseSync(join(root, "other.db"));
    other.exec("CREATE TABLE other (a)");
    other.close();
    copyFileSync(join(root, "other.db"), file);
    fill(file, 0, 0x5a);
    const open = () => openSqlite<Tested>(folder, declarations);
    expect(open).toThrow("damaged, so no document can be found. Check DATA_DIR, or restore the last backup");
    expect(readFileSync(file).subarray(0, pageSize)).toEqual(Buffer.alloc(pageSize, 0x5a));
  });

  test("of an older file that was put back counts, not the copy", async () => {
    const { folder, file } = copied();
    const newer = new DatabaseSync(file);
    newer.exec("CREATE TABLE newer (a)");
    newer.close();
    await (await start(folder)).db.close();
    copyFileSync(source, file);
    const { db, repairs, count: found } = await start(folder);
    expect({ repairs, found }).toEqual({ repairs: [], found: items.length });
    await db.close();
  });

  test("without a copy that can be read says what to do", () => {
    const { folder, file } = copied();
    writeFileSync(`${file}-schema`, readFileSync(`${file}-schema`, "utf8").replace("items", "itemz"));
    fill(file, 0, 0x5a);
    expect(() => openSqlite<Tested>(folder, declarations)).toThrow(
      "can be found. Check DATA_DIR, or restore the last backup",
    );
  });
});

describe("pages at the end that a killed server's file lacks, and that its log counts", () => {
  const large = Array.from({ length: 50 }, (_, n) => ({ _id: `large-${n}`, name: "x".repeat(6_000) }));
  /** @param isUnused no tree leads to the pages at the end */
  const killed = async (isUnused: boolean) => {
    const { folder } = copied();
    const before = openSqlite<Tested>(folder, declarations);
    await before.prepare();
    await before.collection("items").insertMany(large);
    if (isUnused) await before.collection("items").deleteMany({ _id: { $in: large.map(({ _id }) => _id) } });
    await before.close();
    const running = openSqlite<Tested>(folder, declarations);
    await running.prepare();
    await running.collection("items").insertOne({ _id: "small" });
    const crashed = join(root, `crashed-${isUnused ? "unused" : "used"}`);
    cpSync(folder, crashed, { recursive: true });
    await running.close();
    rmSync(join(crashed, "sopwright.lock"), { force: true });
    rmSync(join(crashed, "sopwright.db-shm"), { force: true });
    const file = join(crashed, "sopwright.db");
    truncateSync(file, statSync(file).size - 8 * pageSize);
    expect(countMissingBytes(file)).toBeGreaterThan(0);
    return crashed;
  };

  test("cost nothing if no tree leads to them", async () => {
    const folder = await killed(true);
    const first = await start(folder);
    expect(first.count).toBe(items.length + 1);
    await first.db.collection("items").insertMany(large);
    // the end moves the log into the file
    await first.db.close();
    const { db, count: found } = await start(folder);
    expect([found, await db.damage()]).toEqual([items.length + 1 + large.length, []]);
    await db.close();
  });

  test("end the start if a tree leads to them, and file and log stay", async () => {
    const folder = await killed(false);
    const stored = () => ["", "-wal"].map((end) => readFileSync(join(folder, `sopwright.db${end}`)).toString("hex"));
    const before = stored();
    expect(() => openSqlite<Tested>(folder, declarations)).toThrow(/sopwright\.db is \d+ KB shorter than it was/);
    expect(stored()).toEqual(before);
  });
});

describe("one damaged page of the write-ahead log", () => {
  const whole: number[] = [];
  const rounds = Array.from({ length: count({ usual: 12, proof: 100 }) }, (_, round) => round);
  test.each(rounds)("round %s: costs the changes from there on, and no part of the others", async (round) => {
    const { folder } = copied();
    const running = openSqlite<Tested>(folder, declarations);
    await running.prepare();
    const added = Array.from({ length: 12 }, (_, n) => ({ _id: `new-${n}`, name: "x".repeat(n * 900), count: n }));
    for (const one of added) await running.collection("items").insertOne(one);
    const crashed = join(root, `crashed-${round}`);
    cpSync(folder, crashed, { recursive: true });
    await running.close();
    rmSync(join(crashed, "sopwright.lock"), { force: true });
    rmSync(join(crashed, "sopwright.db-shm"), { force: true });
    const log = join(crashed, "sopwright.db-wal");
    const frames = Math.floor((readFileSync(log).length - 32) / (pageSize + 24));
    expect(frames).toBeGreaterThan(20);
    const frame = seeded(round + 1)(1_000_000) % frames;
    fill(log, 32 + frame * (pageSize + 24) + 24, round % 2 === 0 ? 0 : 0x5a);
    // the first page in the file, too
    if (round % 3 === 0) fill(join(crashed, "sopwright.db"), 0, 0x5a);
    const { db, dropped } = await start(crashed);
    const found = await db.collection("items").find({ _id: { $in: added.map(({ _id }) => _id) } });
    const before = found.toSorted((a, b) => Number(a.count) - Number(b.count));
    expect(before).toEqual(added.slice(0, before.length));
    expect(await db.collection("items").countDocuments({})).toBe(items.length + before.length);
    expect(await db.damage()).toEqual([]);
    await db.close();
    // SQLite can't tell the damaged change from one that was not whole yet
    const lost = added.length - before.length;
    expect([lost, lost - 1]).toContain(dropped());
    whole.push(lost);
  });

  test("is tried in the middle and at the end", () => expect(new Set(whole).size).toBeGreaterThan(2));

  test("that is whole drops nothing", async () => {
    const { folder } = copied();
    const running = openSqlite<Tested>(folder, declarations);
    await running.prepare();
    await running.collection("items").insertOne({ _id: "new" });
    const crashed = join(root, "crashed-whole");
    cpSync(folder, crashed, { recursive: true });
    await running.close();
    const { db, dropped, count: found } = await start(crashed);
    expect({ dropped: dropped(), found }).toEqual({ dropped: 0, found: items.length + 1 });
    await db.close();
  });
});
