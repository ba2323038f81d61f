/** `sop admin rotate-keys` as a process, during a running server and without one, on both engines. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { exchange } from "./http.ts";
import { cookieOf, json } from "./server.ts";
import { startProcess } from "./server-process.ts";
import { mongoUri } from "./database/mongo-uri.ts";
import { node, nodeEnv, project } from "./node-program.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

interface Rotated {
  ok: boolean;
  data: { kid: string; resealed?: number; current?: number; byServer?: true; verifyKeys: { kid: string }[] };
}

function rotate(env: Record<string, string>): Promise<{ code: number; answer: Rotated; stderr: string }> {
  return admin<Rotated>(env, "rotate-keys");
}

function admin<T>(
  env: Record<string, string>,
  ...task: string[]
): Promise<{ code: number; answer: T; stderr: string }> {
  const args = [path.join(project, "server/admin/main.ts"), ...task, "--json"];
  return new Promise((done) =>
    execFile(node, args, { env: { ...nodeEnv, ...env } }, (error, stdout, stderr) =>
      done({ code: Number(error?.code ?? 0), answer: JSON.parse(stdout || "{}") as T, stderr }),
    ),
  );
}

const key = "sk-proj-Zq3vXw8LpR5tNc7mKd2y";

async function story(env: Record<string, string>) {
  const server = await startProcess({ PASSWORD_BLOCKLIST: "off", LOG_LEVEL: "error", ...env });
  const ask = (method: string, at: string, body?: unknown, cookie = "") =>
    exchange(server.url, {
      method,
      path: at,
      headers: { ...json, origin: server.url, cookie },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const registered = await ask("POST", "/api/auth/register", {
    username: `rotating-${process.pid}`,
    password: "a long walk to the river",
    name: "Ada",
  });
  const cookie = cookieOf(registered);
  const saved = await ask("PUT", "/api/user/settings", { openaiApiKey: key }, cookie);
  expect([registered.status, saved.status]).toEqual([201, 200]);
  const shown = async () => (await ask("GET", "/api/user/settings", undefined, cookie)).json();
  return { server, ask, shown };
}

const masked = { openaiApiKey: "sk-••••Kd2y", hasApiKey: true, apiKeyProblem: null };

function define(embedded: boolean, uri: string | null) {
  test("beside a server: a new key seals and signs, and the server goes on reading", async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), "sopwright-rotate-"));
    folders.push(dataDir);
    const own = new URL(uri ?? "mongodb://none");
    own.pathname = `/rotate_${process.pid}`;
    const env = { DATA_DIR: dataDir, ...(embedded ? {} : { MONGODB_URI: own.href }) };
    const { server, shown } = await story(env);
    const first = /^(\w+):/.exec(readFileSync(path.join(dataDir, "keys"), "utf8"))?.[1];
    try {
      const { code, answer, stderr } = await rotate(env);
      expect([code, answer.ok]).toEqual([0, true]);
      expect(answer.data.kid).not.toBe(first);
      expect(answer.data.verifyKeys.map(({ kid }) => kid)).toEqual([answer.data.kid, first]);
      if (embedded) {
        expect(answer.data.byServer).toBe(true);
        expect(stderr).toContain("the server (process ");
      }
      expect(await shown()).toMatchObject(masked);
    } finally {
      expect(await server.stop("SIGTERM")).toBe(0);
    }
    const second = await rotate(env);
    expect(second).toMatchObject({ code: 0, answer: { data: { resealed: 1, current: 0, unreadable: [] } } });
    expect(second.answer.data.verifyKeys).toHaveLength(3);
    const secrets = readFileSync(path.join(dataDir, "keys"), "utf8").matchAll(/:(\S+)/g);
    for (const [, secret = "?"] of secrets) expect(JSON.stringify(second)).not.toContain(secret);
  });
}

describe("on SQLite", () => {
  define(true, null);

  test("keys that are lost for good are no damage that stays", async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), "sopwright-lost-"));
    folders.push(dataDir);
    const env = { DATA_DIR: dataDir, PORT: "0" };
    const { server } = await story(env);
    expect(await server.stop("SIGTERM")).toBe(0);
    rmSync(path.join(dataDir, "keys"));
    interface Verified {
      ok: boolean;
      data: { parts: { part: string; findings: string[] }[] };
    }
    const found = async () => {
      const { code, answer } = await admin<Verified>(env, "verify");
      return { code, findings: answer.data.parts.flatMap(({ findings }) => findings) };
    };
    const before = await found();
    expect(before.code).toBe(1);
    expect(before.findings.join("\n")).toMatch(/AI key of user .* is not in the keyring/);
    expect((await admin<Rotated>(env, "rotate-keys", "--lost")).code).toBe(0);
    expect(await found()).toEqual({ code: 0, findings: [] });
  });
});
const uri = mongoUri();
describe.skipIf(uri === null)(`on MongoDB${uri === null ? " (SKIPPED: no server)" : ""}`, () => define(false, uri));

test("where there is no data folder nothing is made", async () => {
  const dataDir = path.join(tmpdir(), `sopwright-rotate-none-${process.pid}`);
  const { code, stderr } = await rotate({ DATA_DIR: dataDir });
  expect(code).toBe(2);
  expect(stderr).toContain("no sopwright.db");
  expect(() => readFileSync(path.join(dataDir, "keys"))).toThrow();
});
