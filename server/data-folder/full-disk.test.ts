/** The disk of DATA_DIR without a free byte: a running server and one that starts there read, and write again with space. */
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
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
    async signIn() {
      const answer = await post("/api/auth/login", { username: "root", password: admin.ADMIN_PASSWORD });
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
    async found(word: string) {
      const answer = await send({ path: `/api/search?q=${word}` });
      return [answer.status, (answer.json() as { data?: unknown[] }).data?.length];
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

describe.skipIf(probe === null)(`a full disk${probe ? "" : " (SKIPPED: this process may not mount)"}`, () => {
  const engines = [
    // the database is on the full disk, or elsewhere
    { engine: "the embedded engine", more: () => ({}), whileFull: 507, isSkipped: false },
    { engine: "MongoDB", more: ownMongo, whileFull: 201, isSkipped: mongoUri() === null },
  ];
  for (const { engine, more, whileFull, isSkipped } of engines) {
    test.skipIf(isSkipped)(
      `on ${engine}: a server reads and searches, also after a restart, and recovers by itself`,
      { timeout: 180_000 },
      async () => {
        const disk = mountSmallDisk(24);
        if (!disk) return;
        const dataDir = `${disk.dir}/data`;
        const env = { ...admin, ...more(), DATA_DIR: dataDir, LOG_LEVEL: "error" };
        try {
          const first = await startProcess(env);
          const person = personAt(first.url);
          await person.signIn();
          const { id } = (await person.save("Valve")).json() as { id: string };
          expect((await person.post(`/api/sops/${id}/publish`, {})).status).toBe(200);
          expect(await person.found("valve")).toEqual([200, 1]);
          await expect.poll(() => person.lag(), patience).toBe(0);
          // nobody has searched in this company yet: it has no index
          const founder = personAt(first.url);
          await founder.register();
          await founder.save("Washer");
          const worker = { username: "worker", name: "A Worker", email: "worker@example.org" };
          const { id: workerId } = (await person.post("/api/company/users", worker)).json() as { id: string };
          disk.fill();
          const reads = async (reader: typeof person) => {
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
          await reads(person);
          expect((await person.save("Gasket")).status).toBe(whileFull);
          expect((await person.upload()).status).toBe(whileFull);
          await reads(person);
          const reset = await person.post(`/api/company/users/${workerId}/reset-password`, {});
          expect(reset.status).toBe(whileFull === 507 ? 507 : 200);
          // making an index needs space, and so does saving beside the embedded engine
          expect((await founder.found("washer"))[0]).toBe(507);
          await first.stop("SIGTERM");
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
            for (const word of ["gasket", "flange"])
              expect(await again.found(word)).toEqual([200, whileFull === 201 ? 1 : 0]);
          } finally {
            expect(await second.stop("SIGTERM")).toBe(0);
          }
        } finally {
          disk.unmount();
        }
      },
    );
  }
});
