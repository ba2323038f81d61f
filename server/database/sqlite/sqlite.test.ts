import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
// oxlint-disable-next-line no-restricted-imports -- looks at the file from outside
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { type Declarations, type QueryRecord, StorageFullError } from "../port.ts";
import { type Item, loose, type TestCollections, testDeclarations } from "../../../test/database/test-documents.ts";
import { DataFolderInUseError } from "./lock.ts";
import { openSqlite, type SqliteDatabase } from "./open.ts";

const root = mkdtempSync(join(tmpdir(), "sopwright-sqlite-"));
let folders = 0;
const newFolder = () => join(root, String((folders += 1)));
const opened: SqliteDatabase<TestCollections>[] = [];

async function open(folder: string, options: Parameters<typeof openSqlite<TestCollections>>[2] = {}) {
  const database = openSqlite(folder, testDeclarations, options);
  opened.push(database);
  await database.prepare();
  return database;
}

afterAll(async () => {
  for (const database of opened) await database.close();
  rmSync(root, { recursive: true, force: true });
});

describe("the lock of the data folder", () => {
  test("refuses a second opening with the pid of the first, until the first closes", async () => {
    const folder = newFolder();
    const first = await open(folder);
    expect(() => openSqlite(folder, testDeclarations)).toThrow(DataFolderInUseError);
    expect(() => openSqlite(folder, testDeclarations)).toThrow(`process ${process.pid}`);
    await first.collection("plain").insertOne({ _id: "a" });
    await first.close();
    expect(readdirSync(folder)).not.toContain("sopwright.lock");
    const second = await open(folder);
    expect(await second.collection("plain").countDocuments({})).toBe(1);
  });

  test("refuses another process, and passes to it when the first is gone", async () => {
    const folder = newFolder();
    const first = await open(folder);
    const script = `import { openSqlite } from ${JSON.stringify(join(import.meta.dirname, "open.ts"))};
      try { await openSqlite(${JSON.stringify(folder)}, {}).close(); console.log("open"); } catch (error) { console.log(error.message); }`;
    const other = () => promisify(execFile)(process.execPath, ["--input-type=module-typescript", "-e", script]);
    expect((await other()).stdout).toContain(`in use by process ${process.pid}`);
    await first.close();
    expect((await other()).stdout).toBe("open\n");
  });

  test("ends with its process, and holds beside any content of the file", async () => {
    const folder = newFolder();
    const script = `import { openSqlite } from ${JSON.stringify(join(import.meta.dirname, "open.ts"))};
      openSqlite(${JSON.stringify(folder)}, {}); console.log("open"); setInterval(() => {}, 1000);`;
    const holder = spawn(process.execPath, ["--input-type=module-typescript", "-e", script]);
    await once(holder.stdout, "data");
    // in a container, the holder's id is that of no process, or of another one
    for (const content of ['{"pid":1}', '{"pid":', ""]) {
      writeFileSync(join(folder, "sopwright.lock"), content);
      expect(() => openSqlite(folder, testDeclarations)).toThrow(DataFolderInUseError);
    }
    holder.kill("SIGKILL");
    await once(holder, "exit");
    const database = await open(folder);
    expect(JSON.parse(readFileSync(join(folder, "sopwright.lock"), "utf8"))).toMatchObject({ pid: process.pid });
    await database.close();
  });

  test("holds beside damage of its file, and is made again where no one holds it", async () => {
    const folder = newFolder();
    const file = join(folder, "sopwright.lock.db");
    const damages = [Buffer.alloc(4096, 0xaa), Buffer.from("SQLite format 3\0".padEnd(4096, "x"))];
    for (const damage of damages) {
      const first = await open(folder);
      writeFileSync(file, damage);
      expect(() => openSqlite(folder, testDeclarations)).toThrow(DataFolderInUseError);
      expect(readFileSync(file).equals(damage)).toBe(true);
      await first.close();
      const second = await open(folder);
      expect(readFileSync(file).length).toBe(0);
      expect(() => openSqlite(folder, testDeclarations)).toThrow(DataFolderInUseError);
      await second.close();
    }
  });

  test("allows a read-only reader that sees every commit", async () => {
    const folder = newFolder();
    const writer = await open(folder);
    const items = writer.forCompany("c").collection("items");
    await items.insertOne({ _id: "a", name: "x" });
    const reader = await open(folder, { readOnly: true });
    expect(await reader.collection("items").find({ name: "x" })).toHaveLength(1);
    // A type the reader has not seen in this field
    await items.insertOne({ _id: "b", name: ["x"] } as unknown as Item);
    await items.updateOne({ _id: "a" }, { $set: { count: 2 } });
    expect(await reader.collection("items").find({ name: "x" })).toHaveLength(2);
    expect(await reader.collection("items").findOne({ _id: "a" })).toMatchObject({ count: 2 });
    await expect(reader.collection("items").deleteMany({})).rejects.toThrow("reading only");
    await expect(reader.transaction(async () => 1)).rejects.toThrow("reading only");
  });

  test("leaves the files to their owner alone", async () => {
    const folder = newFolder();
    await open(folder);
    for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o077, file).toBe(0);
  });
});

