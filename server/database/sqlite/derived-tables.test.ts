/** Tables that the engine derives from documents: the elements of indexed arrays, and the types of fields. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, test } from "vitest";
import { seeded } from "../../../test/audit-tamper.ts";
import { damageDocument } from "../../../test/damage.ts";
import { testDeclarations, type Item, type TestCollections } from "../../../test/database/test-documents.ts";
import { count } from "../../../test/proof.ts";
import { openSqlite } from "./open.ts";

const root = mkdtempSync(join(tmpdir(), "sopwright-derived-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const companyId = "c";
const items: Item[] = Array.from({ length: 30 }, (_, n) => ({
  _id: `item-${String(n).padStart(2, "0")}`,
  companyId: n % 10 === 9 ? "other" : companyId,
  name: `name ${n}`,
  number: n,
  status: "even",
  email: `${n}@example.org`,
  words: [`word${n % 5}`, "all", "all"],
  meta: { size: n },
}));
const byId = { sort: { _id: 1 } } as const;
const byItself =
  "No document is lost. Start the server, or leave it running: it repairs this soon after each start and once a day";

/** @param change gets the file of a database with the items */
async function makeFolder(name: string, change: (file: DatabaseSync) => void): Promise<string> {
  const folder = join(root, name);
  const db = openSqlite<TestCollections>(folder, testDeclarations);
  await db.prepare();
  await db.collection("items").insertMany(items);
  await db.close();
  const file = new DatabaseSync(db.file);
  change(file);
  file.close();
  return folder;
}

async function verified(folder: string): Promise<string[]> {
  const db = openSqlite<TestCollections>(folder, testDeclarations, { readOnly: true });
  try {
    return await db.damage();
  } finally {
    await db.close();
  }
}

async function openWriter(folder: string) {
  const repairs: string[] = [];
  const onRepair = (what: string, isMade: boolean) => void repairs.push(`${what} ${isMade}`);
  const db = openSqlite<TestCollections>(folder, testDeclarations, { onRepair });
  await db.prepare();
  return { db, repairs, all: db.collection("items") };
}

const differs = (name: string, how: string) => `the table ${name} differs from the documents: ${how}. ${byItself}`;

describe("the table of an array's elements", () => {
  const changes: [name: string, sql: string, how: string][] = [
    ["a lost row", "DELETE FROM \"items/words\" WHERE value = 'word3' AND row = 4", "it lacks 1 row"],
    ["an added row", "INSERT INTO \"items/words\" VALUES ('c', 'added', 4)", "it has 1 row too many"],
    ["a row of no document", "INSERT INTO \"items/words\" VALUES ('c', 'word1', 31)", "it has 1 row too many"],
    ["no rows", 'DELETE FROM "items/words"', "it lacks 60 rows"],
    [
      "changed rows",
      "UPDATE \"items/words\" SET value = 'changed' WHERE value = 'word3'",
      "it lacks 6 rows and has 6 rows too many",
    ],
    [
      "rows of another company",
      "UPDATE \"items/words\" SET prefix0 = 'another' WHERE prefix0 = 'other' AND value = 'all'",
      "it lacks 3 rows and has 3 rows too many",
    ],
  ];
  test.each(changes)("with %s is named, and made again", async (name, sql, how) => {
    const folder = await makeFolder(name, (file) => file.exec(sql));
    expect(await verified(folder)).toEqual([differs("items/words", how)]);
    const { db, all, repairs } = await openWriter(folder);
    // results of queries are kept
    await all.find({ companyId, words: "word3" });
    expect(await db.damage()).toEqual([]);
    expect(repairs).toEqual(["the table items/words true"]);
    for (const word of ["word1", "word3", "all", "added", "changed"]) {
      const expected = items.filter((item) => item.companyId === companyId && item.words?.includes(word));
      expect(await all.find({ companyId, words: word }, byId)).toEqual(expected);
    }
    await db.close();
    expect(await verified(folder)).toEqual([]);
  });

  test("refuses no write beside a row too many", async () => {
    const folder = await makeFolder("write", (file) =>
      file.exec("INSERT INTO \"items/words\" VALUES ('c', 'added', 4), ('c', 'new', 31)"),
    );
    const { db, all } = await openWriter(folder);
    await all.updateOne({ _id: "item-03" }, { $set: { words: ["added"] } });
    await all.insertOne({ _id: "new", companyId, words: ["new"] });
    expect(await db.damage()).toEqual([]);
    await db.close();
  });

  test("is made again beside a damaged document, and keeps the rows of that document", async () => {
    const folder = await makeFolder("damaged", (file) =>
      file.exec("DELETE FROM \"items/words\" WHERE value = 'word3' AND row = 4"),
    );
    damageDocument(join(folder, "sopwright.db"), "item-07", 40);
    const { db, all, repairs } = await openWriter(folder);
    const document = "document item-07 of items: it can't be read";
    expect(await db.damage()).toEqual([document]);
    expect(repairs).toEqual(["the table items/words true"]);
    expect(await all.find({ companyId, words: "word3" }, byId)).toHaveLength(6);
    await expect(all.findOne({ companyId, words: "word2", number: 7 })).rejects.toThrow(document);
    await db.close();
  });
});

