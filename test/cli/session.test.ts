import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTerminalPrompts, type TerminalPrompts } from "../../cli/ask.ts";
import { login } from "../../cli/commands/login.ts";
import { createToken } from "../../cli/commands/token.ts";
import type { CommandContext } from "../../cli/context.ts";
import { createOutput } from "../../cli/output.ts";
import { goodToken, refusal, startFakeServer, type FakeServer } from "./fake-server.ts";
import { makeFolder, runSop, type Folder, type RunOptions } from "./run-sop.ts";

let server: FakeServer;
let folder: Folder;

beforeEach(async () => {
  server = await startFakeServer();
  folder = makeFolder();
});
afterEach(async () => {
  folder.remove();
  await server.close();
});

const sop = (args: string[], options: Partial<RunOptions> = {}) => runSop(args, { cwd: folder.path, ...options });
const credentials = () => join(folder.path, ".config/sopwright/credentials.json");
const signIn = () => sop(["login", "--token-stdin", "--server", server.url], { input: `${goodToken}\n` });

/** The context that the process builds on a terminal, with these answers. */
function contextAnswering(password: string, flags: CommandContext["flags"] = {}): CommandContext {
  const ask: TerminalPrompts = { text: async () => "grace", password: async () => password, confirm: async () => true };
  const signal = new AbortController().signal;
  const out = createOutput({ json: false, quiet: true, verbose: false, color: false }, process);
  const env = { XDG_CONFIG_HOME: join(folder.path, ".config"), SOP_KEYRING: "off", SOP_SERVER: server.url };
  return { flags, out, env, cwd: folder.path, signal, ask, stdin: async () => new Uint8Array() };
}

it("sends a token or password only to a server that was named", async () => {
  const env = { SOP_TOKEN: goodToken };
  const nowhere = [
    await sop(["whoami"], { env }),
    await sop(["login", "--token-stdin"], { input: `${goodToken}\n` }),
    await signIn().then(() => sop(["whoami"], { env })),
  ];
  for (const { code, stderr } of nowhere)
    expect([code, stderr]).toEqual([2, expect.stringContaining("set SOP_SERVER, or add --server")]);
  expect((await sop(["whoami", "--server", server.url], { env })).code).toBe(0);
  expect((await sop(["whoami"])).code).toBe(0);
});

describe("a server that counts requests", () => {
  const limited = (seconds: number) => ({
    ...refusal("rate_limited", { retryAfterSeconds: seconds }),
    headers: { "retry-after": String(seconds) },
  });

  it("is asked again when it says, by reads", async () => {
    await signIn();
    let left = 2;
    server.intercept = ({ path }) => (path === "/api/auth/me" && left-- > 0 ? limited(1) : null);
    expect((await sop(["whoami"])).code).toBe(0);
  });

  it("is asked again by reads when it is busy", async () => {
    await signIn();
    let left = 2;
    server.intercept = ({ path }) => (path === "/api/auth/me" && left-- > 0 ? refusal("busy") : null);
    expect((await sop(["whoami"])).code).toBe(0);
    expect(left).toBe(-1);
  });

  it("isn't waited for longer than a minute", async () => {
    await signIn();
    server.intercept = ({ path }) => (path === "/api/auth/me" ? limited(3_600) : null);
    const before = server.seen.length;
    expect((await sop(["whoami"])).code).not.toBe(0);
    expect(server.seen.length).toBe(before + 1);
  });
});

describe("sop login", () => {
  it("signs in, creates a token, ends the session, and keeps the token in a private file", async () => {
    const result = await login(contextAnswering("cobol"), {});
    expect(result.text).toBe(
      `Signed in at ${server.url} as Grace Hopper (grace) of Navy until 2027-02-01. The token is in ${credentials()}.\n`,
    );
    expect(server.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /api/auth/login",
      "POST /api/tokens",
      "POST /api/auth/logout",
    ]);
    expect(JSON.parse(server.seen[1]?.body ?? "")).toMatchObject({
      name: expect.stringMatching(/^sop on ./),
      scopes: ["sops:read", "sops:write", "approvals"],
    });
    expect(server.seen[1]?.headers).toMatchObject({ cookie: "sid=session; sid.sig=abc", origin: server.url });
    expect(statSync(credentials()).mode & 0o777).toBe(0o600);
    const who = await sop(["whoami"]);
    expect(who).toEqual({
      code: 0,
      stdout: `Grace Hopper (grace), Company Admin at Navy, on ${server.url}\n`,
      stderr: "",
    });
  });

  it("a wrong password is 4 and keeps nothing", async () => {
    await expect(login(contextAnswering("fortran"), {})).rejects.toMatchObject({ exit: 4 });
    expect(() => statSync(credentials())).toThrow();
  });

  it("ends the session although no token was made", async () => {
    server.intercept = ({ path }) => (path === "/api/tokens" ? refusal("forbidden") : null);
    await expect(login(contextAnswering("cobol"), {})).rejects.toMatchObject({ code: "forbidden" });
    expect(server.seen.at(-1)?.path).toBe("/api/auth/logout");
  });

  it("takes a token from stdin, after trying it", async () => {
    expect((await sop(["login", "--token-stdin", "--server", server.url], { input: "sop_pat_bad\n" })).code).toBe(4);
    expect(() => statSync(credentials())).toThrow();
    expect((await signIn()).code).toBe(0);
    expect((await sop(["login", "--token-stdin"], { input: "" })).stderr).toContain("no token on stdin");
  });

  it.each([
    ["http://sops.example.com", "plain http is allowed only on this machine"],
    ["ftp://localhost", "is not the address of a server"],
    ["nonsense", "is not the address of a server"],
    ["https://me:secret@sops.example.com", "an address can't contain a name or password"],
  ])("refuses %s", async (address, says) => {
    const ran = await sop(["login", "--token-stdin", "--server", address], { input: goodToken });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(says);
    expect(ran.stderr).not.toContain("secret");
    expect((await sop(["whoami"], { env: { SOP_SERVER: address, SOP_TOKEN: goodToken } })).code).toBe(2);
  });

  it("never asks off a terminal", async () => {
    expect(await sop(["login", "--server", server.url])).toEqual({
      code: 2,
      stdout: "",
      stderr: `error: this would ask: Username at ${server.url}\n  run it on a terminal, or set SOP_TOKEN or use \`sop login --token-stdin\`\n`,
    });
    const ask = createTerminalPrompts({ interactive: false, yes: true, signal: new AbortController().signal });
    expect(await ask.confirm("sure?")).toBe(true);
  });
});

