import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seeded } from "../../../test/audit-tamper.ts";
import { testDeclarations, type Item, type TestCollections } from "../../../test/database/test-documents.ts";
import { count } from "../../../test/proof.ts";
import {
  damagedDocumentText,
  DamagedDocumentError,
  LostCollectionError,
  TransactionConflictError,
  type BaseDocument,
  type Filter,
} from "../port.ts";
import { openSqlite, type SqliteDatabase } from "./open.ts";

const folders = mkdtempSync(join(tmpdir(), "sopwright-pages-"));
afterAll(() => rmSync(folders, { recursive: true, force: true }));

const pageSize = 4096;
const whole = join(folders, "whole", "sopwright.db");
const companyId = "c";
const items = Array.from({ length: 200 }, (_, n) => ({
  _id: `item-${String(n).padStart(3, "0")}`,
  companyId,
  name: `name ${n} ${"x".repeat((n % 7) * 900)}`,
  number: n,
  status: n % 2 === 0 ? "even" : "odd",
  words: [`word${n}`, "all"],
  meta: { size: n },
}));
const blobs = Array.from({ length: 8 }, (_, n) => ({
  _id: `blob-${n}`,
  companyId,
  type: "image/png",
  bytes: new Uint8Array(9_000 + n * 3_000).fill(n + 1),
}));

/** What each page belongs to. */
let owners: string[] = [];
let root = 0;

