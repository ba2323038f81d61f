import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seeded } from "../../../test/audit-tamper.ts";
import { testDeclarations, type Item, type TestCollections } from "../../../test/database/test-documents.ts";
import { count } from "../../../test/proof.ts";
import { DamagedDocumentError, LostCollectionError, TransactionConflictError, type Filter } from "../port.ts";
import { openSqlite } from "./open.ts";

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

let [root, types] = [0, 0];

beforeAll(async () => {
  const db = openSqlite<TestCollections>(join(folders, "whole"), testDeclarations);
  await db.prepare();
  await db.collection("items").insertMany(items);
  await db.collection("blobs").insertMany(blobs);
  await db.close();
  const file = new DatabaseSync(whole, { readOnly: true });
  const rootOf = (name: string) =>
    Number(file.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").get(name)?.["rootpage"]);
  [root, types] = [rootOf("items"), rootOf("_fields")];
  file.close();
});

const byId = { sort: { _id: 1 } } as const;

describe("one damaged page of the file", () => {
  const pages = readPages();
  test.each(pages)("page %s costs its documents alone", async (at, seed) => {
    const folder = join(folders, `page-${seed}`);
    mkdirSync(folder);
    const file = join(folder, "sopwright.db");
    copyFileSync(whole, file);
    const bytes = readFileSync(file);
    const place = (at % (bytes.length / pageSize - 1)) + 1;
    // what says of which type a field is, is read at the start
    if (place + 1 === types) return;
    bytes.fill(seed % 2 === 0 ? 0 : 0x5a, place * pageSize, (place + 1) * pageSize);
    writeFileSync(file, bytes);

    const met = new Set<string>();
    const indexes: string[] = [];
    const onDamage = (collection: string, id: string) => void met.add(`${collection} ${id}`);
    const onIndexDamage = (collection: string, isMade: boolean) => void indexes.push(`${collection} ${isMade}`);
    for (const readOnly of [true, false]) {
      const db = openSqlite<TestCollections>(folder, testDeclarations, { readOnly, onDamage, onIndexDamage });
      if (!readOnly) await db.prepare();
      const all = db.collection("items");
      // its root leads to all documents of a table: a server never shows them as none
      if (!readOnly && place + 1 === root) {
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
      if (place + 1 !== root) expect(items.length - moment.length).toBeLessThan(40);
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
      if (!readOnly && met.size === 0) {
        const added = { ...items[0], _id: "item-999", number: 999 };
        const add = () =>
          all.insertOne(added).then(
            () => null,
            (error: unknown) => error,
          );
        const first = await add();
        const failure = first instanceof TransactionConflictError ? await add() : first;
        const isAdded = failure === null;
        if (!isAdded) expect([...indexes, String(failure)]).toContain("items false");
        expect(await all.findOne({ companyId, number: 999 })).toEqual(isAdded ? added : null);
      }
      await db.close();
    }
    rmSync(folder, { recursive: true });
  });
});

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

/** The page, and a number for what it is filled with. The first page is the start's. */
function readPages(): [at: number, seed: number][] {
  return Array.from({ length: count({ usual: 60, proof: 2_000 }) }, (_, seed) => [seeded(seed + 1)(1_000_000), seed]);
}