describe("signed in", () => {
  it("keeps sign-ins apart: a token goes to its own server alone", async () => {
    await signIn();
    const other = await startFakeServer();
    try {
      expect((await sop(["whoami", "--server", other.url])).code).toBe(4);
      expect(other.seen).toEqual([]);
      await sop(["login", "--token-stdin", "--server", other.url, "--profile", "two"], { input: goodToken });
      expect((await sop(["whoami"])).stdout).toContain(server.url);
      expect((await sop(["whoami", "--profile", "two"])).stdout).toContain(other.url);
      expect((await sop(["whoami", "--server", server.url])).stdout).toContain(server.url);
      const again = ["login", "--token-stdin", "--server", other.url, "--profile", "two"];
      const said = await sop(again, { input: goodToken });
      expect(said.stdout).toContain("Use it with --profile two. Your default sign-in stays the same.\n");
      expect((await sop(["whoami"])).stdout).toContain(server.url);
      await sop([...again, "--default"], { input: goodToken });
      expect((await sop(["whoami"])).stdout).toContain(other.url);
      expect((await sop(["whoami", "--profile", "two", "--server", server.url])).code).toBe(2);
      expect((await sop(["whoami", "--profile", "three"])).stderr).toContain("no sign-in named three");
    } finally {
      await other.close();
    }
  });

  it("logout forgets the token and ends it on the server", async () => {
    await login(contextAnswering("cobol"), {});
    expect(await sop(["logout"])).toEqual({ code: 0, stdout: `Signed out grace at ${server.url}.\n`, stderr: "" });
    expect(server.seen.at(-1)).toMatchObject({ method: "DELETE", path: "/api/tokens/t1" });
    expect(readFileSync(credentials(), "utf8")).not.toContain(goodToken);
    expect((await sop(["whoami", "--server", server.url])).code).toBe(4);
    expect((await sop(["logout"])).stdout).toBe("No one was signed in.\n");
  });

  it("logout works without the server too, and says what lives on", async () => {
    await login(contextAnswering("cobol"), {});
    await server.close();
    const ran = await sop(["logout"]);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain("The token stays valid on the server until it expires.");
  });

  it("makes, lists and ends tokens", async () => {
    const made = await createToken(contextAnswering("cobol"), "ci", { scope: ["sops:read,repo:read"], expires: 30 });
    expect(made.text).toBe(`${goodToken}\n`);
    const create = server.seen.find(({ path, method }) => path === "/api/tokens" && method === "POST");
    expect(JSON.parse(create?.body ?? "")).toEqual({
      name: "ci",
      scopes: ["sops:read", "repo:read"],
      expiresInDays: 30,
    });
    const env = { SOP_SERVER: server.url, SOP_TOKEN: goodToken };
    expect((await sop(["token", "list"], { env })).stdout).toBe(
      "t1  sop on host  sops:read  until 2027-02-01  never used\n",
    );
    expect((await sop(["token", "revoke", "t1"], { env })).code).toBe(2);
    expect(await sop(["token", "revoke", "t1", "-y"], { env })).toEqual({
      code: 0,
      stdout: "Revoked the token t1.\n",
      stderr: `Company Navy on ${server.url}\n`,
    });
    expect((await sop(["token", "create", "x", "--scope", "all"], { env })).stderr).toContain("all is not a scope");
  });

  it("a broken file of sign-ins is named, with the way out", async () => {
    folder.write({ ".config/sopwright/credentials.json": "{" });
    expect(await sop(["whoami"])).toEqual({
      code: 2,
      stdout: "",
      stderr: `error: ${credentials()}: not a file of sign-ins\n  delete it and run \`sop login\`\n`,
    });
  });
});
