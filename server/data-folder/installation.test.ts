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
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeCheckpoint } from "../audit/checkpoints.ts";
import { readConfig } from "../config.ts";
import { openServices } from "../services.ts";
import { startFailure } from "../start-failure.ts";
import { startServer } from "../../test/server.ts";
import { mongoUri } from "../../test/database/mongo-uri.ts";

const root = mkdtempSync(path.join(tmpdir(), "sopwright-installation-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const configOf = (dataDir: string) => readConfig({ DATA_DIR: dataDir, LOG_LEVEL: "silent", PORT: "0" });

/** A data folder that was used: a company, a committed SOP, a checkpoint, an encrypted value. */
async function used(dataDir: string): Promise<void> {
  const server = await startServer("sqlite");
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
async function start(dataDir: string): Promise<string | null> {
  try {
    await (await openServices({ config: configOf(dataDir) })).close();
    return null;
  } catch (error) {
    const failure = startFailure(error);
    expect(failure?.exit).toBe(5);
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
    expect(await start(dir)).toContain(`sopwright.db is ${state}, but there is installation, keys`);
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

describe.skipIf(mongoUri() === null)("a data folder with MongoDB", () => {
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

function keptOpen<T extends { close(): Promise<void> }>(db: T): T {
  return { ...db, close: async () => undefined };
}
