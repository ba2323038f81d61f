/**
 * Bad days in a row. The server starts under a wrong clock, its disk fills up or its database goes away. Then it is
 * killed with writes in flight. Every acknowledged write is still there, and all jobs run within a minute of each
 * start. `SOP_PROOF=1` has 60 days on each engine.
 */
import { execFileSync } from "node:child_process";
import { createHash, randomBytes, randomInt } from "node:crypto";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { createClient, type Client } from "#core/api/client.ts";
import { routes } from "#core/api/routes.ts";
import type { Schemas } from "#core/api/schemas.ts";
import { deadlineJobs } from "../server/deadline-list.ts";
import { mongoUri } from "./database/mongo-uri.ts";
import { startProxy, type Proxy } from "./database/proxy.ts";
import { startSmtp, type SmtpServer } from "./smtp.ts";
import { exchange } from "./http.ts";
import { count, recordFigure } from "./proof.ts";
import { startProcess, type ServerProcess } from "./server-process.ts";

const admin = { ADMIN_USERNAME: "root", ADMIN_PASSWORD: "a long walk to the river" };
/** Without limits, because all writes are read again within a minute. */
const noLimits = { REQUESTS_PER_MINUTE: "10000000" };
const dayMs = 24 * 3600 * 1000;
/** A job is silent if it has not run by then. */
const silentMs = 60_000;
/** Jobs that run at the start. The checks of stored data run a quarter of an hour later. */
const jobsAtStart = [
  "outbox",
  "emails",
  "sweep",
  "key rotation",
  "repositories",
  "chaining of audit logs",
  "deadlines",
].concat(deadlineJobs.map(({ name }) => name));
const folders: string[] = [];
const mounts: string[] = [];

afterEach(() => {
  for (const mount of mounts.splice(0)) execFileSync("umount", ["--lazy", mount]);
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Mounts a disk that can be filled. @returns false without the right to mount */
function mountSmallDisk(folder: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=256m", "tmpfs", folder], { stdio: "ignore" });
    mounts.push(folder);
    return true;
  } catch {
    process.stdout.write("SKIPPED: days with a full disk, since no small disk can be mounted here\n");
    return false;
  }
}

interface World {
  env: Record<string, string>;
  dataDir: string;
  /** Faults that are possible on this machine and engine. */
  faults: readonly Fault[];
  proxy: Proxy | null;
  /** `<path>` → what its answer must hold. */
  acknowledged: Map<string, string>;
  token: string;
  mail: SmtpServer;
}

type Fault = "none" | "full disk" | "cut connection";

function clientOf(url: string, token: string): Client<Schemas> {
  return createClient<Schemas>(routes, ({ url: target, ...request }) =>
    exchange(url, { ...request, path: target, headers: { ...request.headers, authorization: `Bearer ${token}` } }),
  );
}

/** The headers of a new session. */
async function signIn(url: string): Promise<Record<string, string>> {
  const headers = { "content-type": "application/json", origin: url };
  const credentials = JSON.stringify({ username: admin.ADMIN_USERNAME, password: admin.ADMIN_PASSWORD });
  const signedIn = await exchange(url, { method: "POST", path: "/api/auth/login", headers, body: credentials });
  if (signedIn.status !== 200) throw Object.assign(new Error(signedIn.body), { status: signedIn.status });
  return { ...headers, cookie: signedIn.headers.get("set-cookie")?.split(";")[0] ?? "" };
}

async function makeToken(url: string): Promise<string> {
  const headers = await signIn(url);
  const scopes = ["sops:read", "sops:write", "admin"];
  const body = JSON.stringify({ name: "bad days", scopes, expiresInDays: 365 });
  const made = await exchange(url, { method: "POST", path: "/api/tokens", headers, body });
  return (made.json() as { token: string }).token;
}

/** Raises the limits: each day adds a user, and an SOP for each writer. */
async function makeRoom(client: Client<Schemas>, days: number): Promise<void> {
  const { data } = await client.companies.list({ query: {} });
  const body = { maxUsers: days + 10, maxSOPs: 2 * days + 100 };
  for (const { id } of data) await client.companies.update({ params: { id }, body });
}

/** The first days have the right time, so that the token exists before a clock runs ahead. */
function startUnder(world: World, day: number): Promise<ServerProcess> {
  const jump = day === 0 || day % 3 === 0 ? 0 : randomInt(-30, 31) * dayMs;
  const startAt = new Date(Date.now() + jump).toISOString();
  return startProcess({ ...world.env, START_AT: startAt }, "test/server-at.ts");
}

/** Writes until stopped. Refusals are expected on a bad day; an acknowledged write must not be lost. */
async function write(world: World, url: string, name: string, over: AbortSignal): Promise<void> {
  const { acknowledged } = world;
  const client = clientOf(url, world.token);
  let id: string | null = null;
  for (let n = 0; !over.aborted; n++) {
    try {
      if (id === null) {
        ({ id } = await client.sops.create({ body: { title: name, description: "D", markdown: "Start" } }));
        acknowledged.set(`/api/sops/${id}/versions/1`, "Start");
      }
      const asset = n % 4 === 0 ? await upload(url, world.token) : null;
      const text = `${name}, text ${n}${asset ? ` [file](${asset.url})` : ""}`;
      const saved = await client.sops.update({ params: { id }, body: { markdown: text } });
      acknowledged.set(`/api/sops/${id}/versions/${saved.version}`, `${name}, text ${n}`);
      // a file that no text links is deleted after a day, and days jump here
      if (asset) acknowledged.set(asset.url, asset.sha256);
      const comment = await client.comments.create({ params: { id }, body: { content: text } });
      acknowledged.set(`/api/sops/${id}/comments#${comment.id}`, text);
    } catch {
      await delay(20);
    }
  }
}

async function upload(url: string, token: string): Promise<{ url: string; sha256: string }> {
  const body = Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(2_000)]);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/pdf" };
  const answer = await exchange(url, { method: "POST", path: "/api/assets", headers, body });
  if (answer.status >= 300) throw new Error(`${answer.status}: ${answer.body}`);
  return answer.json() as { url: string; sha256: string };
}

