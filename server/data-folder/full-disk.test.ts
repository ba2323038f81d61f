/** A full disk of DATA_DIR: a running server and one that starts there read, and write again with space. */
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync, truncateSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { mongoUri } from "../../test/database/mongo-uri.ts";
import { exchange, type Exchange } from "../../test/http.ts";
import { mountSmallDisk } from "../../test/full-disk.ts";
import { startProcess } from "../../test/server-process.ts";

const probe = mountSmallDisk(1);
probe?.unmount();

const admin = { ADMIN_USERNAME: "root", ADMIN_PASSWORD: "a long walk to the river" };
const patience = { timeout: 30_000, interval: 300 };

/** Beside MongoDB the folder holds repositories, search indexes, keys and emails. */
function ownMongo(): Record<string, string> {
  const uri = new URL(mongoUri() ?? "");
  uri.pathname = `/full_disk_${randomBytes(4).toString("hex")}`;
  return { MONGODB_URI: uri.href };
}

function counted(answer: Awaited<ReturnType<typeof exchange>>) {
  return [answer.status, (answer.json() as { data?: unknown[] }).data?.length];
}

function personAt(url: string) {
  let cookie = "";
  const send = (request: Exchange) =>
    exchange(url, {
      ...request,
      headers: { origin: url, cookie, "content-type": "application/json", ...request.headers },
    });
  const post = (path: string, body: unknown) => send({ method: "POST", path, body: JSON.stringify(body) });
  return {
    get: (path: string) => send({ path }),
    post,
    async signIn(username = "root") {
      const answer = await post("/api/auth/login", { username, password: admin.ADMIN_PASSWORD });
      cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? cookie;
      return answer.status;
    },
    async register() {
      const body = { username: "founder", password: admin.ADMIN_PASSWORD, name: "Ada Founder" };
      const answer = await post("/api/auth/register", body);
      cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? cookie;
    },
    save: (title: string) => post("/api/sops", { title, description: "D", markdown: "Open it." }),
    upload: () =>
      send({
        method: "POST",
        path: "/api/assets",
        headers: { "content-type": "application/pdf" },
        body: Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(5_000)]),
      }),
    found: async (word: string) => counted(await send({ path: `/api/search?q=${word}` })),
    listed: async (word: string) => counted(await send({ path: `/api/sops?search=${word}` })),
    async warnings() {
      return ((await send({ path: "/readyz" })).json() as { warnings?: string[] }).warnings ?? [];
    },
    async lag() {
      return ((await send({ path: "/api/repository" })).json() as { lag: number }).lag;
    },
  };
}

function resetsIn(folder: string): number {
  const files = readdirSync(folder).filter((name) => name.endsWith(".eml"));
  return files.filter((name) => readFileSync(path.join(folder, name), "utf8").includes("/reset-password")).length;
}

interface OnDisk {
  disk: NonNullable<ReturnType<typeof mountSmallDisk>>;
  dataDir: string;
  env: Record<string, string>;
}

/** A test whose data folder is on a disk of its own. */
function onSmallDisk(more: () => Record<string, string>, work: (on: OnDisk) => Promise<void>) {
  return async () => {
    const disk = mountSmallDisk(48);
    if (!disk) return;
    const dataDir = `${disk.dir}/data`;
    try {
      await work({ disk, dataDir, env: { ...admin, ...more(), DATA_DIR: dataDir, LOG_LEVEL: "error" } });
    } finally {
      disk.unmount();
    }
  };
}

const full = "the disk of DATA_DIR is full, so saves are refused: free some space, or make it larger";
const usedUp = "the disk of DATA_DIR is full, so saves and sign-ins are refused: free some space, or make it larger";
const low = "less than 5 % of the disk is free";

