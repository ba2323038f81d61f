/** `sop completion` and `sop doctor`. */
import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildProgram } from "../../cli/program.ts";
import { startServer, type TestServer } from "../server.ts";
import { callSop, makeFolder, type Folder } from "./run-sop.ts";

let folder: Folder;
beforeAll(() => void (folder = makeFolder({ "sop.config.yaml": "preset: minimal\n", "sops/a.md": "A.\n" })));
afterAll(() => folder.remove());

const script = async (shell: string) => (await callSop(["completion", shell], { cwd: folder.path })).stdout;
const installed = (shell: string) => spawnSync(shell, ["-c", "exit 0"]).status === 0;

describe("sop completion", () => {
  const commands = buildProgram().commands.map((command) => command.name());

  test.each(["bash", "zsh", "fish", "powershell"])("%s knows every command", async (shell) => {
    const ran = await callSop(["completion", shell], { cwd: folder.path });
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    for (const name of commands) expect(ran.stdout).toContain(name);
    expect(ran.stdout).not.toContain("undefined");
  });

  test.runIf(installed("bash"))("bash completes commands, sub-commands, flags, values and files", async () => {
    const source = await script("bash");
    const complete = (...words: string[]) => {
      const list = words.map((word) => `'${word}'`).join(" ");
      const ask = `${source}\nCOMP_WORDS=(${list}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _sop; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const { stdout, stderr } = spawnSync("bash", ["-c", ask], { cwd: folder.path, encoding: "utf8" });
      expect(stderr).toBe("");
      return stdout.split("\n").filter(Boolean);
    };
    expect(complete("sop", "")).toEqual(commands);
    expect(complete("sop", "pu")).toEqual(["pull", "push"]);
    expect(complete("sop", "--server", "http://x", "pu")).toEqual(["pull", "push"]);
    expect(complete("sop", "token", "")).toEqual(["create", "list", "revoke"]);
    expect(complete("sop", "pull", "--on-conflict", "m")).toEqual(["merge", "mine"]);
    expect(complete("sop", "pull", "--dr")).toEqual(["--dry-run"]);
    expect(complete("sop", "completion", "")).toEqual(["bash", "zsh", "fish", "powershell"]);
    expect(complete("sop", "lint", "so").sort()).toEqual(["sop.config.yaml", "sops"]);
    expect(complete("sop", "init", "--ci", "")).toEqual(["github", "gitlab"]);
  });

  test.runIf(installed("zsh"))("zsh reads its script", async () => {
    const { status, stderr } = spawnSync("zsh", ["-n"], { input: await script("zsh"), encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
  });

  test.runIf(installed("fish"))("fish completes commands, sub-commands and values", async () => {
    folder.write({ "sop.fish": await script("fish") });
    const complete = (line: string) => {
      const ask = `source sop.fish; complete -C "${line}"`;
      const { stdout, stderr } = spawnSync("fish", ["--no-config", "-c", ask], { cwd: folder.path, encoding: "utf8" });
      expect(stderr).toBe("");
      return stdout.split("\n").flatMap((found) => found.split("\t").slice(0, 1).filter(Boolean));
    };
    expect(complete("sop pu")).toEqual(["pull", "push"]);
    expect(complete("sop token ")).toEqual(["create", "list", "revoke"]);
    expect(complete("sop pull --on-conflict m")).toEqual(["merge", "mine"]);
    folder.write({ "sop.fish": "" });
  });

  test("an unknown shell, or none, is 2", async () => {
    for (const args of [["tcsh"], []]) {
      expect(await callSop(["completion", ...args], { cwd: folder.path })).toMatchObject({ code: 2, stdout: "" });
    }
  });
});

describe("sop doctor", () => {
  let server: TestServer;
  let token: string;
  beforeAll(async () => {
    server = await startServer("sqlite");
    const user = await (await server.company()).user("editor");
    token = (await user.client.tokens.create({ body: { name: "x", scopes: ["sops:read"] } })).token;
  }, 60_000);
  afterAll(() => server.stop());

  const doctor = async (env: Record<string, string>, cwd = folder.path) => {
    const ran = await callSop(["doctor", "--json"], { cwd, env });
    const { data } = JSON.parse(ran.stdout) as { data: { name: string; state: string; hint?: string }[] };
    return { code: ran.code, states: Object.fromEntries(data.map(({ name, state }) => [name, state])), data };
  };

  test("all well", async () => {
    const { code, states } = await doctor({ SOP_SERVER: server.url, SOP_TOKEN: token });
    expect(code).toBe(0);
    expect(states).toMatchObject({
      node: "ok",
      workspace: "ok",
      config: "ok",
      state: "note",
      pdf: "ok",
      server: "ok",
      token: "ok",
    });
  });

  test("what is not there is said with a hint; what is wrong is 1", async () => {
    const signedOut = await doctor({ SOP_SERVER: server.url });
    expect(signedOut).toMatchObject({ code: 0, states: { token: "note" } });
    const down = await doctor({ SOP_SERVER: "http://127.0.0.1:1", SOP_TOKEN: token });
    expect(down).toMatchObject({ code: 1, states: { server: "failed", token: "failed" } });
    const wrong = await doctor({ SOP_SERVER: server.url, SOP_TOKEN: "sop_pat_wrong" });
    expect(wrong).toMatchObject({ code: 1, states: { server: "ok", token: "failed" } });
    const broken = makeFolder({ "sop.config.yaml": "preset: nope\n", ".sop/state.json": "{" });
    expect(await doctor({ SOP_SERVER: server.url }, broken.path)).toMatchObject({
      code: 1,
      states: { config: "failed", state: "failed" },
    });
    broken.remove();
    const nowhere = makeFolder();
    expect(await doctor({ SOP_SERVER: server.url }, nowhere.path)).toMatchObject({
      code: 0,
      states: { workspace: "note" },
    });
    nowhere.remove();
    for (const { data } of [signedOut, down, wrong]) {
      for (const check of data) if (check.state !== "ok") expect(check).toHaveProperty("hint");
    }
    const { stdout } = await callSop(["doctor"], { cwd: folder.path, env: { SOP_SERVER: server.url } });
    expect(stdout).toContain("--  token      not signed in at");
    expect(stdout).toContain("    run `sop login --server");
  });
});
