import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LogSync } from "./log-sync.ts";
import { SqliteWriter } from "./writer.ts";
import { SqliteConnection } from "./connection.ts";
import { createSqliteTable } from "./table.ts";
import { CacheBudget } from "./document-cache.ts";
import { createSchema } from "./schema.ts";
import { insertRow } from "./write.ts";

describe("the write-ahead log", () => {
  let folder: string;
  let file: string;
  /** Syncs that have begun, in order; each ends when the test says so. */
  let syncs: PromiseWithResolvers<void>[];
  const holding = () => {
    const sync = Promise.withResolvers<void>();
    syncs.push(sync);
    return sync.promise;
  };

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "log-sync-"));
    file = path.join(folder, "a.db");
    syncs = [];
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test("is synced once for all commits made before the sync began", async () => {
    writeFileSync(`${file}-wal`, "");
    const log = new LogSync(file, holding);
    const done: string[] = [];
    const note = (name: string) => log.waitUntilDurable().then(() => done.push(name));
    const first = note("first");
    const during = [note("second"), note("third")];
    expect(syncs).toHaveLength(1);
    syncs[0]?.resolve();
    await first;
    // the first sync may have begun before the others wrote
    expect(done).toEqual(["first"]);
    await expect.poll(() => syncs.length).toBe(2);
    syncs[1]?.resolve();
    await Promise.all(during);
    expect(done.toSorted()).toEqual(["first", "second", "third"]);
    expect(syncs).toHaveLength(2);
    log.close();
  });

  test("lets no write succeed after a sync that failed", async () => {
    writeFileSync(`${file}-wal`, "");
    const log = new LogSync(file, holding);
    const lost = log.waitUntilDurable();
    log.assertNoFailedSync();
    syncs[0]?.reject(new Error("the disk is broken"));
    await expect(lost).rejects.toThrow("the disk is broken");
    expect(() => log.assertNoFailedSync()).toThrow("the disk is broken");
    log.close();
  });

  test("lets no commit succeed that waited for the sync after one that failed", async () => {
    writeFileSync(`${file}-wal`, "");
    const log = new LogSync(file, holding);
    const lost = log.waitUntilDurable();
    const waiting = log.waitUntilDurable();
    const failed = Promise.all([lost, waiting].map((one) => expect(one).rejects.toThrow("the disk is broken")));
    syncs[0]?.reject(new Error("the disk is broken"));
    // a second sync would succeed: the system forgets what it could not write
    await lost.catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    syncs[1]?.resolve();
    await failed;
    expect(syncs).toHaveLength(1);
    log.close();
  });

  test("is synced before a write succeeds and before watchers hear of it", async () => {
    const connection = new SqliteConnection(file, "write");
    connection.exec("PRAGMA journal_mode=WAL");
    const table = createSqliteTable("plain", { tenant: false, indexes: [] }, new CacheBudget(1_000));
    createSchema(connection, [table]);
    const log = new LogSync(file, holding);
    const events: string[] = [];
    const writer = new SqliteWriter(
      connection,
      undefined,
      () => events.push("heard"),
      () => log.assertNoFailedSync(),
      () => log.waitUntilDurable(),
    );
    const write = (id: string) =>
      writer.run((session) => insertRow(table, session, { _id: id })).then(() => events.push(`wrote ${id}`));
    const [first, second] = [write("a"), write("b")];
    await expect.poll(() => connection.all("SELECT _id FROM plain")).toHaveLength(2);
    expect(events).toEqual([]);
    syncs[0]?.resolve();
    await first;
    expect(events).toEqual(["heard", "wrote a"]);
    await expect.poll(() => syncs.length).toBe(2);
    syncs[1]?.resolve();
    await second;
    expect(events).toEqual(["heard", "wrote a", "heard", "wrote b"]);
    await writer.idle();
    log.close();
    connection.close();
  });
});
