/** `sop admin reset-password` and `unlock` as processes, on both engines. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { exchange } from "./http.ts";
import { cookieOf, json } from "./server.ts";
import { startProcess, type ServerProcess } from "./server-process.ts";
import { mongoUri } from "./database/mongo-uri.ts";
import { node, nodeEnv, project } from "./node-program.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const old = "a long walk to the river";
const username = `forgetful-${process.pid}`;

const reset = (env: Record<string, string>, args: readonly string[], input = "") =>
  run(env, ["reset-password", ...args], input);

function run(env: Record<string, string>, args: readonly string[], input = "") {
  const program = [path.join(project, "server/admin/main.ts"), ...args];
  const child = spawn(node, program, { env: { ...nodeEnv, ...env } });
  const ran = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (ran.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (ran.stderr += text));
  child.stdin.on("error", () => {}).end(input);
  return new Promise<typeof ran & { code: number | null }>((done) =>
    child.once("close", (code) => done({ ...ran, code })),
  );
}

const post = (server: ServerProcess, at: string, body: unknown) =>
  exchange(server.url, {
    method: "POST",
    path: at,
    headers: { ...json, origin: server.url },
    body: JSON.stringify(body),
  });
const signIn = async (server: ServerProcess, password: string) =>
  (await post(server, "/api/auth/login", { username, password })).status;

async function withServer<T>(env: Record<string, string>, act: (server: ServerProcess) => Promise<T>): Promise<T> {
  const server = await startProcess({ PASSWORD_BLOCKLIST: "off", LOG_LEVEL: "error", ...env });
  try {
    return await act(server);
  } finally {
    expect(await server.stop("SIGTERM")).toBe(0);
  }
}

function define(embedded: boolean, uri: string | null) {
  const newInstallation = (name: string): Record<string, string> => {
    const dataDir = mkdtempSync(path.join(tmpdir(), `sopwright-${name}-`));
    folders.push(dataDir);
    const own = new URL(uri ?? "mongodb://none");
    own.pathname = `/${name}_${process.pid}`;
    return { DATA_DIR: dataDir, ...(embedded ? {} : { MONGODB_URI: own.href }) };
  };

  test("a link for one use, or a password from standard input", async () => {
    const env = newInstallation("reset");

    const cookie = await withServer(env, async (server) => {
      const registered = await post(server, "/api/auth/register", { username, password: old, name: "Ada" });
      expect(registered.status).toBe(201);
      if (embedded) expect(await reset(env, [username])).toMatchObject({ code: 5, stdout: "" });
      return cookieOf(registered);
    });

    const unknown = await reset(env, ["nobody-at-all"]);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("user nobody-at-all not found")]);
    expect((await reset(env, [])).code).toBe(2);
    const short = await reset(env, [username, "--password-stdin"], "short\n");
    expect([short.code, short.stderr]).toEqual([2, expect.stringContaining("at least 6 characters")]);

    const linked = await reset({ ...env, PUBLIC_URL: "https://sop.example.org" }, [username.toUpperCase()]);
    expect(linked.code).toBe(0);
    const [, token] = /^https:\/\/sop\.example\.org\/reset-password\?token=([\w-]{43})\n$/.exec(linked.stdout) ?? [];
    expect(token).toBeDefined();
    expect(linked.stderr).not.toContain(token);
    await withServer(env, async (server) => {
      const password = "over the hills and back";
      expect((await post(server, "/api/auth/reset-password", { token, password })).status).toBe(200);
      expect((await post(server, "/api/auth/reset-password", { token, password: "once more" })).status).toBe(400);
      expect([await signIn(server, old), await signIn(server, password)]).toEqual([401, 200]);
      expect((await exchange(server.url, { path: "/api/auth/me", headers: { cookie } })).status).toBe(401);
    });

    const set = await reset(env, [username, "--password-stdin", "--json"], "through the old forest\n");
    expect(set.code).toBe(0);
    expect(JSON.parse(set.stdout)).toMatchObject({
      schema: "sop.admin.reset-password/1",
      ok: true,
      data: { username },
    });
    expect(set.stdout + set.stderr).not.toContain("forest");
    await withServer(env, async (server) => {
      expect(await signIn(server, "over the hills and back")).toBe(401);
      expect(await signIn(server, "through the old forest")).toBe(200);
    });
  });

  test("unlock ends waits beside a server", async () => {
    const env = newInstallation("unlock");
    await withServer(env, async (server) => {
      const body = { username, name: "Ada", password: old };
      expect((await post(server, "/api/auth/register", body)).status).toBe(201);
      for (let n = 0; n < 5; n++) expect(await signIn(server, "wrong")).toBe(401);
      const counters: string[] = [];
      for (const args of [[username], ["--address", "127.0.0.1"], ["--all"]]) {
        const { code, stdout, stderr } = await run(env, ["unlock", ...args]);
        expect([code, stderr]).toEqual([0, ""]);
        counters.push(stdout);
        expect(await signIn(server, "wrong")).toBe(401);
      }
      expect(counters[0]).toMatch(/^forgetful-\d+ can sign in: counters of wrong passwords removed: [2-9]\n$/);
      expect(counters[1]).toMatch(/^users at 127\.0\.0\.1 can sign in: counters of wrong passwords removed: [1-9]/);
      const path = `/operator/unlock?username=${username}`;
      for (const authorization of ["", "Bearer 1.x"]) {
        const headers = { origin: server.url, authorization };
        expect((await exchange(server.url, { method: "POST", path, headers })).status).toBe(404);
      }
      expect((await run(env, ["unlock"])).code).toBe(2);
      expect((await run(env, ["unlock", "--all", username])).code).toBe(2);
      expect((await run(env, ["unlock", "unknown-name"])).stderr).toContain("user unknown-name not found");
      expect(await signIn(server, old)).toBe(200);
    });
  });
}

describe("on SQLite", () => define(true, null));
const uri = mongoUri();
describe.skipIf(uri === null)(`on MongoDB${uri === null ? " (SKIPPED: no server)" : ""}`, () => define(false, uri));