beforeAll(async () => {
  const db = openSqlite<TestCollections>(join(folders, "whole"), testDeclarations);
  await db.prepare();
  const all = db.collection("items");
  await all.insertMany(items);
  await db.collection("blobs").insertMany(blobs);
  const large = Array.from({ length: 10 }, (_, n) => ({ _id: `gone-${n}`, name: "x".repeat(120_000) }));
  await all.insertMany(large);
  await all.deleteMany({ _id: { $in: large.map(({ _id }) => _id) } });
  await db.close();
  const file = new DatabaseSync(whole);
  const pages = Number(file.prepare("PRAGMA page_count").get()?.["page_count"]);
  owners = Array.from({ length: pages }, () => "unused");
  for (const { name, pageno } of file.prepare("SELECT name, pageno FROM dbstat").all())
    owners[Number(pageno) - 1] = String(name);
  root = Number(file.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'items'").get()?.["rootpage"]) - 1;
  // SQLite names the first of the pages that lead to the others in the file's header
  file.close();
  owners[readFileSync(whole).readUInt32BE(32) - 1] = "list of unused pages";
});

const byId = { sort: { _id: 1 } } as const;
const added = { ...items[0], _id: "item-900", number: 900, name: "y".repeat(50_000) };
const wordsOfSqlite = /malformed|disk image|error code|sqlite|Tree \d|Page \d|wrong #|missing from|rowid|never used/i;
const tables = ["items", "blobs", "plain", "migrations"];

describe("one damaged page of the file", () => {
  test.each(readRounds())("round %s: page %s costs its documents alone", async (round, at) => {
    const folder = join(folders, `page-${round}`);
    mkdirSync(folder);
    const file = join(folder, "sopwright.db");
    copyFileSync(whole, file);
    copyFileSync(`${whole}-schema`, `${file}-schema`);
    const bytes = readFileSync(file);
    // each second round leaves out the many pages of documents and the unused ones
    const others = [...owners.keys()].filter((one) => !["items", "blobs", "unused"].includes(owners[one] ?? ""));
    const place = round % 4 < 2 ? at % owners.length : (others[at % others.length] ?? 0);
    const owner = owners[place] ?? "";
    bytes.fill(round % 2 === 0 ? 0 : 0x5a, place * pageSize, (place + 1) * pageSize);
    writeFileSync(file, bytes);

    const met = new Set<string>();
    const repairs: string[] = [];
    const options = {
      onDamage: (collection: string, id: string) => void met.add(`${collection} ${id}`),
      onRepair: (what: string, isMade: boolean) => void repairs.push(`${what} ${isMade}`),
    };
    const isOfList = owner === "sqlite_schema";
    const read = () => openSqlite<TestCollections>(folder, testDeclarations, { ...options, readOnly: true });
    if (isOfList) expect(read).toThrow("Start or restart the server: it puts back its copy of the list");
    for (const readOnly of isOfList ? [false] : [true, false]) {
      const db = openSqlite<TestCollections>(folder, testDeclarations, { ...options, readOnly });
      if (!readOnly) await db.prepare();
      const all = db.collection("items");
      // its root leads to all documents of a table: a server never shows them as none
      if (!readOnly && place === root) {
        await expect(all.find({}, byId)).rejects.toThrow(LostCollectionError);
        await expect(all.find({ status: "odd" })).rejects.toThrow(LostCollectionError);
        await expect(all.findOne({ _id: "item-000" })).rejects.toThrow(LostCollectionError);
        await expect(all.insertOne({ ...(items[0] as Item), _id: "new" })).rejects.toThrow(LostCollectionError);
        await db.close();
        continue;
      }
      const questions: (readonly [Filter<Item>, (item: (typeof items)[number]) => boolean])[] = [
        [{}, () => true],
        [{ companyId, number: { $gte: 50, $lt: 90 } }, ({ number }) => number >= 50 && number < 90],
        [{ companyId, "meta.size": { $gt: 150 } }, ({ meta }) => meta.size > 150],
        [{ companyId, words: "word7" }, ({ words }) => words.includes("word7")],
        [{ status: "odd" }, ({ status }) => status === "odd"],
      ];
      for (const [filter, accepts] of questions) {
        const found = await all.find(filter, byId);
        const expected = items.filter(accepts);
        expect(found).toEqual(expected.filter(({ _id }) => found.some((one) => one._id === _id)));
        for (const { _id } of expected)
          if (!found.some((one) => one._id === _id)) expect([...met]).toContain(`items ${_id}`);
        expect(await all.countDocuments(filter)).toBeGreaterThanOrEqual(found.length);
      }
      const moment = await db.snapshot((one) => one.collection("items").find({}, byId));
      expect(moment.length).toBe((await all.find({}, byId)).length);
      if (place !== root) expect(items.length - moment.length).toBeLessThan(40);
      for (const { _id } of items.filter((_, n) => n % 20 === 0)) {
        const one = await all.findOne({ _id }).catch(asDamaged);
        if (one === null) expect([...met]).toContain(`items ${_id}`);
      }
      for (const { _id } of blobs) {
        const one = await db
          .collection("blobs")
          .findOne({ _id }, { projection: { bytes: 1 } })
          .catch(asDamaged);
        if (one === null) expect([...met]).toContain(`blobs ${_id}`);
      }
      // each check starts a thread
      if (readOnly && round % 5 === 0) {
        const lines = await db.damage();
        if (owner !== "unused") expect(lines).not.toEqual([]);
        for (const line of lines) expect(line).not.toMatch(wordsOfSqlite);
      }
      if (!readOnly && met.size === 0) {
        const add = () =>
          all.insertOne(added).then(
            () => null,
            (error: unknown) => error,
          );
        const first = await add();
        const failure = first instanceof TransactionConflictError ? await add() : first;
        const isAdded = failure === null;
        if (!isAdded) expect([...repairs, String(failure)]).toContain("an index of items false");
        expect(await all.findOne({ companyId, number: 900 })).toEqual(isAdded ? added : null);
      }
      // what repeats documents, lists them or lists unused pages costs nothing
      if (!tables.includes(owner)) {
        expect([...met]).toEqual([]);
        if (!readOnly) expect(await all.countDocuments({})).toBe(items.length + 1);
        if (!readOnly) await useIndexes(db);
        if (!readOnly) expect(await db.damage()).toEqual([]);
        if (!readOnly) expect(repairs).toEqual(repairOf(owner));
      }
      await db.close();
    }
    const after = read();
    expect(await after.collection("items").countDocuments({})).toBeGreaterThan(0);
    await after.close();
    rmSync(folder, { recursive: true });
  });
});

describe("many damaged pages of the file", () => {
  const rounds = Array.from({ length: count({ usual: 12, proof: 400 }) }, (_, round) => round);
  test.each(rounds)("round %s: a backup has the readable rest, and names what is lost", async (round) => {
    const random = seeded(round + 1);
    const folder = join(folders, `pages-${round}`);
    mkdirSync(folder);
    const file = join(folder, "sopwright.db");
    copyFileSync(`${whole}-schema`, `${file}-schema`);
    const bytes = readFileSync(whole);
    const others = [...owners.keys()].filter((place) => owners[place] !== "sqlite_schema");
    const damaged = Math.ceil((owners.length * (4 + random(7))) / 100);
    for (let left = damaged; left > 0; left -= 1) {
      const place = others[random(others.length)] ?? 0;
      bytes.fill(random(2) === 0 ? 0 : 0x5a, place * pageSize, (place + 1) * pageSize);
    }
    writeFileSync(file, bytes);

    const met = new Set<string>();
    const onDamage = (collection: string, id: string) => void met.add(damagedDocumentText(collection, id));
    const db = openSqlite<TestCollections>(folder, testDeclarations, { readOnly: true, onDamage });
    const found = await db.snapshot(async (moment) => {
      const pages = { items: [] as BaseDocument[], blobs: [] as BaseDocument[] };
      for (const name of ["items", "blobs"] as const)
        for (let after = ""; ;) {
          const projection = name === "blobs" ? ({ projection: { bytes: 1, type: 1, companyId: 1 } } as const) : {};
          const some = await moment
            .collection(name as "blobs")
            .find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: 30, ...projection });
          if (some.length === 0) break;
          pages[name].push(...some);
          after = some.at(-1)?._id ?? "";
        }
      const odd = await moment.collection("items").find({ companyId, status: "odd" }, byId);
      expect(odd).toEqual(pages.items.filter((one) => (one as Item).status === "odd"));
      expect(await moment.collection("items").find({ companyId, words: "all" }, byId)).toEqual(pages.items);
      const many = await moment.collection("items").countDocuments({ companyId, number: { $gte: 0 } });
      // an index alone also counts what can't be read
      expect(many).toBeGreaterThanOrEqual(pages.items.length);
      return pages;
    });
    const lines = [...met];
    for (const [name, all] of [
      ["items", items],
      ["blobs", blobs],
    ] as const) {
      const ids = new Set(found[name].map(({ _id }) => _id));
      if (name === "items") expect(found[name]).toEqual(all.filter(({ _id }) => ids.has(_id)));
      const lost = all.filter(({ _id }) => !ids.has(_id) && !met.has(damagedDocumentText(name, _id)));
      const [, unnamed = "0"] = lines.map((line) => ofStretches.exec(line)).find((one) => one?.[2] === name) ?? [];
      expect(Number(unnamed)).toBeGreaterThanOrEqual(lost.length);
    }
    expect(await readableRows(file, "items", items.length)).toBe(found.items.length);
    await db.close();
    rmSync(folder, { recursive: true });
  });
});

