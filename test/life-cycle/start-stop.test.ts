/** Starts and stops as an operator sees them: output, exit codes, drains, two servers at once. */
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
// oxlint-disable-next-line no-restricted-imports -- drops the databases of the tests
import { MongoClient } from "mongodb";
import { afterAll, describe, expect, test } from "vitest";
import { mongoUri } from "../database/mongo-uri.ts";
import { node, nodeEnv, project } from "../node-program.ts";
import { startProcess, type ServerProcess } from "../server-process.ts";

const folder = mkdtempSync(path.join(tmpdir(), "sopwright-start-stop-"));
const running: ServerProcess[] = [];
afterAll(async () => {
  for (const server of running) await server.stop("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

let folders = 0;
const emptyFolder = () => path.join(folder, String((folders += 1)));

async function start(env: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startProcess({ DATA_DIR: emptyFolder(), LOG_LEVEL: "warn", ...env });
  running.push(server);
  return server;
}

function failing(env: Record<string, string>): Promise<{ code: number | null; lines: string[] }> {
  const child = spawn(node, [path.join(project, "server/main.ts")], {
    env: { ...nodeEnv, PORT: "0", DATA_DIR: emptyFolder(), ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let text = "";
  child.stderr.on("data", (chunk: Buffer) => void (text += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, lines: text.trimEnd().split("\n") }));
  });
}

const readyAt = async (url: string) => (await fetch(`${url}/readyz`)).status;

describe("arguments", () => {
  const runMain = (...args: string[]) => {
    const cwd = emptyFolder();
    mkdirSync(cwd);
    const { status, stdout, stderr } = spawnSync(node, [path.join(project, "server/main.ts"), ...args], {
      cwd,
      env: { ...nodeEnv, PORT: "0" },
      encoding: "utf8",
      timeout: 20_000,
    });
    return { status, stdout, stderr, made: readdirSync(cwd) };
  };

  test.each(["--help", "-h", "help"])("%s prints the usage and starts nothing", (arg) => {
    expect(runMain(arg)).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^Usage: sopwright-server \[command\]\n[^]*environment variables[^]*admin <task>/),
      stderr: "",
      made: [],
    });
  });

  test.each([["--port=80"], ["serve"], [""], ["admim", "verify"]])("refuses %j", (...args) => {
    expect(runMain(...args)).toEqual({
      status: 2,
      stdout: "",
      stderr: `sopwright-server: ${args[0]} is not a command (sopwright-server --help lists them)\n`,
      made: [],
    });
  });
});

describe("a start", () => {
  test("reports every wrong setting in a line of its own, and ends with 2", async () => {
    const { code, lines } = await failing({
      ADMIN_USERNAME: "x",
      ADMIN_PASSWORD: "long enough",
      PUBLIC_URL: "https://x.org/sop/",
      MAIL_FROM: "garbage",
      PROT: "3000",
    });
    expect(code).toBe(2);
    expect(lines).toEqual([
      "warning: PROT is not a setting; did you mean PORT?",
      "the environment is not usable:",
      expect.stringMatching(/^ {2}- PUBLIC_URL: expected an address without a path/),
      expect.stringMatching(/^ {2}- ADMIN_USERNAME: /),
      expect.stringMatching(/^ {2}- MAIL_FROM: expected sop@example\.org/),
    ]);
  });

  test.each([
    [
      "a password that is too common",
      { ADMIN_USERNAME: "root", ADMIN_PASSWORD: "password" },
      2,
      /ADMIN_PASSWORD: .*common/,
    ],
    ["a data folder that can't be made", { DATA_DIR: "/proc/x/y" }, 5, /^\/proc\/x/],
    ["a data folder below a file", { DATA_DIR: path.join(folder, "file/x") }, 5, /file/],
    ["a MongoDB that is not there", { MONGODB_URI: "mongodb://127.0.0.1:1/" }, 5, /MONGODB_URI/],
    ["a MongoDB URI with an unknown option", { MONGODB_URI: "mongodb://127.0.0.1:1/?x=1" }, 2, /MONGODB_URI/],
    ["an address of another machine", { HOST: "192.0.2.1", ALLOW_INSECURE: "1" }, 5, /192\.0\.2\.1.*HOST/],
  ])("says what is wrong with %s in one line", async (_, env, exit, said) => {
    writeFileSync(path.join(folder, "file"), "");
    const { code, lines } = await failing(env);
    expect([code, lines.at(-1)]).toEqual([exit, expect.stringMatching(said)]);
    expect(lines.length).toBeLessThanOrEqual(2);
  });

  test("prints the bound address, not the public one", async () => {
    const server = await start({ PUBLIC_URL: "https://sop.example.org" });
    expect(server.url).toMatch(/^http:\/\/localhost:\d+$/);
    expect(server.output()).toContain("public address: https://sop.example.org\n");
    expect(server.output()).toContain("create the first administrator: https://sop.example.org/setup?token=");
    expect(await readyAt(server.url)).toBe(200);
  });
});

describe("a stop", () => {
  test("by SIGTERM answers 503 at /readyz and serves on until the drain is over", async () => {
    const server = await start({ DRAIN_SECONDS: "5" });
    const ended = server.stop("SIGTERM");
    await expect.poll(() => readyAt(server.url)).toBe(503);
    expect((await fetch(`${server.url}/api/auth/check`)).status).toBe(200);
    expect(await ended).toBe(0);
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
  });

  test("by a second signal skips the rest of the drain", { timeout: 60_000 }, async () => {
    const server = await start({ DRAIN_SECONDS: "600" });
    const ended = server.stop("SIGTERM");
    await expect.poll(() => readyAt(server.url)).toBe(503);
    const again = setInterval(() => void server.stop("SIGTERM"), 1_100);
    expect(await ended).toBe(0);
    clearInterval(again);
  });

  test("by SIGINT drains nothing", async () => {
    const server = await start({ DRAIN_SECONDS: "600" });
    expect(await server.stop("SIGINT")).toBe(0);
  });
});

describe.skipIf(mongoUri() === null)("two servers that start at the same time on an empty MongoDB", () => {
  const names: string[] = [];
  const emptyDatabase = () => {
    const uri = new URL(mongoUri() ?? "");
    names.push(`start_${process.pid}_${Date.now().toString(36)}_${names.length}`);
    uri.pathname = `/${names.at(-1)}`;
    return uri.href;
  };
  afterAll(async () => {
    const client = new MongoClient(mongoUri() ?? "");
    for (const name of names) await client.db(name).dropDatabase();
    await client.close();
  });

  test.each([
    ["with ADMIN_*", { ADMIN_USERNAME: "root", ADMIN_PASSWORD: "a long walk to the river" }],
    ["with a set-up link", {}],
  ])("both come up %s", { timeout: 60_000 }, async (_, env) => {
    const settings = { ...env, MONGODB_URI: emptyDatabase(), APP_KEYS: `a:${Buffer.alloc(32, 7).toString("base64")}` };
    const both = await Promise.all([start(settings), start(settings)]);
    expect(await Promise.all(both.map(({ url }) => readyAt(url)))).toEqual([200, 200]);
    await Promise.all(both.map((server) => server.stop("SIGINT")));
  });
});