/** @throws when no write gets through after the fault, or reading stops */
async function suffer(world: World, server: ServerProcess, client: Client<Schemas>, fault: Fault): Promise<void> {
  const before = world.acknowledged.size;
  const writesAgain = async (from: number) => {
    await expect.poll(() => world.acknowledged.size, { timeout: silentMs }).toBeGreaterThan(from);
  };
  await writesAgain(before + 4);
  if (fault === "full disk") {
    const filler = path.join(world.dataDir, "filler");
    fillDisk(world.dataDir, filler);
    // with MongoDB, the disk holds only emails and what is made from the database
    const whileFull = world.proxy === null ? 507 : 201;
    await expect.poll(() => statusOfSave(client), { timeout: silentMs }).toBe(whileFull);
    expect((await client.sops.list({ query: { limit: 5 } })).data.length).toBeGreaterThan(0);
    rmSync(filler);
    await writesAgain(world.acknowledged.size);
  } else if (fault === "cut connection") {
    await world.proxy?.cut();
    const answer = await exchange(server.url, {
      path: "/api/sops",
      headers: { authorization: `Bearer ${world.token}` },
    });
    expect([answer.status, answer.headers.get("retry-after") !== null]).toEqual([503, true]);
    await world.proxy?.restore();
    await writesAgain(world.acknowledged.size);
  }
}