test("a damaged page that leads to thousands of documents costs no others", async () => {
  const folder = join(folders, "inner");
  const db = openSqlite<TestCollections>(folder, testDeclarations);
  await db.prepare();
  const all = Array.from({ length: 60_000 }, (_, n) => ({ _id: `plain-${String(n).padStart(5, "0")}`, value: n }));
  await db.collection("plain").insertMany(all);
  await db.close();
  const file = new DatabaseSync(db.file);
  const pages = (name: string, type: string) =>
    file
      .prepare("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = ? AND path <> '/' ORDER BY path")
      .all(name, type)
      .map(({ pageno }) => Number(pageno));
  const [, inner = 0] = pages("plain", "internal");
  const [leaf = 0] = pages("plain", "leaf");
  const ofIds = pages("sqlite_autoindex_plain_1", "leaf");
  file.close();
  const bytes = readFileSync(db.file);
  for (const page of [inner, leaf, ofIds[9] ?? 0, ofIds.at(-9) ?? 0])
    bytes.fill(0x5a, (page - 1) * pageSize, page * pageSize);
  writeFileSync(db.file, bytes);
  const expected = await readableRows(db.file, "plain", all.length);
  const met = new Set<string>();
  const onDamage = (collection: string, id: string) => void met.add(damagedDocumentText(collection, id));
  const after = openSqlite<TestCollections>(folder, testDeclarations, { readOnly: true, onDamage });
  const found = await after.snapshot((moment) => moment.collection("plain").find({}, byId));
  await after.close();
  expect(found.length).toBe(expected);
  expect(all.length - found.length).toBeGreaterThan(10_000);
  const [, many] = [...met].map((line) => ofStretches.exec(line)).find((one) => one !== null) ?? [];
  expect(found.length + Number(many) + met.size - 1).toBe(all.length);
});

