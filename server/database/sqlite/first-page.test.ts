/** A file that is shorter or longer than its first page says, and a first page with damaged numbers. */
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
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
import { openSqlite } from "./open.ts";

const root = mkdtempSync(join(tmpdir(), "sopwright-first-page-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const pageSize = 4096;
const whole = join(root, "whole");
const items = Array.from({ length: 150 }, (_, n) => ({
  _id: `item-${String(n).padStart(3, "0")}`,
  companyId: "c",
  name: `name ${n} ${"x".repeat((n % 7) * 900)}`,
  number: n,
}));
const byId = { sort: { _id: 1 } } as const;
const shorter = /^sopwright\.db is \d+ KB shorter than it was, so documents are lost\. Restore the last backup\./;

beforeAll(async () => {
  const db = openSqlite<TestCollections>(whole, testDeclarations);
  await db.prepare();
  await db.collection("items").insertMany(items);
  // unused pages
  const large = Array.from({ length: 5 }, (_, n) => ({ _id: `gone-${n}`, name: "x".repeat(60_000) }));
  await db.collection("items").insertMany(large);
  await db.collection("items").deleteMany({ _id: { $in: large.map(({ _id }) => _id) } });
  await db.collection("items").insertMany(added("late", 40));
  await db.close();
});

const added = (name: "late" | "more" | "new", many: number) =>
  Array.from({ length: many }, (_, n) => ({
    _id: `${name}-${n}`,
    companyId: "c",
    name: "y".repeat(2_500),
    number: { late: 1_000, more: 2_000, new: 3_000 }[name] + n,
  }));
const all = () => [...items, ...added("late", 40)].toSorted((a, b) => (a._id < b._id ? -1 : 1));

let made = 0;
function copied(change: (bytes: Buffer) => Buffer = (bytes) => bytes): { folder: string; file: string } {
  const folder = join(root, `copy-${(made += 1)}`);
  mkdirSync(folder);
  const file = join(folder, "sopwright.db");
  copyFileSync(join(whole, "sopwright.db-schema"), `${file}-schema`);
  writeFileSync(file, change(readFileSync(join(whole, "sopwright.db"))));
  return { folder, file };
}

const start = (folder: string) => () => openSqlite<TestCollections>(folder, testDeclarations).close();

/** @returns the ids that a reader finds, and what it names as lost */
async function readRest(folder: string) {
  const named = new Set<string>();
  const onDamage = (_: string, id: string) => void named.add(id);
  const db = openSqlite<TestCollections>(folder, testDeclarations, { readOnly: true, onDamage });
  const found = await db.snapshot((moment) => moment.collection("items").find({}, byId));
  const lines = await db.damage();
  await db.close();
  return { found, named, lines };
}

/** SQLite's own words for trees that share pages. */
function shared(file: string): string[] {
  const db = new DatabaseSync(file, { readOnly: true });
  const lines = db.prepare("PRAGMA integrity_check(10000)").all();
  db.close();
  return lines.map((line) => String(line["integrity_check"])).filter((line) => line.includes("2nd reference"));
}

const headOf = (file: string) => readFileSync(file).subarray(0, pageSize);

describe("a file that lost its end", () => {
  test.each([1, 5, 20, 0.5, 1.25])(
    "of %d pages is never opened to write, and what is left can be read",
    async (pages) => {
      const { folder, file } = copied((bytes) => bytes.subarray(0, bytes.length - pages * pageSize));
      const before = readFileSync(file);
      expect(start(folder)).toThrow(shorter);
      expect(start(folder)).toThrow(`${pages * 4} KB shorter`);
      expect(readFileSync(file).equals(before)).toBe(true);
      const { found, named, lines } = await readRest(folder);
      expect(lines[0]).toMatch(shorter);
      expect(found).toEqual(all().filter(({ _id }) => found.some((one) => one._id === _id)));
      expect(all().filter(({ _id }) => !found.some((one) => one._id === _id) && !named.has(_id))).toEqual([]);
      expect(readFileSync(file).equals(before)).toBe(true);
    },
  );

  test("is one also beside a log that adds a page behind the lost ones", async () => {
    const { folder, file } = copied();
    const running = openSqlite<TestCollections>(folder, testDeclarations);
    await running.prepare();
    await running.collection("items").insertMany(added("more", 40));
    const crashed = join(root, "crashed");
    cpSync(folder, crashed, { recursive: true });
    await running.close();
    rmSync(join(crashed, "sopwright.lock"), { force: true });
    rmSync(join(crashed, "sopwright.db-shm"), { force: true });
    const isWhole = join(root, "crashed-whole");
    cpSync(crashed, isWhole, { recursive: true });
    const { length } = readFileSync(file);
    truncateSync(join(crashed, "sopwright.db"), readFileSync(join(whole, "sopwright.db")).length - 5 * pageSize);
    expect(length).toBeGreaterThan(readFileSync(join(crashed, "sopwright.db")).length);
    const before = readFileSync(join(crashed, "sopwright.db"));
    expect(start(crashed)).toThrow(shorter);
    expect(readFileSync(join(crashed, "sopwright.db")).equals(before)).toBe(true);
    // the log has the pages that the file doesn't have yet
    const db = openSqlite<TestCollections>(isWhole, testDeclarations);
    await db.prepare();
    expect(await db.collection("items").countDocuments({})).toBe(all().length + 40);
    expect(await db.damage()).toEqual([]);
    await db.close();
  });

  test("and a first page that doesn't count its pages", () => {
    for (const at of [24, 28, 92]) {
      const { folder } = copied((bytes) => {
        bytes.fill(at === 28 ? 0 : 0x5a, at, at + 4);
        return bytes.subarray(0, bytes.length - 5 * pageSize);
      });
      expect(start(folder)).toThrow(shorter);
      expect(start(folder)).toThrow("20 KB shorter");
    }
  });

  test("and the list of tables is left as it is", () => {
    const { folder, file } = copied((bytes) => bytes.fill(0x5a, 0, pageSize).subarray(0, bytes.length - 5 * pageSize));
    expect(start(folder)).toThrow("Check DATA_DIR, or restore the last backup");
    expect(start(folder)).toThrow("Check DATA_DIR, or restore the last backup");
    expect(headOf(file)).toEqual(Buffer.alloc(pageSize, 0x5a));
  });
});

const served = async (folder: string) => {
  const db = openSqlite<TestCollections>(folder, testDeclarations);
  await db.prepare();
  expect(await db.collection("items").find({}, byId)).toEqual(all());
  await db.collection("items").insertMany(added("new", 60));
  expect(await db.damage()).toEqual([]);
  await db.close();
  expect(shared(join(folder, "sopwright.db"))).toEqual([]);
};

describe("a file of more pages than its first page says", () => {
  test("with bytes at its end that no tree leads to is whole", async () => {
    for (const more of [pageSize * 3, 1000])
      await served(copied((bytes) => Buffer.concat([bytes, Buffer.alloc(more, 0x5a)])).folder);
  });

  test("that the others need gets their count", async () => {
    for (const less of [3, 25]) {
      const change = (bytes: Buffer) => void bytes.writeUInt32BE(bytes.readUInt32BE(28) - less, 28);
      await served(copied((bytes) => (change(bytes), bytes)).folder);
    }
  });

  test("with a first page of an earlier moment shares no pages", async () => {
    const { folder, file } = copied();
    const head = Buffer.from(headOf(file));
    const db = openSqlite<TestCollections>(folder, testDeclarations);
    await db.prepare();
    await db.collection("items").insertMany(added("more", 90));
    await db.close();
    const bytes = readFileSync(file);
    bytes.set(head, 0);
    writeFileSync(file, bytes);
    const refusal = await refusalOf(folder);
    expect(refusal).toContain("mixes pages of different times");
    expect(headOf(file).subarray(0, 92)).toEqual(head.subarray(0, 92));
  });
});

/** The bytes of the header that say how SQLite reads and writes pages. */
const numbers = {
  "size of a page": 16,
  "unused end": 20,
  "format of the list": 44,
  "largest root": 52,
  encoding: 56,
  vacuum: 64,
};

test.each(Object.entries(numbers))("a wrong %s costs nothing", async (_, at) => {
  const { folder } = copied((bytes) => {
    const place = at === 16 || at === 20 ? at : at + 3;
    bytes.writeUInt8(bytes.readUInt8(place) ^ 3, place);
    return bytes;
  });
  expect(() => openSqlite<TestCollections>(folder, testDeclarations, { readOnly: true })).toThrow("Start or restart");
  await served(folder);
});

test("a copy of the list that lacks a table is none", () => {
  const { folder, file } = copied((bytes) => bytes.fill(0x5a, 0, 100));
  const { plain: _, ...earlier } = testDeclarations;
  const before = join(root, "earlier");
  const db = openSqlite(before, earlier);
  return db.prepare().then(async () => {
    await db.close();
    copyFileSync(join(before, "sopwright.db-schema"), `${file}-schema`);
    expect(start(folder)).toThrow("Check DATA_DIR, or restore the last backup");
  });
});

async function refusalOf(folder: string): Promise<string | null> {
  try {
    await start(folder)();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

describe("cut ends, long ends and altered bits of the first page", () => {
  const rounds = Array.from({ length: count({ usual: 24, proof: 600 }) }, (_, round) => round);
  test.each(rounds)("round %s: no page is shared, and each lost document is named", async (round) => {
    const random = seeded(round + 1);
    const cut = [0, random(12 * pageSize), random(60) * pageSize][round % 3] ?? 0;
    const { folder, file } = copied((bytes) => {
      // the header more often than the list
      for (let left = round % 4; left > 0; left -= 1) {
        const bit = random(random(2) === 0 ? 800 : 8 * pageSize);
        bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      }
      const rest = bytes.subarray(0, bytes.length - cut);
      return random(5) === 0 ? Buffer.concat([rest, Buffer.alloc(random(3 * pageSize), 0x5a)]) : rest;
    });
    const refusal = await refusalOf(folder);
    if (refusal !== null) {
      expect(refusal).toMatch(/^(sopwright\.db|the list of tables in sopwright\.db) .* [Rr]estore the last backup/);
      return;
    }
    const db = openSqlite<TestCollections>(folder, testDeclarations);
    await db.prepare();
    await db
      .collection("items")
      .insertMany(added("new", 60))
      .catch(() => undefined);
    await db.close();
    expect(shared(file)).toEqual([]);
    const { found, named } = await readRest(folder);
    const ids = new Set(found.map(({ _id }) => _id));
    expect(all().filter(({ _id }) => !ids.has(_id) && !named.has(_id))).toEqual([]);
    const written = new Map([...all(), ...added("new", 60)].map((one) => [one._id, one]));
    expect(found).toEqual(found.map(({ _id }) => written.get(_id)));
  });
});