describe("the types of fields", () => {
  const changes: [name: string, sql: string, how: string][] = [
    ["without a field", "DELETE FROM _fields WHERE path = 'name'", "it lacks 1 type"],
    ["of other kinds", "UPDATE _fields SET types = 2 WHERE path IN ('words', 'email')", "it lacks 2 types"],
    ["without anything", "DELETE FROM _fields WHERE collection = 'items'", "it lacks 7 types"],
  ];
  test.each(changes)("%s are named, and learned again", async (name, sql, how) => {
    const folder = await makeFolder(name, (file) => file.exec(sql));
    expect(await verified(folder)).toEqual([differs("_fields of items", how)]);
    const { db, all, repairs } = await openWriter(folder);
    await all.find({ name: "name 4" });
    expect(await db.damage()).toEqual([]);
    expect(repairs).toEqual(["the table _fields of items true"]);
    expect(await all.find({ name: "name 4" })).toEqual([items[4]]);
    expect(await all.find({ email: "4@example.org" })).toEqual([items[4]]);
    expect(await all.find({ "meta.size": 4 })).toEqual([items[4]]);
    expect(await all.countDocuments({ words: "word3" })).toBe(6);
    await db.close();
    expect(await verified(folder)).toEqual([]);
  });

  test("of a dotted path are learned at the start", async () => {
    const folder = await makeFolder("dotted", (file) => file.exec("DELETE FROM _fields WHERE path = 'meta.size'"));
    const { db, all } = await openWriter(folder);
    expect(await all.find({ "meta.size": 4 })).toEqual([items[4]]);
    expect(await db.damage()).toEqual([]);
    await db.close();
  });

  test("of removed values are no difference", async () => {
    const folder = await makeFolder("more types", (file) => file.exec("UPDATE _fields SET types = 63"));
    expect(await verified(folder)).toEqual([]);
  });
});

describe("rows changed at random", () => {
  const rounds = Array.from({ length: count({ usual: 8, proof: 200 }) }, (_, round) => round);
  test.each(rounds)("round %s", async (round) => {
    const random = seeded(round + 1);
    const folder = await makeFolder(`round-${round}`, (file) => {
      for (let left = 1 + random(6); left > 0; left -= 1) {
        const [row, word] = [1 + random(40), `word${random(9)}`];
        const which = `WHERE row = ${row}`;
        const sql = [
          `DELETE FROM "items/words" ${which}`,
          `INSERT OR IGNORE INTO "items/words" VALUES ('c', '${word}', ${row})`,
          `UPDATE OR IGNORE "items/words" SET value = '${word}' ${which}`,
          `UPDATE OR IGNORE "items/words" SET row = row + 1 ${which}`,
          `UPDATE _fields SET types = types & ${random(63)} WHERE collection = 'items'`,
          `DELETE FROM _fields WHERE path = '${["name", "status", "number", "words"][random(4)]}'`,
        ];
        file.exec(sql[random(sql.length)] ?? "");
      }
    });
    const found = await verified(folder);
    for (const line of found) expect(line).toMatch(/^the table (?:items\/words|_fields of items) differs /);
    const { db, all, repairs } = await openWriter(folder);
    expect(await db.damage()).toEqual([]);
    expect(repairs).toHaveLength(found.length);
    for (let n = 0; n < 9; n += 1) {
      const expected = items.filter((item) => item.companyId === companyId && item.words?.includes(`word${n}`));
      expect(await all.find({ companyId, words: `word${n}` }, byId)).toEqual(expected);
    }
    for (const item of items) {
      expect(await all.find({ name: item.name ?? "" })).toEqual([item]);
      await all.updateOne({ _id: item._id }, { $set: { words: ["word1", "word8", "other"] } });
    }
    expect(await db.damage()).toEqual([]);
    await db.close();
  });
});