describe("durability", () => {
  test("moves its log into the database file beside the thread that answers", async () => {
    const database = await open(newFolder());
    const before = statSync(database.file).size;
    for (let n = 0; n < 50; n++) await database.collection("plain").insertOne({ _id: `${n}${"x".repeat(4_000)}` });
    await expect.poll(() => statSync(database.file).size, { timeout: 20_000 }).toBeGreaterThan(before + 100_000);
  });

  test("survives kill -9 without losing a confirmed write or keeping half a transaction", async () => {
    const folder = newFolder();
    const script = `import { openSqlite } from ${JSON.stringify(join(import.meta.dirname, "open.ts"))};
      import { writeSync } from "node:fs";
      const declarations = { rows: { tenant: false, indexes: [{ name: "pair", keys: { pair: 1 } }] } };
      const database = openSqlite(${JSON.stringify(folder)}, declarations);
      await database.prepare();
      const start = await database.collection("rows").countDocuments({});
      for (let n = start / 2; ; n += 1) {
        await database.transaction(async (t) => {
          await t.collection("rows").insertOne({ _id: n + "/1", pair: n });
          await t.collection("rows").insertOne({ _id: n + "/2", pair: n });
        });
        writeSync(1, n + "\\n");
      }`;
    let acknowledged = -1;
    for (let kill = 0; kill < 5; kill += 1) {
      const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", script]);
      let printed = "";
      let errors = "";
      child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
      const killAt = 3 + kill * 7;
      child.stdout.on("data", (chunk: Buffer) => {
        printed += chunk.toString();
        if (printed.split("\n").length > killAt) child.kill("SIGKILL");
      });
      await once(child, "close");
      expect(errors).toBe("");
      const last = printed.split("\n").at(-2);
      acknowledged = Math.max(acknowledged, Number(last));
      const database = openSqlite(folder, { rows: { tenant: false, indexes: [] } });
      const rows = (await database.collection("rows" as never).find({})) as { _id: string }[];
      await database.close();
      const ids = new Set(rows.map(({ _id }) => _id));
      for (let n = 0; n <= acknowledged; n += 1) expect(ids.has(`${n}/1`) && ids.has(`${n}/2`), `${n}`).toBe(true);
      expect(ids.size % 2).toBe(0);
    }
    expect(acknowledged).toBeGreaterThan(20);
    const check = new DatabaseSync(join(folder, "sopwright.db"), { readOnly: true });
    expect(check.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    expect(check.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
    check.close();
  });

  test("refuses writes on a full disk, keeps the data, and continues when there is space", async () => {
    const database = await open(newFolder(), { maxBytes: 400_000 });
    const plain = database.collection("plain");
    await plain.insertOne({ _id: "before" });
    const big = { _id: "big", text: "x".repeat(600_000) };
    await expect(plain.insertOne(big)).rejects.toThrow(StorageFullError);
    const inTransaction = database.transaction(async (transaction) => {
      await transaction.collection("plain").insertOne({ _id: "small" });
      await transaction.collection("plain").insertOne(big);
    });
    await expect(inTransaction).rejects.toThrow(StorageFullError);
    expect(await plain.find({})).toEqual([{ _id: "before" }]);
    await plain.insertOne({ _id: "after" });
    expect(await plain.countDocuments({})).toBe(2);
  });

  test("asks once for space, does a transaction again with it, and keeps nothing of the first try", async () => {
    let asked = 0;
    const makeSpace = () => {
      asked += 1;
      return true;
    };
    const database = await open(newFolder(), { maxBytes: 400_000, makeSpace });
    let runs = 0;
    const write = (bytes: () => number) =>
      database.transaction(async (transaction) => {
        runs += 1;
        await transaction.collection("plain").insertOne({ _id: "x".repeat(bytes()) + String(runs) });
      });
    await expect(write(() => 600_000)).rejects.toThrow(StorageFullError);
    expect([asked, runs]).toEqual([1, 2]);
    await write(() => (asked === 1 ? 600_000 : 10));
    expect([asked, runs]).toEqual([2, 4]);
    expect((await database.collection("plain").find({})).map(({ _id }) => _id)).toEqual(["xxxxxxxxxx4"]);
  });
});

describe("the cache between queries", () => {
  test("freezes documents, so that callers can't change each other's", async () => {
    const database = await open(newFolder());
    await database
      .forCompany("c")
      .collection("items")
      .insertOne({ _id: "a", meta: { owner: { id: "u" } }, tags: ["t"] });
    const found = (await database.collection("items").findOne({ _id: "a" })) as Item;
    expect(() => Object.assign(found, { name: "x" })).toThrow(TypeError);
    expect(() => Object.assign(found.meta?.owner ?? {}, { id: "x" })).toThrow(TypeError);
    expect(() => found.tags?.push("x")).toThrow(TypeError);
    const projected = (await database.collection("items").findOne({ _id: "a" }, { projection: { tags: 1 } })) as Item;
    expect(() => {
      projected.name = "mine";
    }).toThrow(TypeError);
    expect(await database.collection("items").findOne({ _id: "a" })).not.toHaveProperty("name");
  });

  test("keeps a query's rows until the next commit to its collection", async () => {
    const database = await open(newFolder());
    const items = database.forCompany("c").collection("items");
    const names = async () => (await items.find({}, { sort: { name: 1 }, limit: 2 })).map(({ name }) => name);
    await items.insertMany([
      { _id: "a", name: "a" },
      { _id: "c", name: "c" },
    ]);
    expect(await names()).toEqual(["a", "c"]);
    await items.insertOne({ _id: "b", name: "b" });
    expect(await names()).toEqual(["a", "b"]);
    await items.updateOne({ _id: "b" }, { $set: { name: "z" } });
    expect(await names()).toEqual(["a", "c"]);
    await database
      .transaction(async (tx) => {
        const inside = tx.forCompany("c").collection("items");
        await inside.deleteOne({ _id: "a" });
        expect((await inside.find({}, { sort: { name: 1 }, limit: 2 })).map(({ name }) => name)).toEqual(["c", "z"]);
        expect(await names()).toEqual(["a", "c"]);
        throw new Error("rolled back");
      })
      .catch(() => undefined);
    expect(await names()).toEqual(["a", "c"]);
    await items.deleteOne({ _id: "a" });
    expect(await names()).toEqual(["c", "z"]);
  });

  test("answers the same when small", async () => {
    const database = await open(newFolder(), { cacheCharacters: 2000 });
    const items = database.forCompany("c").collection("items");
    await items.insertMany(Array.from({ length: 60 }, (_, n) => ({ _id: `i${n}`, count: n, name: "n".repeat(n) })));
    for (let round = 0; round < 3; round += 1) {
      for (let n = 0; n < 60; n += 1) {
        expect(await items.findOne({ _id: `i${n}` })).toMatchObject({ count: n + round });
        await items.updateOne({ _id: `i${n}` }, { $inc: { count: 1 } });
        expect(await items.findOne({ _id: `i${n}` })).toMatchObject({ count: n + round + 1 });
      }
    }
    await items.deleteMany({});
    expect(await items.findOne({ _id: "i3" })).toBeNull();
    await items.insertOne({ _id: "i3", count: 99 });
    expect(await items.findOne({ _id: "i3" })).toMatchObject({ count: 99 });
  });

  test("learns a type again if it first met it in a failed transaction", async () => {
    const folder = newFolder();
    const database = await open(folder);
    const items = database.forCompany("c").collection("items");
    const oddName = { _id: "odd", name: ["x"] } as unknown as Item;
    const failing = database.transaction(async (transaction) => {
      await transaction.forCompany("c").collection("items").insertOne(oddName);
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    await items.insertOne(oddName);
    await database.close();
    const again = await open(folder);
    expect(await again.collection("items").find({ name: "x" })).toHaveLength(1);
  });
});

describe("the schema", () => {
  const withIndex = (indexes: Declarations<TestCollections>["items"]["indexes"]): Declarations<TestCollections> => ({
    ...testDeclarations,
    items: { tenant: true, indexes },
  });

  test("covers stored documents with new indexes", async () => {
    const folder = newFolder();
    const bare = openSqlite(folder, withIndex([]));
    await bare.prepare();
    await bare
      .collection("items")
      .insertMany([
        { _id: "a", companyId: "c", words: ["one", "two"], meta: { size: 1 } },
        { _id: "b", companyId: "c", words: ["two"], meta: { size: "1" } } as unknown as Item,
        { _id: "c", companyId: "c", meta: [{ size: 1 }] } as unknown as Item,
      ]);
    await bare.close();
    const plans: QueryRecord[] = [];
    const database = await open(folder, { onQuery: (record) => plans.push(record) });
    plans.length = 0;
    const items = database.forCompany("c").collection("items");
    expect(await items.countDocuments({ words: "two" })).toBe(2);
    expect(await items.countDocuments({ words: { $elemMatch: { $gte: "o", $lt: "p" } } })).toBe(1);
    expect(plans.every(({ indexed }) => indexed)).toBe(true);
    expect(await items.countDocuments({ "meta.size": 1 })).toBe(2);
    expect(await loose(items).countDocuments({ "meta.size": { $gte: "" } })).toBe(1);
  });

  test("refuses an index that changed under its name", async () => {
    const folder = newFolder();
    await (await open(folder)).close();
    const changed = openSqlite(folder, withIndex([{ name: "email", keys: { email: 1 } }]));
    await expect(changed.prepare()).rejects.toThrow("give the new one another name");
    await changed.close();
  });

  test("refuses unique and partial array indexes", async () => {
    const wrong = openSqlite(newFolder(), withIndex([{ name: "w", keys: { words: 1 }, array: "words", unique: true }]));
    await expect(wrong.prepare()).rejects.toThrow("can't be unique or partial");
    await wrong.close();
  });
});

describe("query plans", () => {
  const filled = async () => {
    const plans: QueryRecord[] = [];
    const database = await open(newFolder(), { onQuery: (record) => plans.push(record) });
    const items = database.forCompany("c").collection("items");
    await items.insertMany(
      Array.from({ length: 50 }, (_, n) => ({
        _id: `i${n + 10}`,
        number: n,
        count: n % 7,
        words: ["w", `w${n}`],
        email: `${n}@x`,
      })),
    );
    plans.length = 0;
    return { items, database, plans };
  };
  const page = { sort: { count: -1, _id: -1 }, limit: 5 } as const;

  test.each([
    ["a list in order of an index", { deletedAt: null }, page],
    [
      "its next page",
      { deletedAt: null, count: { $lte: 3 }, $or: [{ count: { $lt: 3 } }, { count: 3, _id: { $lt: "i20" } }] },
      page,
    ],
    ["one of a partial unique index", { number: 3 }, {}],
    ["by id", { _id: "i20" }, {}],
    ["by ids", { _id: { $in: ["i20", "i21"] } }, {}],
    ["a nested field", { "meta.size": { $gt: 5 } }, {}],
  ])("use an index: %s", async (_, filter, options) => {
    const { items, plans } = await filled();
    await items.find(filter, options);
    expect(plans).toEqual([expect.objectContaining({ collection: "items", indexed: true, sortedByIndex: true })]);
  });

  test("find alternatives that name one document each one by one", async () => {
    const { database, plans } = await filled();
    const blobs = database.forCompany("c").collection("blobs");
    const ids = Array.from({ length: 300 }, (_, n) => `b${n}`);
    await blobs.insertMany(ids.map((_id) => ({ _id, companyId: "c", type: "t" })));
    plans.length = 0;
    for (const asked of [ids.slice(0, 5), ids]) {
      const found = await blobs.find({ $or: asked.map((_id) => ({ type: "t", _id })) });
      expect(new Set(found.map(({ _id }) => _id))).toEqual(new Set(asked));
    }
    const each = "SEARCH blobs USING INDEX blobs/one (<expr>=? AND <expr>=? AND _id=?)";
    expect(plans.map(({ detail }) => detail.split(" | ").filter((step) => step === each).length)).toEqual([8, 300]);
    // one of them finds many: the company's documents are looked at in order of its index
    await blobs.find({ $or: [{ type: "t", _id: "b1" }, { type: "u" }] });
    expect(plans[2]?.detail).not.toContain("MULTI-INDEX OR");
  });

  test("use the table of elements for a word prefix", async () => {
    const { items, plans } = await filled();
    expect(await items.countDocuments({ words: { $elemMatch: { $gte: "w1", $lt: "w2" } } })).toBe(11);
    expect(plans[0]).toMatchObject({ indexed: true });
    expect(plans[0]?.detail).toMatch(/SEARCH items\/words USING PRIMARY KEY \(prefix0=\? AND value>\? AND value<\?\)/);
  });

  test("read only the rows that an array's elements name, also where other indexes fit", async () => {
    const { items, plans } = await filled();
    expect(
      await items.find({ words: { $in: ["w1"] }, deletedAt: null }, { sort: { count: -1, _id: -1 } }),
    ).toHaveLength(1);
    expect(plans[0]?.detail).toMatch(/^SEARCH items USING INTEGER PRIMARY KEY \(rowid=\?\)/);
  });

  test("report full scans and sorts without an index", async () => {
    const { items, database, plans } = await filled();
    await database.collection("items").find({ name: "x" });
    await items.find({}, { sort: { name: 1 } });
    expect(plans[0]).toMatchObject({ indexed: false });
    expect(plans[1]).toMatchObject({ indexed: true, sortedByIndex: false });
  });
});