describe.skipIf(probe === null)(`a full disk${probe ? "" : " (SKIPPED: this process can't mount)"}`, () => {
  const engines = [
    // the database is on the full disk, or elsewhere
    { engine: "the embedded engine", more: () => ({}), whileFull: 507, isSkipped: false },
    { engine: "MongoDB", more: ownMongo, whileFull: 201, isSkipped: mongoUri() === null },
  ];
  for (const { engine, more, whileFull, isSkipped } of engines) {
    test.skipIf(isSkipped)(
      `on ${engine}: lets a server read and search, also after a restart, and recover by itself`,
      { timeout: 180_000 },
      onSmallDisk(more, async ({ disk, dataDir, env }) => {
        const first = await startProcess(env);
        const person = personAt(first.url);
        await person.signIn();
        const { id } = (await person.save("Valve")).json() as { id: string };
        expect((await person.post(`/api/sops/${id}/publish`, {})).status).toBe(200);
        expect(await person.found("valve")).toEqual([200, 1]);
        await expect.poll(() => person.lag(), patience).toBe(0);
        const worker = { username: "worker", name: "A Worker", email: "worker@example.org" };
        expect((await person.post("/api/company/users", worker)).status).toBe(201);
        const warned = whileFull === 507 ? full : low;
        const reads = async (reader: typeof person) => {
          await expect.poll(() => reader.warnings(), patience).toContain(warned);
          expect(await reader.signIn()).toBe(200);
          const paths = [
            "/api/sops",
            `/api/sops/${id}`,
            `/api/sops/${id}/versions/1`,
            `/api/sops/${id}/export?format=pdf`,
          ];
          for (const path of paths) expect([path, (await reader.get(path)).status]).toEqual([path, 200]);
          expect(await reader.found("valve")).toEqual([200, 1]);
        };
        await expect.poll(() => statSync(`${dataDir}/reserve`).size, patience).toBeGreaterThan(2 * 1024 * 1024);
        disk.fill();
        await reads(person);
        expect((await person.save("Gasket")).status).toBe(whileFull);
        expect((await person.upload()).status).toBe(whileFull);
        await reads(person);
        const reset = await person.post("/api/auth/forgot-password", { email: worker.email });
        expect(reset.status).toBe(whileFull === 507 ? 507 : 200);
        // the log of the database stays then
        await first.stop("SIGKILL");
        disk.fill();

        const second = await startProcess(env);
        const again = personAt(second.url);
        try {
          await reads(again);
          expect((await again.save("Flange")).status).toBe(whileFull);
          disk.free();
          await expect.poll(async () => (await again.save("Bolt")).status, patience).toBe(201);
          await expect.poll(() => again.found("bolt"), patience).toEqual([200, 1]);
          await expect.poll(() => again.lag(), patience).toBe(0);
          if (whileFull === 201) await expect.poll(() => resetsIn(`${dataDir}/mail`), patience).toBe(1);
          const count = whileFull === 201 ? 1 : 0;
          for (const word of ["gasket", "flange"])
            expect([word, ...(await again.found(word))]).toEqual([word, 200, count]);
        } finally {
          expect(await second.stop("SIGTERM")).toBe(0);
        }
      }),
    );

    test.skipIf(isSkipped)(
      `on ${engine}: lets a company search for the first time, each user what they can read, also after a restart`,
      { timeout: 180_000 },
      onSmallDisk(more, async ({ disk, dataDir, env }) => {
        const searches = async (url: string) => {
          const [founder, reader] = [personAt(url), personAt(url)];
          expect([await founder.signIn("founder"), await reader.signIn("reader")]).toEqual([200, 200]);
          for (const find of ["found", "listed"] as const) {
            expect([find, await founder[find]("washer"), await founder[find]("gasket")]).toEqual([
              find,
              [200, 1],
              [200, 1],
            ]);
            expect([find, await reader[find]("washer"), await reader[find]("gasket")]).toEqual([
              find,
              [200, 0],
              [200, 1],
            ]);
          }
          return founder;
        };
        const first = await startProcess(env);
        const founder = personAt(first.url);
        await founder.register();
        expect((await founder.save("Washer")).status).toBe(201);
        const { id } = (await founder.save("Gasket")).json() as { id: string };
        expect((await founder.post(`/api/sops/${id}/publish`, {})).status).toBe(200);
        const reader = { username: "reader", name: "A Reader", role: "viewer", password: admin.ADMIN_PASSWORD };
        expect((await founder.post("/api/company/users", reader)).status).toBe(201);
        await expect.poll(() => founder.lag(), patience).toBe(0);
        const reserved = () => statSync(`${dataDir}/reserve`).size;
        await expect.poll(reserved, patience).toBeGreaterThan(2 * 1024 * 1024);
        const whole = reserved();
        disk.fill();
        await expect.poll(() => founder.warnings(), patience).toContain(whileFull === 507 ? full : low);
        // only then does an index have space
        await expect.poll(reserved, patience).toBeLessThan(whole);
        await searches(first.url);
        await first.stop("SIGTERM");
        disk.fill();

        const second = await startProcess(env);
        try {
          const again = await searches(second.url);
          expect((await again.save("Flange")).status).toBe(whileFull);
          disk.free();
          await expect.poll(async () => (await again.save("Bolt")).status, patience).toBe(201);
          await expect.poll(() => again.found("bolt"), patience).toEqual([200, 1]);
        } finally {
          expect(await second.stop("SIGTERM")).toBe(0);
        }
      }),
    );
  }

  test(
    "after kills with a reserve that is half made: lets users sign in, read and search",
    { timeout: 180_000 },
    onSmallDisk(
      () => ({}),
      async ({ disk, dataDir, env }) => {
        const first = await startProcess(env);
        const person = personAt(first.url);
        await person.signIn();
        const { id } = (await person.save("Valve")).json() as { id: string };
        expect((await person.post(`/api/sops/${id}/publish`, {})).status).toBe(200);
        await expect.poll(() => statSync(`${dataDir}/reserve`).size, patience).toBeGreaterThan(2 * 1024 * 1024);
        disk.fill();
        await expect.poll(() => person.warnings(), patience).toContain(full);
        await first.stop("SIGKILL");
        disk.fill();
        truncateSync(`${dataDir}/reserve`, 1024 * 1024);
        for (const start of [2, 3, 4]) {
          const next = await startProcess(env);
          const again = personAt(next.url);
          for (const time of [1, 2, 3]) expect([start, time, await again.signIn()]).toEqual([start, time, 200]);
          for (const path of ["/api/sops", `/api/sops/${id}`])
            expect([path, (await again.get(path)).status]).toEqual([path, 200]);
          expect([await again.found("valve"), await again.listed("valve")]).toEqual([
            [200, 1],
            [200, 1],
          ]);
          await next.stop("SIGKILL");
        }
      },
    ),
  );

  test(
    "with a reserve that is used up: who is signed in reads, and no password can be tried",
    { timeout: 180_000 },
    onSmallDisk(
      () => ({}),
      async ({ disk, dataDir, env }) => {
        const server = await startProcess(env);
        try {
          const person = personAt(server.url);
          expect(await person.signIn()).toBe(200);
          const { id } = (await person.save("Valve")).json() as { id: string };
          expect(await person.found("valve")).toEqual([200, 1]);
          await expect.poll(() => statSync(`${dataDir}/reserve`).size, patience).toBeGreaterThan(2 * 1024 * 1024);
          const stranger = personAt(server.url);
          await expect
            .poll(async () => {
              disk.fill();
              return stranger.signIn();
            }, patience)
            .toBe(507);
          await expect.poll(() => person.warnings(), patience).toContain(usedUp);
          const wrong = await stranger.post("/api/auth/login", { username: "root", password: "not the password" });
          expect(wrong.status).toBe(507);
          for (const path of ["/api/sops", `/api/sops/${id}`, "/api/sops?recent=all", "/api/auth/me"])
            expect([path, (await person.get(path)).status]).toEqual([path, 200]);
          expect(await person.found("valve")).toEqual([200, 1]);
          disk.free();
          await expect.poll(() => stranger.signIn(), patience).toBe(200);
          await expect.poll(async () => (await person.save("Bolt")).status, patience).toBe(201);
          expect(await person.warnings()).not.toContain(usedUp);
        } finally {
          expect(await server.stop("SIGTERM")).toBe(0);
        }
      },
    ),
  );
});
