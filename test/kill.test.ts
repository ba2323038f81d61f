/**
 * kill -9 at random moments, with saves and imports in flight. Acknowledged writes are still there, and the repository
 * catches up with the ledger. Native git finds no fault, and a rebuild gives the same commits. `SOP_PROOF=1` repeats it
 * 20 times.
 */
import { execFileSync } from "node:child_process";
import { createHash, randomInt, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient, type Client } from "#core/api/client.ts";
import { routes } from "#core/api/routes.ts";
import type { Schemas } from "#core/api/schemas.ts";
import { chainPendingRows } from "../server/audit/chain.ts";
import { checkpointFilePath } from "../server/audit/checkpoints.ts";
import { verifyCompanyAudit } from "../server/audit/verify-company.ts";
import { readCheckpoints } from "../server/audit/verify-daily.ts";
import { readConfig } from "../server/config.ts";
import { findGit } from "../server/repository/git-process.ts";
import { openServices } from "../server/services.ts";
import { exchange } from "./http.ts";
import { count } from "./proof.ts";
import { startProcess } from "./server-process.ts";

const rounds = count({ usual: 2, nightly: 4, proof: 20 });
const admin = { ADMIN_USERNAME: "root", ADMIN_PASSWORD: "a long walk to the river" };
const fileCount = 30;

let dataDir: string;
beforeAll(async () => {
  // on a real disk, so that its syncs limit how much is written until the kill
  dataDir = await mkdtemp("/var/tmp/sopwright-kill-");
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const start = () => startProcess({ DATA_DIR: dataDir, LOG_LEVEL: "error", ...admin });
const clientOf = (url: string, token: string): Client<Schemas> =>
  createClient<Schemas>(routes, ({ url: target, ...request }) =>
    exchange(url, { ...request, path: target, headers: { ...request.headers, authorization: `Bearer ${token}` } }),
  );

async function makeToken(url: string): Promise<string> {
  const headers = { "content-type": "application/json", origin: url };
  const credentials = JSON.stringify({ username: admin.ADMIN_USERNAME, password: admin.ADMIN_PASSWORD });
  const signedIn = await exchange(url, { method: "POST", path: "/api/auth/login", headers, body: credentials });
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  const body = JSON.stringify({ name: "proof", scopes: ["sops:read", "sops:write"] });
  const made = await exchange(url, { method: "POST", path: "/api/tokens", headers: { ...headers, cookie }, body });
  return (made.json() as { token: string }).token;
}

/** Saves that the server acknowledged: `<id> <version>` → the text. */
const acknowledged = new Map<string, string>();

/** Saves and imports until the connection breaks. @returns when the server is gone */
async function write(client: Client<Schemas>, round: number, writer: number): Promise<void> {
  const { id } = await client.sops.create({
    body: { title: `SOP ${round}.${writer}`, description: "D", markdown: "Start" },
  });
  acknowledged.set(`${id} 1`, "Start\n");
  for (let n = 0; ; n++) {
    const markdown = `Round ${round}, writer ${writer}, text ${n}\n`;
    const saved = await client.sops.update({
      params: { id },
      body: { markdown, ...(n % 5 === 4 ? { status: "published" as const } : {}) },
    });
    expect(saved.markdown).toBe(markdown);
    acknowledged.set(`${id} ${saved.version}`, markdown);
  }
}

async function importFiles(client: Client<Schemas>, round: number): Promise<void> {
  for (let n = 0; ; n++) {
    const texts = Array.from({ length: fileCount }, (_, index) => `Import ${index}, round ${round}, run ${n}\n`);
    const documents = texts.map((text, index) => {
      const whole = `# File ${index}\n\n${text}`;
      return { path: `folder/${index}.md`, text: whole, sha256: createHash("sha256").update(whole).digest("hex") };
    });
    const { results } = await client.sops.import({ body: { importId: randomUUID(), documents } });
    results.forEach(({ id, version, outcome }, index) => {
      expect(["create", "update"]).toContain(outcome);
      acknowledged.set(`${id} ${version}`, texts[index] ?? "");
    });
  }
}

test(`nothing acknowledged is lost in ${rounds} kills`, { timeout: rounds * 30_000 }, async () => {
  let token: string | null = null;
  for (let round = 0; round < rounds; round++) {
    const server = await start();
    token ??= await makeToken(server.url);
    const client = clientOf(server.url, token);
    const before = acknowledged.size;
    const work = [write(client, round, 0), write(client, round, 1), importFiles(client, round)].map((one) =>
      one.catch((error: unknown) => error),
    );
    // at a random moment, but only once something could be lost
    while (acknowledged.size < before + 5) await delay(5);
    await delay(randomInt(400));
    expect(await server.stop("SIGKILL")).toBeNull();
    const ends = await Promise.all(work);
    expect(ends.map((end) => (end as { code?: string }).code)).toEqual(
      ends.map(() => expect.stringMatching(/^ECONN|^EPIPE/)),
    );
  }

  const server = await start();
  const client = clientOf(server.url, token ?? "");
  for (const [key, text] of acknowledged) {
    const [id = "", version = ""] = key.split(" ");
    const stored = await client.sops.version({ params: { id, version: Number(version) } });
    expect([key, stored.markdown]).toEqual([key, text]);
  }
  const { data } = await client.sops.list({ query: { limit: 200, total: "true" } });
  for (const { id, version } of data) {
    const versions = await client.sops.versions({ params: { id } });
    expect(versions.map((one) => one.version)).toEqual(Array.from({ length: version }, (_, index) => version - index));
  }
  let state = await client.repository.get();
  while (state.lag > 0) {
    await delay(20);
    state = await client.repository.get();
  }
  const companyId = data[0]?.companyId ?? "";
  expect(await server.stop("SIGTERM")).toBe(0);

  const services = await openServices({ config: readConfig({ DATA_DIR: dataDir, LOG_LEVEL: "silent" }) });
  try {
    const { repositories } = services;
    const git = findGit();
    if (git === null) process.stdout.write("git is not installed: install it to have the repository checked by it\n");
    else {
      const say = (...args: string[]) =>
        execFileSync(git, ["-C", repositories.path(companyId), ...args], {
          encoding: "utf8",
          stdio: ["ignore", "pipe", "pipe"],
        });
      say("fsck", "--strict", "--no-dangling");
      expect([say("rev-parse", "history").trim(), say("rev-parse", "main").trim()]).toEqual([
        state.history,
        state.main,
      ]);
    }
    const rebuilt = await repositories.rebuild(companyId);
    expect(rebuilt).toMatchObject({ main: state.main, history: state.history, lag: 0 });
    const { db, keys } = services;
    while ((await chainPendingRows(db, companyId, 500)).chained > 0);
    const company = await db.collection("companies").findOne({ _id: companyId });
    const outside = await readCheckpoints(checkpointFilePath(dataDir));
    const proof = { keys: keys.verifyKeys(), outside };
    const log = company ? await verifyCompanyAudit(db, company, proof) : null;
    expect(log).toMatchObject({ ok: true, rows: await db.collection("audit_logs").countDocuments({ companyId }) });
    process.stdout.write(`kill -9: ${rounds} rounds, ${acknowledged.size} acknowledged versions, none lost\n`);
  } finally {
    await services.close();
  }
});
