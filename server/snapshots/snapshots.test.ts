/** Servers on one MongoDB begin with each other's repositories and search indexes. */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { cp, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SnapshotDocument } from "../database/documents.ts";
import type { Values } from "../database/port.ts";
import { mongoUri } from "../../test/database/mongo-uri.ts";
import { count, recordFigure } from "../../test/proof.ts";
import { startS3 } from "../../test/s3.ts";
import { startServer, type TestServer, type TestUser } from "../../test/server.ts";
import { round } from "../../bench/figure.ts";
import { seedSops } from "../../bench/seed-sops.ts";
import { findGit } from "../repository/git-process.ts";
import { offerSnapshots } from "./job.ts";

const never = new AbortController().signal;
const git = findGit();
const sops = count({ usual: 220, proof: 2_000 });

describe.skipIf(mongoUri() === null || git === null).each(["database", "s3"] as const)("copies in %s", (kind) => {
  let server: TestServer;
  let user: TestUser;
  let s3: Awaited<ReturnType<typeof startS3>>;
  const lines: { kind?: string; msg: string }[] = [];
  const write = (line: string) => lines.push(JSON.parse(line) as (typeof lines)[number]);

  beforeAll(async () => {
    s3 = await startS3();
    server = await startServer("mongodb", {
      env: kind === "s3" ? s3.env : {},
      log: pino({ level: "info" }, { write }),
    });
    user = await (await server.company()).user("manager");
    await seedSops(server.running.services, user.username, sops);
  }, 600_000);
  afterAll(async () => {
    await server.stop();
    await s3.stop();
  });

  const caches = () => [server.running.services.repositories.cache, server.running.services.search.cache];
  /** A busy machine makes an index in more than the ten seconds that a question waits. */
  const found = async () => {
    const ask = () => user.client.search.find({ query: { q: "filter", limit: 50 } }).catch(() => null);
    await expect.poll(ask, { timeout: 60_000 }).not.toBeNull();
    return (await ask())?.data ?? [];
  };
  const head = async () => {
    await server.running.services.repositories.drain(user.companyId);
    return server.running.services.repositories.head(user.companyId);
  };
  const dir = () => path.join(server.dataDir, "snapshots");
  const offer = (every = 1) => {
    const { snapshots, log } = server.running.services;
    if (!snapshots) throw new Error("no snapshots on MongoDB");
    return offerSnapshots(caches(), { snapshots, dir: dir(), log, from: 10, every }, never);
  };
  const stored = () => server.db.collection("snapshots").find({ companyId: user.companyId });
  const parts = async () =>
    kind === "s3"
      ? [...s3.objects.keys()].filter((key) => key.includes(user.companyId)).length
      : (await server.db.collection("snapshot_parts").find({ companyId: user.companyId })).length;
  /** As a server that never had them. */
  const forget = async () => {
    lines.length = 0;
    for (const cache of caches()) await cache.drop(user.companyId);
  };
  const seconds = async (work: () => Promise<unknown>) => {
    const at = performance.now();
    await work();
    return (performance.now() - at) / 1000;
  };
  const begun = () => lines.filter(({ msg }) => msg.startsWith("began with a copy")).map((line) => line.kind);

  test("give the same commits and answers, and follow what came after", { timeout: 300_000 }, async () => {
    const before = [await head(), await found()];
    await offer();
    const copies = await stored();
    expect(copies.map((one) => [one.kind, one.isComplete, one.parts.length > 0])).toEqual([
      ["repository", true, true],
      ["search", true, true],
    ]);
    expect(existsSync(dir())).toBe(false);
    await forget();
    const withCopies = await seconds(async () => expect([await head(), await found()]).toEqual(before));
    expect(begun().toSorted()).toEqual(["repository", "search"]);
    await server.db.collection("snapshots").updateMany({}, { $set: { format: "0" } });
    await forget();
    const without = await seconds(async () => expect([await head(), await found()]).toEqual(before));
    expect(begun()).toEqual([]);
    for (const { _id, format } of copies)
      await server.db.collection("snapshots").updateOne({ _id }, { $set: { format } });
    for (const [name, value] of [
      [`with copies (${kind})`, withCopies],
      ["without", without],
    ] as const)
      recordFigure({
        name: `repository, first search, ${sops} SOPs, ${name}`,
        value: round(value),
        unit: "s",
        goal: "shown",
      });
    await forget();
    expect(await found()).toEqual(before[1]);
    const gitdir = server.running.services.repositories.path(user.companyId);
    await head();
    execFileSync(git ?? "", ["--git-dir", gitdir, "fsck", "--strict"]);
    expect(readdirSync(gitdir)).toContain("packed-refs");
    await user.client.sops.create({ body: { title: "Change the oil filter", description: "D", markdown: "M" } });
    await forget();
    expect((await found()).some(({ sop }) => sop.title === "Change the oil filter")).toBe(true);
    expect((await head()).lag).toBe(0);
    expect((await server.running.services.repositories.verify(user.companyId)).ok).toBe(true);
    expect(begun().toSorted()).toEqual(["repository", "search"]);
  });

  test("are replaced by newer ones once enough has changed", async () => {
    const [before, count] = [await stored(), await parts()];
    await offer(50);
    expect(await stored()).toEqual(before);
    await offer();
    const after = await stored();
    expect(after.map((one) => one.kind)).toEqual(["repository", "search"]);
    expect(after.some(({ _id }) => before.some((one) => one._id === _id))).toBe(false);
    expect(await parts()).toBe(count);
  });

  test("are made of the others when one can't be read, and nothing is left of a stopped server", async () => {
    const before = await stored();
    const gitdir = server.running.services.repositories.path(user.companyId);
    await mkdir(dir(), { recursive: true });
    await writeFile(path.join(dir(), "left.git"), "x");
    await offer(Infinity);
    expect(existsSync(dir())).toBe(false);
    await rename(gitdir, `${gitdir}.away`);
    lines.length = 0;
    await offer(0).finally(() => rename(`${gitdir}.away`, gitdir));
    expect(lines.map(({ msg }) => msg)).toEqual(["no copy for other servers"]);
    const after = await stored();
    const isKept = ({ _id }: { _id: string }) => before.some((one) => one._id === _id);
    expect(after.map((one) => [one.kind, isKept(one)])).toEqual([
      ["repository", true],
      ["search", false],
    ]);
  });

  test("of several parts come back as they were", async () => {
    const { snapshots } = server.running.services;
    const [whole] = await stored();
    if (!snapshots || !whole) throw new Error("no copy");
    const { companyId, seq } = whole;
    const of = { companyId, seq, kind: "search", format: "several parts" } as const;
    await mkdir(dir(), { recursive: true });
    const [sent, received] = [path.join(dir(), "sent"), path.join(dir(), "received")];
    await writeFile(sent, randomBytes(9 * 1024 * 1024));
    await snapshots.put(of, sent);
    expect((await stored()).find(({ format }) => format === of.format)?.parts).toHaveLength(3);
    expect(await snapshots.take(of, received)).toBe(true);
    expect((await readFile(sent)).equals(await readFile(received))).toBe(true);
    await offer(0);
  });

  test("that are damaged, missing or of another ledger aren't used", { timeout: 900_000 }, async () => {
    const before = [await head(), await found()];
    const snapshots = server.db.collection("snapshots");
    const whole = await stored();
    const harms: Record<string, Values<SnapshotDocument>> = {
      "another byte in a part": { parts: ["0".repeat(64)] },
      "a part too many": { parts: [...(whole[0]?.parts ?? []), "0".repeat(64)] },
      "another event": { eventId: "another" },
      "another format": { format: "0" },
      "not complete": { isComplete: false },
    };
    for (const [name, harm] of Object.entries(harms)) {
      for (const { _id } of whole) await snapshots.updateOne({ _id }, { $set: harm });
      await forget();
      expect([name, await head(), await found(), begun()]).toEqual([name, ...before, []]);
      for (const { _id, ...rest } of whole) await snapshots.updateOne({ _id }, { $set: rest });
    }
    // the bytes are as they were sent, and git and SQLite can't read them
    const { snapshots: store } = server.running.services;
    for (const { kind: of, format, seq } of whole) {
      await store?.put({ companyId: user.companyId, kind: of, format, seq }, import.meta.filename);
    }
    await forget();
    expect([await head(), await found()]).toEqual(before);
  });

  test("of a repository with another history than the ledger's aren't used", { timeout: 120_000 }, async () => {
    const { snapshots, repositories } = server.running.services;
    const before = await head();
    const forged = path.join(server.dataDir, "forged.git");
    const inForged = (...args: string[]) =>
      execFileSync(git ?? "", ["-c", "user.name=Mallory", "-c", "user.email=m@example.org", ...args], { cwd: forged })
        .toString()
        .trim();
    await cp(repositories.path(user.companyId), forged, { recursive: true });
    const message = inForged("log", "-1", "--format=%B", "history");
    const commit = inForged("commit-tree", "history^{tree}", "-p", "history^", "-m", message);
    inForged("update-ref", "refs/heads/history", commit);
    inForged("bundle", "create", "--quiet", "forged.bundle", "--all");
    const { kind: of, format } = repositories.cache;
    const copy = { companyId: user.companyId, kind: of, format, seq: before.seq };
    await snapshots?.put(copy, path.join(forged, "forged.bundle"));
    await forget();
    expect(await head()).toEqual(before);
    expect(begun()).toEqual(["repository"]);
    expect(lines.map(({ msg }) => msg)).toContain("a copy of the repository isn't of this ledger: it is made again");
    await rm(forged, { recursive: true });
  });

  test("that are not complete after an hour, and those of deleted companies, go", async () => {
    const at = new Date(server.clock.millis() - 2 * 3_600_000).toISOString();
    const [one] = await stored();
    await server.db.collection("snapshots").updateOne({ _id: one?._id ?? "" }, { $set: { isComplete: false, at } });
    await server.running.services.snapshots?.tidy();
    expect(await stored()).toHaveLength(1);
    await server.db.collection("companies").updateOne({ _id: user.companyId }, { $set: { status: "deleted" } });
    // its repository is still open here
    await offer();
    expect([await stored(), await parts()]).toEqual([[], 0]);
    await rm(dir(), { recursive: true, force: true });
  });
});
