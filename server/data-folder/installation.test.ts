/** A server must not go on with what is left of another installation, nor hide that something is lost. */
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import pino from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeCheckpoint } from "../audit/checkpoints.ts";
import { checkDataPart } from "../admin/verify-parts.ts";
import { readConfig } from "../config.ts";
import { openDatabaseForReading } from "../open-for-reading.ts";
import { openServices } from "../services.ts";
import { explainFailure } from "../start-failure.ts";
import { startServer } from "../../test/server.ts";
import { mongoUri } from "../../test/database/mongo-uri.ts";

const root = mkdtempSync(path.join(tmpdir(), "sopwright-installation-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const configOf = (dataDir: string, env: Record<string, string> = {}) =>
  readConfig({ DATA_DIR: dataDir, LOG_LEVEL: "silent", PORT: "0", ...env });

/** A data folder that was used: a company, a committed SOP, a checkpoint, an encrypted value. */
async function used(dataDir: string, env: Record<string, string> = {}): Promise<void> {
  const server = await startServer("sqlite", { env });
  const user = await (await server.company()).user("manager");
  await user.client.sops.create({ body: { title: "Valve", description: "D", markdown: "Open it." } });
  await user.client.settings.update({ body: { openaiApiKey: "sk-a-key-of-this-person" } });
  const { services } = server.running;
  await services.repositories.drain(user.companyId);
  const { db, clock, keys } = services;
  await makeCheckpoint({ db, clock, keys, dataDir: server.dataDir, announce: () => {} }, user.companyId);
  await server.running.stop();
  cpSync(server.dataDir, dataDir, { recursive: true });
  rmSync(server.dataDir, { recursive: true });
}

/** Starts and stops. @returns the message to the operator when it doesn't start */
async function start(dataDir: string, env: Record<string, string> = {}, exit = 5): Promise<string | null> {
  try {
    await (await openServices({ config: configOf(dataDir, env) })).close();
    return null;
  } catch (error) {
    const failure = explainFailure(error);
    expect(failure?.exit).toBe(exit);
    expect(failure?.message).not.toContain("\n");
    return failure?.message ?? "";
  }
}

describe("a data folder", () => {
  const [one, other] = [path.join(root, "one"), path.join(root, "other")];
  let dir = "";
  let runs = 0;
  beforeAll(async () => {
    await used(one);
    await used(other);
  }, 60_000);
  beforeEach(() => {
    dir = path.join(root, `run-${++runs}`);
    cpSync(one, dir, { recursive: true });
  });
  const file = (name: string) => path.join(dir, name);

  test("that was used keeps working, also one from before installation ids", async () => {
    expect(await start(dir)).toBeNull();
    rmSync(file("installation"));
    const db = new DatabaseSync(file("sopwright.db"));
    db.exec("DELETE FROM system WHERE _id IN ('installation', 'keyring')");
    db.close();
    expect(await start(dir)).toBeNull();
    expect(readFileSync(file("installation"), "utf8")).toMatch(/^[0-9a-f-]{36}\n$/);
    expect(await start(dir)).toBeNull();
  });

  test.each([
    ["missing", () => rmSync(file("sopwright.db"))],
    ["empty", () => truncateSync(file("sopwright.db"))],
  ])("whose database is %s starts no new installation and writes no file", async (state, damage) => {
    damage();
    const before = readdirSync(dir);
    const said = await start(dir);
    expect(said).toContain(`sopwright.db is ${state}, but there is installation, keys`);
    expect(said).toContain("Restore sopwright.db from a backup, or set MONGODB_URI if the data is there");
    // a task says the same
    const read = openDatabaseForReading(configOf(dir)).then((db) => db.close());
    expect(await read.then(() => null, explainFailure)).toMatchObject({ exit: 5, message: said });
    expect(readdirSync(dir)).toEqual(before);
    for (const name of ["installation", "keys", "audit-checkpoints.ndjson"]) rmSync(file(name));
    expect(await start(dir)).toContain(`sopwright.db is ${state}, but there is repositories. Restore sopwright.db`);
  });

  test("whose database was replaced by an empty one is refused", async () => {
    const fresh = path.join(root, `fresh-${runs}`);
    expect(await start(fresh)).toBeNull();
    const db = new DatabaseSync(path.join(fresh, "sopwright.db"));
    db.exec("DELETE FROM system");
    db.close();
    cpSync(path.join(fresh, "sopwright.db"), file("sopwright.db"));
    expect(await start(dir)).toContain("the database is empty, but the folder is in use");
  });

  test("with the database of another installation is refused until the operator confirms it", async () => {
    cpSync(path.join(other, "sopwright.db"), file("sopwright.db"));
    expect(await start(dir)).toContain("the database belongs to another installation than the folder");
    rmSync(file("installation"));
    expect(await start(dir)).toContain("keys holds other keys than those");
    cpSync(path.join(other, "keys"), file("keys"));
    expect(await start(dir)).toBeNull();
  });

  test.each([
    ["other bytes", () => Buffer.alloc(37, 0xaa)],
    ["nothing but zeros", () => Buffer.alloc(37)],
    ["one other character", (id: Buffer) => id.fill(id[0] === 0x30 ? "1" : "0", 0, 1)],
  ])("whose file installation has %s is named by verify, and a start writes it again", async (_, damage) => {
    const id = readFileSync(file("installation"), "utf8");
    writeFileSync(file("installation"), damage(Buffer.from(id)));
    const faults = async () => {
      const config = configOf(dir);
      const db = await openDatabaseForReading(config);
      const { findings } = await checkDataPart("database", { config, db, options: {} });
      await db.close();
      return findings;
    };
    expect(await faults()).toEqual([
      "the file installation of DATA_DIR is damaged. A start of the server writes it again",
    ]);
    expect(await start(dir)).toBeNull();
    expect(readFileSync(file("installation"), "utf8")).toBe(id);
    expect(await faults()).toEqual([]);
    cpSync(path.join(other, "installation"), file("installation"));
    expect(await faults()).toEqual(["the file installation of DATA_DIR is of another installation than the database"]);
  });

  test("whose keys are damaged is refused, and the message says what the file is", async () => {
    for (const damage of [Buffer.alloc(80, 0xaa), Buffer.alloc(80), Buffer.alloc(0)]) {
      writeFileSync(file("keys"), damage);
      expect(await start(dir)).toMatch(/keys: the keys of this installation are damaged\. Restore this file/);
    }
  });

  test("without its keys is refused, and no keys are created", async () => {
    rmSync(file("keys"));
    expect(await start(dir)).toContain("keys is missing, and with it the keys that the database was used with (k");
    expect(existsSync(file("keys"))).toBe(false);
  });

  test("with the keys of another installation is refused; with all keys ever used it starts", async () => {
    const own = readFileSync(file("keys"), "utf8");
    cpSync(path.join(other, "keys"), file("keys"));
    expect(await start(dir)).toContain("keys holds other keys than those that the database was used with");
    writeFileSync(file("keys"), readFileSync(path.join(other, "keys"), "utf8") + own);
    expect(await start(dir)).toBeNull();
  });

  test("that never encrypted or signed anything needs no keys", async () => {
    const fresh = path.join(root, `unused-${runs}`);
    expect(await start(fresh)).toBeNull();
    rmSync(path.join(fresh, "keys"));
    expect(await start(fresh)).toBeNull();
  });
});

describe("a data folder with APP_KEYS", () => {
  const key = (id: string, value: number) => `${id}:${Buffer.alloc(32, value).toString("base64")}`;
  const dir = path.join(root, "app-keys");
  beforeAll(() => used(dir, { APP_KEYS: [key("a", 1), key("b", 2)].join() }), 60_000);
  const startWith = (...keys: string[]) => start(dir, { APP_KEYS: keys.join() });

  test("starts with a new key, and without one of several", async () => {
    expect(await startWith(key("b", 2), key("a", 1))).toBeNull();
    expect(await startWith(key("c", 3), key("a", 1))).toBeNull();
    expect(await startWith(key("a", 1))).toBeNull();
    // APP_KEYS come first
    writeFileSync(path.join(dir, "keys"), `${key("b", 9)}\n`, { mode: 0o600 });
    expect(await startWith(key("a", 1), key("b", 2))).toBeNull();
    expect(await startWith(key("a", 1))).toContain(`APP_KEYS or ${path.join(dir, "keys")}: other values`);
    rmSync(path.join(dir, "keys"));
  });

  test.each([
    ["one of several", "b", [key("a", 1), key("b", 7)]],
    ["one that was added later", "c", [key("a", 1), key("c", 7)]],
    ["the only one", "a", [key("a", 7)]],
    ["two, swapped", "a, b", [key("a", 2), key("b", 1)]],
  ])("names a key with another value than before: %s", async (_, names, keys) => {
    const message = (await startWith(...keys)) ?? "";
    expect(message).toContain(`other values than this installation used for ${names}.`);
    for (const one of keys) expect(message).not.toContain(one.slice(2));
  });

  test("refuses one value under two names, and a file without a key", async () => {
    expect(await start(dir, { APP_KEYS: [key("a", 1), key("d", 1)].join() }, 2)).toContain(
      "APP_KEYS: the keys a and d have the same value",
    );
    const empty = path.join(root, "empty-keys");
    expect(await start(empty)).toBeNull();
    writeFileSync(path.join(empty, "keys"), "");
    expect(await start(empty)).toContain("keys: the keys of this installation are damaged");
  });
});

describe.skipIf(mongoUri() === null)("a data folder with MongoDB", () => {
  test("is for one server", { timeout: 60_000 }, async () => {
    const server = await startServer("mongodb");
    try {
      const config = { ...configOf(path.join(root, "shared")), mongodbUri: mongoUri() };
      const open = () => openServices({ config, db: keptOpen(server.db) });
      const first = await open();
      const refused = await open().catch((error: unknown) => error);
      expect(explainFailure(refused)).toMatchObject({
        exit: 5,
        message: expect.stringContaining(`${config.dataDir} is in use by process ${process.pid}`) as string,
      });
      await first.close();
      await (await open()).close();
    } finally {
      await server.stop();
    }
  });

  test("can be new or a second server's, but not another installation's", { timeout: 60_000 }, async () => {
    const first = await startServer("mongodb");
    const [second, foreign] = [await startServer("mongodb", { beside: first }), await startServer("mongodb")];
    try {
      const id = readFileSync(path.join(first.dataDir, "installation"), "utf8");
      expect(readFileSync(path.join(second.dataDir, "installation"), "utf8")).toBe(id);
      await second.running.stop();
      cpSync(path.join(foreign.dataDir, "installation"), path.join(second.dataDir, "installation"));
      await expect(openServices({ config: configOf(second.dataDir), db: keptOpen(first.db) })).rejects.toThrow(
        "Set DATA_DIR to another folder: beside MongoDB it is only a cache",
      );
    } finally {
      await foreign.stop();
      await first.stop();
      rmSync(second.dataDir, { recursive: true, force: true });
    }
  });
});

describe.skipIf(mongoUri() === null)("keys with MongoDB", () => {
  const key = (value: number) => `k1:${Buffer.alloc(32, value).toString("base64")}`;

  test("a server with another key of the same name is refused; a rotation is not", { timeout: 60_000 }, async () => {
    const first = await startServer("mongodb", { env: { APP_KEYS: key(1) } });
    const dataDir = mkdtempSync(path.join(root, "keys-"));
    const startWith = async (appKeys: string): Promise<string | null> => {
      const env = { DATA_DIR: dataDir, LOG_LEVEL: "silent", PORT: "0", APP_KEYS: appKeys };
      try {
        await (await openServices({ config: readConfig(env), db: keptOpen(first.db) })).close();
        return null;
      } catch (error) {
        expect(explainFailure(error)?.exit).toBe(5);
        return explainFailure(error)?.message ?? "";
      }
    };
    try {
      expect(await startWith(key(2))).toContain("used for k1.");
      expect(await startWith(key(2).replace("k1", "k3"))).toContain(
        "APP_KEYS (k3) holds none of the keys that this installation uses",
      );
      expect(await startWith(key(1))).toBeNull();
      expect(await startWith(`${key(1)},${key(2).replace("k1", "k2")}`)).toBeNull();
      expect(await startWith(key(2).replace("k1", "k2"))).toBeNull();
    } finally {
      await first.stop();
    }
  });

  test("a server with generated keys of its own is warned", { timeout: 60_000 }, async () => {
    const lines: string[] = [];
    const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
    const first = await startServer("mongodb", { log });
    expect(lines.filter((line) => line.includes("APP_KEYS"))).toEqual([]);
    const second = await startServer("mongodb", { beside: first, log });
    expect(lines.filter((line) => line.includes("Set APP_KEYS on all servers"))).toHaveLength(1);
    await second.stop();
    await first.stop();
  });
});

function keptOpen<T extends { close(): Promise<void> }>(db: T): T {
  return { ...db, close: async () => undefined };
}