/** The number of the lost documents, and their collection. */
const ofStretches = /^documents in rows \d+ to \d+ \(at most (\d+)\) of (\w+): they can't be read$/;

/** Asked of SQLite for each row by itself. */
async function readableRows(file: string, name: "items" | "plain", most: number): Promise<number> {
  const db = new DatabaseSync(file, { readOnly: true });
  const one = db.prepare(`SELECT doc FROM ${name} WHERE row = ?`);
  const isReadable = (row: number) => {
    try {
      return JSON.parse(String(one.get(row)?.["doc"])) !== null;
    } catch {
      return false;
    }
  };
  const many = Array.from({ length: most + 20 }, (_, row) => row).filter(isReadable).length;
  db.close();
  return many;
}

/** What the server says that it repaired. */
function repairOf(owner: string): string[] {
  if (owner === "sqlite_schema") return ["the list of tables true"];
  if (owner === "_fields") return ["the types of fields true"];
  if (owner === "list of unused pages") return ["an index of items true", "the list of unused pages true"];
  const collection = tables.find((name) => owner.startsWith(`${name}/`) || owner === `sqlite_autoindex_${name}_1`);
  return collection === undefined ? [] : [`an index of ${collection} true`];
}

/** An index that isn't used isn't found to be damaged. A write to all of them finds it. */
async function useIndexes(db: SqliteDatabase<TestCollections>): Promise<void> {
  const patiently = async (write: () => Promise<unknown>) => {
    for (let left = 3; ; left--)
      try {
        return await write();
      } catch (error) {
        if (!(error instanceof TransactionConflictError) || left === 0) throw error;
      }
  };
  const change = { status: "pending", email: "one@example.org", deletedAt: null, count: 7, words: ["one", "two"] };
  for (const n of [1, 60, 120, 199])
    await patiently(() => db.collection("items").updateOne({ number: n }, { $set: { ...change, email: `${n}` } }));
  const more = { companyId, type: "image/webp", bytes: new Uint8Array(20_000) };
  await patiently(() => db.collection("blobs").insertOne({ _id: "more", ...more }));
  for (const number of [1, 60, 120, 199])
    await patiently(() =>
      db.collection("items").updateOne({ number }, { $set: { status: "even", email: `${number}@example.org` } }),
    );
}

test("a start on a lost record of migrations says so", async () => {
  const folder = join(folders, "migrations");
  const first = { number: 1, name: "first", passes: [] };
  const before = openSqlite<TestCollections>(folder, testDeclarations, { migrations: [first] });
  await before.prepare();
  await before.close();
  const file = new DatabaseSync(before.file);
  const sql = "SELECT rootpage FROM sqlite_schema WHERE name = 'migrations'";
  const place = (Number(file.prepare(sql).get()?.["rootpage"]) - 1) * pageSize;
  file.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  file.close();
  const bytes = readFileSync(before.file);
  // a leaf of a table without rows: the index of ids still has them
  bytes.set([0x0d, 0, 0, 0, 0, 0x10, 0, 0], place);
  writeFileSync(before.file, bytes);
  const after = openSqlite<TestCollections>(folder, testDeclarations, { migrations: [first] });
  await expect(after.prepare()).rejects.toThrow("the record of migration 1 is damaged: restore the last backup");
  await after.close();
});

function asDamaged(error: unknown): null {
  if (error instanceof DamagedDocumentError) return null;
  throw error;
}

/** The number decides what the page is filled with. */
function readRounds(): [round: number, at: number][] {
  return Array.from({ length: count({ usual: 40, proof: 500 }) }, (_, round) => [round, seeded(round + 1)(1_000_000)]);
}