function fillDisk(folder: string, filler: string): void {
  const { bavail, bsize } = statfsSync(folder);
  try {
    writeFileSync(filler, Buffer.alloc(Number(bavail) * Number(bsize) + 1));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}

async function statusOfSave(client: Client<Schemas>): Promise<number> {
  const body = { title: "Too much", description: "D", markdown: "x".repeat(60_000) };
  return client.sops.create({ body }).then(
    () => 201,
    (error: unknown) => (error as { status?: number }).status ?? 0,
  );
}

/** Email goes out, the audit log is chained, every job has run, and readiness reports none. */
async function jobsRun(world: World, server: ServerProcess, client: Client<Schemas>, day: number): Promise<void> {
  const email = `day-${day}@example.org`;
  const body = { username: `day-${day}-${randomBytes(3).toString("hex")}`, name: "Day Worker", email };
  // a killed server may leave a transaction on MongoDB; its own time limit ends it
  const session = await retried(() => signIn(server.url));
  const people = createClient<Schemas>(routes, ({ url: path, ...request }) =>
    exchange(server.url, { ...request, path, headers: { ...request.headers, ...session } }),
  ).companyUsers;
  const user = await retried(() => people.create({ body }));
  await retried(() => people.resetPassword({ params: { id: user.id } }));
  const arrived = () => world.mail.taken.some(({ to }) => to === email);
  await expect.poll(() => tried(arrived), { timeout: silentMs, interval: 200 }).toBe(true);
  const waiting = async () => (await client.audit.state({})).waiting;
  await expect.poll(waiting, { timeout: silentMs, interval: 200 }).toBeLessThan(200);
  await expect.poll(() => silentJobs(server), { timeout: silentMs, interval: 200 }).toEqual([]);
  await noneIsOverdue(server);
}

/** Jobs that have not run since the server started. */
function silentJobs(server: ServerProcess): string[] {
  const ran = new Set(
    server
      .output()
      .split("\n")
      .filter((line) => line.includes('"msg":"a job has run"') && line.endsWith("}"))
      .map((line) => (JSON.parse(line) as { job: string }).job),
  );
  return jobsAtStart.filter((name) => !ran.has(name));
}

async function noneIsOverdue(server: ServerProcess): Promise<void> {
  const told = async () => {
    const ready = (await exchange(server.url, { path: "/readyz" })).json() as Record<string, string[] | undefined>;
    const { problems = [], warnings = [] } = ready;
    // on some days the clock is behind
    return [...problems, ...warnings].filter((line) => !/% of the disk is free|clock is wrong/.test(line));
  };
  await expect.poll(told, { timeout: silentMs, interval: 200 }).toEqual([]);
}

/** Retries while the server answers "busy", as its clients do. */
async function retried<T>(call: () => Promise<T>): Promise<T> {
  for (const end = Date.now() + silentMs; ;) {
    try {
      return await call();
    } catch (error) {
      if ((error as { status?: number }).status !== 503 || Date.now() > end) throw error;
      await delay(6_000);
    }
  }
}

function tried(look: () => boolean): boolean {
  try {
    return look();
  } catch {
    return false;
  }
}

async function nothingIsLost(world: World, server: ServerProcess): Promise<void> {
  const headers = { authorization: `Bearer ${world.token}` };
  const comments = new Map<string, string>();
  for (const [address, expected] of world.acknowledged) {
    const [target = "", commentId] = address.split("#");
    if (commentId !== undefined && comments.has(target)) {
      expect(comments.get(target)).toContain(`"${commentId}"`);
      continue;
    }
    const answer = await exchange(server.url, { path: target, headers });
    expect([address, answer.status]).toEqual([address, 200]);
    if (commentId !== undefined) comments.set(target, answer.body);
    const content = commentId ?? expected;
    const found = target.startsWith("/api/assets/")
      ? createHash("sha256").update(answer.bytes).digest("hex") === expected
      : answer.body.includes(content);
    expect([address, found]).toEqual([address, true]);
  }
}

async function live(world: World, days: number): Promise<void> {
  const suffered = new Map<Fault, number>();
  for (let day = 0; day < days; day++) {
    const server = await startUnder(world, day);
    const isFirst = world.token === "";
    world.token ||= await makeToken(server.url);
    const client = clientOf(server.url, world.token);
    if (isFirst) await makeRoom(client, days);
    await jobsRun(world, server, client, day);
    const over = new AbortController();
    const writers = [1, 2].map((n) => write(world, server.url, `Day ${day}, writer ${n}`, over.signal));
    const fault = world.faults[day % world.faults.length] ?? "none";
    await suffer(world, server, client, fault);
    suffered.set(fault, (suffered.get(fault) ?? 0) + 1);
    await noneIsOverdue(server);
    await delay(randomInt(300));
    expect(await server.stop("SIGKILL")).toBeNull();
    over.abort();
    await Promise.all(writers);
  }
  const server = await startProcess({ ...world.env, START_AT: new Date().toISOString() }, "test/server-at.ts");
  await jobsRun(world, server, clientOf(server.url, world.token), days);
  await nothingIsLost(world, server);
  expect(await server.stop("SIGTERM")).toBe(0);
  const engine = world.proxy === null ? "embedded engine" : "MongoDB";
  process.stdout.write(
    `bad days, ${engine}: ${JSON.stringify([...suffered])}, ${world.acknowledged.size} writes kept\n`,
  );
  recordFigure({ name: `bad days, ${engine}: kills`, value: days, unit: "kills", goal: ">= 60" });
  recordFigure({
    name: `bad days, ${engine}: acknowledged writes checked`,
    value: world.acknowledged.size,
    unit: "writes",
    goal: "> 0",
  });
  recordFigure({ name: `bad days, ${engine}: acknowledged writes lost`, value: 0, unit: "writes", goal: "= 0" });
}

function freshFolder(): string {
  const folder = mkdtempSync("/var/tmp/sopwright-bad-days-");
  folders.push(folder);
  return folder;
}

describe("bad days lose nothing and silence no job", () => {
  // each wait has its own bound; the sum depends on the number of days
  const timeout = count({ usual: 20, proof: 300 }) * 60_000;

  test("on the embedded engine", { timeout }, async () => {
    const days = count({ usual: 3, proof: 60 });
    const dataDir = freshFolder();
    const canFill = mountSmallDisk(dataDir);
    const mail = await startSmtp();
    const env = {
      DATA_DIR: dataDir,
      SMTP_URL: mail.url,
      LOG_LEVEL: "debug",
      DRAIN_SECONDS: "0",
      ...noLimits,
      ...admin,
    };
    const faults = canFill ? (["none", "full disk"] as const) : (["none"] as const);
    try {
      await live({ env, dataDir, faults, proxy: null, acknowledged: new Map(), token: "", mail }, days);
    } finally {
      await mail.stop();
    }
  });

  test.skipIf(!mongoUri())("on MongoDB", { timeout }, async () => {
    const days = count({ usual: 2, proof: 60 });
    const uri = new URL(mongoUri() ?? "");
    uri.pathname = `/bad_days_${randomBytes(4).toString("hex")}`;
    const proxy = await startProxy(uri.href);
    const mail = await startSmtp();
    const dataDir = freshFolder();
    const canFill = mountSmallDisk(dataDir);
    const env = {
      DATA_DIR: dataDir,
      MONGODB_URI: proxy.uri,
      SMTP_URL: mail.url,
      LOG_LEVEL: "debug",
      DRAIN_SECONDS: "0",
      ...noLimits,
      ...admin,
    };
    try {
      const faults = (["cut connection", "full disk", "none"] as const).filter(
        (fault) => canFill || fault !== "full disk",
      );
      await live({ env, dataDir, faults, proxy, acknowledged: new Map(), token: "", mail }, days);
    } finally {
      await mail.stop();
      await proxy.stop();
    }
  });
});
