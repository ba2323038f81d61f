/** Three servers behind a balancer on one MongoDB: a rolling restart, a killed server, and one that stalls. */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
// oxlint-disable-next-line no-restricted-imports -- reads which server has a lease
import { MongoClient } from "mongodb";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startBalancer, type Balancer } from "./balancer.ts";
import { mongoUri } from "./database/mongo-uri.ts";
import type { TestMongo } from "./database/mongod.ts";
import { startTestMongo } from "./database/test-mongo.ts";
import { exchange, type Exchange } from "./http.ts";
import { count, isProof, recordFigure } from "./proof.ts";
import { startProcess, type ServerProcess } from "./server-process.ts";
import { startSmtp, type SmtpServer } from "./smtp.ts";

const places = [0, 1, 2];
const password = "a long walk to the river";
const patience = { timeout: 60_000, interval: 50 };

describe.skipIf(mongoUri() === null)("three servers", () => {
  const dbName = `servers_${randomBytes(4).toString("hex")}`;
  const servers: (ServerProcess | null)[] = [null, null, null];
  let folder: string;
  // its own: a killed server can leave a transaction open, and a shared SecantusDB would then keep other tests waiting
  let mongo: TestMongo | undefined;
  let client: MongoClient;
  let smtp: SmtpServer;
  let balancer: Balancer;
  let env: Record<string, string>;

  async function start(place: number): Promise<void> {
    const server = await startProcess({ ...env, DATA_DIR: path.join(folder, String(place)) });
    servers[place] = server;
    balancer.set(place, server.url);
    await vi.waitFor(() => expect(balancer.isReady(place)).toBe(true), patience);
  }

  async function stop(place: number, signal: NodeJS.Signals): Promise<void> {
    await servers[place]?.stop(signal);
    servers[place] = null;
  }

  beforeAll(async () => {
    [mongo] = await startTestMongo(1);
    const uri = new URL(mongo?.uri ?? "");
    client = await MongoClient.connect(uri.href);
    uri.pathname = `/${dbName}`;
    folder = await mkdtemp(path.join(tmpdir(), "sopwright-servers-"));
    smtp = await startSmtp();
    balancer = await startBalancer(places.length);
    env = {
      MONGODB_URI: uri.href,
      SMTP_URL: smtp.url,
      PUBLIC_URL: balancer.url,
      ADMIN_USERNAME: "root",
      ADMIN_PASSWORD: password,
      DRAIN_SECONDS: "1",
      LOG_LEVEL: "error",
      // eight browsers of one user
      REQUESTS_PER_MINUTE: "1000000",
    };
    for (const place of places) await start(place);
  }, 180_000);

  afterAll(async () => {
    for (const place of places) await stop(place, "SIGKILL");
    await balancer?.stop();
    await smtp?.stop();
    if (process.env["MONGODB_TEST_URI"]) await client?.db(dbName).dropDatabase();
    await client?.close();
    await mongo?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  function browser() {
    let cookie = "";
    const send = (request: Exchange) =>
      exchange(balancer.url, {
        ...request,
        headers: { origin: balancer.url, cookie, "content-type": "application/json", ...request.headers },
      });
    return {
      get: (address: string) => send({ path: address }),
      write: (method: string, address: string, body: unknown, headers = {}) =>
        send({ method, path: address, headers, body: JSON.stringify(body) }),
      async signIn() {
        const answer = await this.write("POST", "/api/auth/login", { username: "root", password });
        expect(answer.status).toBe(200);
        cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
      },
    };
  }

  async function signedIn() {
    const one = browser();
    await one.signIn();
    return one;
  }

  test(
    "a rolling restart fails no request, and keeps each acknowledged save",
    { timeout: isProof ? 3_600_000 : 900_000 },
    async () => {
      const wanted = count({ usual: 600, proof: 20_000 });
      const statuses = new Map<string, number>();
      let sent = 0;
      let isOver = false;
      const saved = new Map<string, string>();
      const work = async () => {
        const one = await signedIn();
        const created = await one.write("POST", "/api/sops", {
          title: "Valve",
          description: "D",
          markdown: "Open it.",
        });
        const { id } = created.json() as { id: string };
        for (let n = 0; !isOver; n++) {
          const markdown = `Open it ${n} times.`;
          const answer =
            n % 10 === 0
              ? await one.write("PUT", `/api/sops/${id}`, { markdown })
              : await one.get(n % 2 === 0 ? `/api/sops/${id}` : "/api/sops?limit=20");
          sent += 1;
          if (answer.status === 200 && n % 10 === 0) saved.set(id, markdown);
          const why = answer.status === 200 ? "" : ` ${(answer.json() as { message?: string }).message}`;
          const key = `${n % 10 === 0 ? "PUT" : "GET"} ${answer.status}${why}`;
          statuses.set(key, (statuses.get(key) ?? 0) + 1);
        }
      };
      const workers = Array.from({ length: 8 }, work);
      try {
        for (let round = 0; round === 0 || sent < wanted; round++) {
          for (const place of places) {
            const before = sent;
            await stop(place, "SIGTERM");
            await start(place);
            // each of the others has served, and this one too
            await expect.poll(() => sent - before, { timeout: 300_000 }).toBeGreaterThan(wanted / 20);
          }
        }
      } finally {
        isOver = true;
        await Promise.all(workers);
      }
      const failed = [...statuses].filter(([key]) => !key.endsWith(" 200"));
      recordFigure({
        name: `servers: requests that failed in a rolling restart, of ${sent}`,
        value: failed.reduce((sum, [, times]) => sum + times, 0),
        unit: "requests",
        goal: "= 0",
      });
      process.stdout.write(`rolling restarts: ${sent} requests, ${JSON.stringify(Object.fromEntries(statuses))}\n`);
      expect(failed).toEqual([]);
      const reader = await signedIn();
      for (const [id, markdown] of saved)
        expect(((await reader.get(`/api/sops/${id}`)).json() as { markdown: string }).markdown).toBe(`${markdown}\n`);
    },
  );

  /** The server that sends emails now. */
  async function sender(): Promise<number> {
    const lease = await client
      .db(dbName)
      .collection<{ _id: string; holder: string }>("leases")
      .findOne({ _id: "emails" });
    return servers.findIndex((one) => one !== null && lease?.holder.includes(`:${one.pid}:`));
  }

  async function orderEmail(from: Awaited<ReturnType<typeof signedIn>>): Promise<string> {
    const address = `${randomBytes(6).toString("hex")}@example.org`;
    const user = { username: `u${randomBytes(4).toString("hex")}`, name: "A Worker", email: address };
    expect((await from.write("POST", "/api/company/users", user)).status).toBe(201);
    return address;
  }

  const emailsTo = (address: string) => smtp.taken.filter(({ to }) => to === address).map(({ messageId }) => messageId);

  test.each([
    ["is killed", "SIGKILL"],
    ["stalls", "SIGSTOP"],
  ] as const)("when the server that sends emails %s, another one does", { timeout: 180_000 }, async (how, signal) => {
    const one = await signedIn();
    const first = await orderEmail(one);
    await expect.poll(() => emailsTo(first).length, patience).toBeGreaterThan(0);
    const place = await sender();
    expect(place).toBeGreaterThanOrEqual(0);
    const stalled = servers[place];
    if (signal === "SIGKILL") await stop(place, signal);
    else stalled?.signal(signal);
    const from = performance.now();
    await expect.poll(() => balancer.isReady(place), patience).toBe(false);
    // a session of the lost server goes on at another one
    expect((await one.get("/api/sops")).status).toBe(200);
    const second = await orderEmail(one);
    await expect.poll(() => emailsTo(second).length, patience).toBeGreaterThan(0);
    const seconds = (performance.now() - from) / 1000;
    process.stdout.write(`takeover after a server ${how}: ${seconds.toFixed(1)} s\n`);
    recordFigure({
      name: `servers: takeover after one ${how}`,
      value: Math.round(seconds * 10) / 10,
      unit: "s",
      goal: "<= 10",
    });
    if (signal === "SIGSTOP") {
      stalled?.signal("SIGCONT");
      await expect.poll(() => balancer.isReady(place), patience).toBe(true);
      await delay(3_000);
    } else {
      await start(place);
    }
    // no email went out twice
    const sent = [...emailsTo(first), ...emailsTo(second)];
    expect(new Set(sent).size).toBe(sent.length);
  });
});
