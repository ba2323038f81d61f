import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { mongoUri } from "../../test/database/mongo-uri.ts";
import { startServer } from "../../test/server.ts";
import { limitCaches, type DiskCache } from "./disk-caches.ts";

const root = mkdtempSync(path.join(tmpdir(), "sopwright-caches-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const never = new AbortController().signal;

/** A cache of parts with 100 bytes each, the first one unused for the longest time. */
function cacheOf(name: string, ending: string, companies: readonly string[], used: readonly string[] = []): DiskCache {
  const dir = path.join(root, name);
  mkdirSync(dir);
  companies.forEach((companyId, n) => {
    const at = path.join(dir, companyId + ending);
    if (ending === ".git") {
      mkdirSync(path.join(at, "objects"), { recursive: true });
      writeFileSync(path.join(at, "objects", "pack"), "x".repeat(100));
    } else {
      writeFileSync(at, "x".repeat(60));
      writeFileSync(`${at}-wal`, "x".repeat(40));
    }
    utimesSync(at, 1_000 + n, 1_000 + n);
  });
  return {
    dir,
    ending,
    usedAt: (companyId) => (used.includes(companyId) ? Date.now() : null),
    async drop(companyId) {
      for (const beside of ["", "-wal"])
        rmSync(path.join(dir, companyId + ending + beside), { recursive: true, force: true });
    },
  };
}

test("parts unused for the longest time go, until the rest is within the bound", async () => {
  const caches = [cacheOf("r1", ".git", ["a", "b", "c"]), cacheOf("s1", ".db", ["a", "b", "c"])];
  expect(await limitCaches(caches, 600, never)).toEqual([]);
  expect(await limitCaches(caches, 350, never)).toEqual(["a", "a", "b"]);
  expect(caches.flatMap(({ dir }) => readdirSync(dir))).toHaveLength(1 + 2 * 2);
});

test("parts that were used in the last hour stay, and their files remember it", async () => {
  const cache = cacheOf("r2", ".git", ["a", "b", "c"], ["a"]);
  expect(await limitCaches([cache], 200, never)).toEqual(["b"]);
  // after a restart
  const later = { ...cache, usedAt: () => null };
  expect(await limitCaches([later], 100, never)).toEqual(["c"]);
  expect(readdirSync(cache.dir)).toEqual(["a.git"]);
});

test("a folder that isn't there has no parts", async () => {
  const cache = { ...cacheOf("r3", ".git", []), dir: path.join(root, "none") };
  expect(await limitCaches([cache], 0, never)).toEqual([]);
});

describe.skipIf(mongoUri() === null)("a server on MongoDB", () => {
  test("makes a dropped repository and index again, with the same commits and answers", async () => {
    const server = await startServer("mongodb");
    try {
      const user = await (await server.company()).user("manager");
      await user.client.sops.create({ body: { title: "Check the gantry", description: "D", markdown: "M" } });
      const head = async () => {
        await server.running.services.repositories.drain(user.companyId);
        return (await server.running.services.repositories.head(user.companyId)).main;
      };
      const found = async () =>
        (await user.client.sops.list({ query: { search: "gantry" } })).data.map((one) => one.title);
      const before = [await head(), await found()];
      await server.restart();
      const { repositories, search } = server.running.services;
      const files = [repositories.path(user.companyId), path.join(search.cache.dir, `${user.companyId}.db`)];
      expect(files.map((file) => existsSync(file))).toEqual([true, true]);
      const drop = async () => {
        await limitCaches([repositories.cache, search.cache], 0, never);
        return files.map((file) => existsSync(file));
      };
      // a late notice of the save can make the repository once more
      await expect.poll(drop).toEqual([false, false]);
      expect(await Promise.all([head(), found()])).toEqual(before);
      // used now
      expect(await limitCaches([repositories.cache, search.cache], 0, never)).toEqual([]);
    } finally {
      await server.stop();
    }
  });

  test("doesn't make an index at its start: companies ask for theirs", async () => {
    const server = await startServer("mongodb");
    try {
      const user = await (await server.company()).user("manager");
      await server.db.collection("companies").updateOne({ _id: user.companyId }, { $set: { sopCount: 500 } });
      await server.running.services.search.tidy();
      expect(existsSync(path.join(server.running.services.search.cache.dir, `${user.companyId}.db`))).toBe(false);
    } finally {
      await server.stop();
    }
  });
});
