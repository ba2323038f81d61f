/** `sop diff` and `sop log`, of the server's SOPs and of files. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer, type TestServer, type TestUser } from "../server.ts";
import { callSop, makeFolder, type Folder } from "./run-sop.ts";

let server: TestServer;
let folder: Folder;
let editor: TestUser;
let token: string;
let id: string;
const file = "sops/uncategorized/sop-0001-tea.md";

beforeAll(async () => {
  server = await startServer("sqlite");
  const company = await server.company();
  editor = await company.user("editor", { name: "Eve Editor" });
  const manager = await company.user("manager", { name: "Max Manager" });
  token = (await editor.client.tokens.create({ body: { name: "x", scopes: ["sops:read", "sops:write", "approvals"] } }))
    .token;
  const params = {
    id: (await editor.client.sops.create({ body: { title: "Tea", description: "D", markdown: "1. Boil\n2. Pour\n" } }))
      .id,
  };
  id = params.id;
  await manager.client.sops.publish({ params, body: {} });
  await editor.client.sops.update({
    params,
    body: { title: "Green tea", markdown: "1. Boil the water\n2. Pour\n3. Wait\n", changeNote: "Say what to boil" },
  });
  await editor.client.sops.requestApproval({ params, body: { approverIds: [manager.id], requestNote: "Please" } });
  folder = makeFolder({ "sop.config.yaml": "preset: minimal\n" });
  await sop("pull");
}, 60_000);
afterAll(async () => {
  await server.stop();
  folder.remove();
});

const sop = (...args: string[]) =>
  callSop(args, { cwd: folder.path, env: { SOP_SERVER: server.url, SOP_TOKEN: token } });
const read = () => readFileSync(join(folder.path, file), "utf8");

describe("sop diff of an SOP", () => {
  test("compares the published version with the latest by default", async () => {
    expect(await sop("diff", "sop-0001")).toEqual({
      code: 0,
      stdout: [
        "--- SOP-0001 version 1",
        "+++ SOP-0001 version 2",
        "-title: Tea",
        "+title: Green tea",
        "@@ -1,2 +1,3 @@",
        "-1. Boil",
        "+1. Boil the water",
        " 2. Pour",
        "+3. Wait",
        "",
      ].join("\n"),
      stderr: "",
    });
  });

  test("--word, --stat, --exit-code, --html, --json", async () => {
    expect((await sop("diff", id, "1", "v2", "--word")).stdout).toContain("1. Boil{+ the water+}\n2. Pour\n");
    expect((await sop("diff", id, "1", "2", "--stat")).stdout).toBe(
      "SOP-0001, version 1 → version 2: 2 lines added, 1 removed, 1 fact changed\n",
    );
    expect((await sop("diff", id, "1", "2", "--exit-code")).code).toBe(1);
    expect(await sop("diff", id, "2", "2", "--exit-code")).toEqual({ code: 0, stdout: "", stderr: "" });
    const page = (await sop("diff", id, "--html")).stdout;
    expect(page).toMatch(/<!doctype html>[^]*<del>Tea<\/del>[^]*<ins>Green tea<\/ins>[^]*<ins>/);
    expect(page).not.toMatch(/<script/);
    expect(JSON.parse((await sop("diff", id, "--json")).stdout)).toMatchObject({
      schema: "sop.diff/1",
      ok: true,
      data: {
        same: false,
        stat: { facts: 1, added: 2, removed: 1 },
        facts: [{ field: "title", from: "Tea", to: "Green tea" }],
      },
    });
  });

  test("bad input: an unknown SOP, a version there is not, two ways at once, no server, no token", async () => {
    expect((await sop("diff", "SOP-0099")).code).toBe(2);
    expect((await sop("log", "SOP-0099")).code).toBe(2);
    const unknown = await sop("diff", id, "9");
    expect(unknown).toMatchObject({ code: 2, stdout: "" });
    expect(unknown.stderr).toMatch(
      /SOP-0001 has no version 9[^]*the last ones: v2 \S+ Eve Editor \(\S+\) Say what to boil; v1 /,
    );
    expect((await sop("diff", id, "one")).code).toBe(2);
    expect((await sop("diff", id, "--word", "--html")).code).toBe(2);
    const as = (env: Record<string, string>) => callSop(["diff", id], { cwd: folder.path, env });
    expect((await as({ SOP_SERVER: server.url })).code).toBe(4);
    expect((await as({ SOP_SERVER: "http://127.0.0.1:1", SOP_TOKEN: token })).code).toBe(5);
  });
});

describe("sop log of an SOP", () => {
  test("versions, newest first; -n, --since, --approvals", async () => {
    const rows = (await sop("log", "SOP-0001")).stdout.split("\n");
    expect(rows[0]).toMatch(/^v2 {2}2026-06-01 08:00 {2}Eve Editor \(\S+\) {2}major {2}latest {5}Say what to boil$/);
    expect(rows[1]).toMatch(/^v1 {2}2026-06-01 08:00 {2}Eve Editor \(\S+\) {2}major {2}published$/);
    expect((await sop("log", id, "-n", "1")).stdout.split("\n")).toHaveLength(2);
    expect((await sop("log", id, "--since", "2026-06-02")).stdout).toBe("");
    expect((await sop("log", id, "--approvals")).stdout).toMatch(
      /^ {6}2026-06-01 08:00 Eve Editor \(\S+\) submitted for approval "Please": pending\n {8}Max Manager \(\S+\): pending$/m,
    );
    for (const day of ["yesterday", "2026-13-40", ""]) expect((await sop("log", id, "--since", day)).code).toBe(2);
  });
});

test("sop log indents the further lines of a note, a comment and a title, so that none looks like a row", async () => {
  const company = await server.company();
  const [author, approver] = [
    await company.user("manager", { name: "Ann" }),
    await company.user("manager", { name: "Ben" }),
  ];
  const { token: own } = await author.client.tokens.create({ body: { name: "x", scopes: ["sops:read", "approvals"] } });
  const note = "Fix typo\nApproved-by: Forged\r\n\nv9  2026-06-01 08:00  Boss";
  const body = { title: "Tea", description: "D", markdown: "1. Boil\n", changeNote: note };
  const params = { id: (await author.client.sops.create({ body })).id };
  await author.client.sops.requestApproval({
    params,
    body: { approverIds: [approver.id], requestNote: "Please\nv8 asked" },
  });
  const { stdout } = await callSop(["log", params.id, "--approvals"], {
    cwd: folder.path,
    env: { SOP_SERVER: server.url, SOP_TOKEN: own },
  });
  const [first = "", ...rest] = stdout.trimEnd().split("\n");
  expect(first).toMatch(/^v1 .* Fix typo$/);
  expect(rest.filter((line) => line !== "" && !line.startsWith("      "))).toEqual([]);
  expect(rest[0]?.indexOf("Approved-by")).toBe(first.indexOf("Fix typo"));
  expect(rest).toContain('          v8 asked": pending');
});

describe("files", () => {
  test("against what was pulled, a version of the server, a commit", async () => {
    const pulled = read();
    expect((await sop("diff", file)).stdout).toBe("");
    folder.write({ [file]: pulled.replace("3. Wait", "3. Wait a minute") });
    expect((await sop("diff", file)).stdout).toContain("-3. Wait\n+3. Wait a minute\n");
    expect((await sop("diff", file, "v1", "--stat")).stdout).toBe(
      `${file}, version 1 → as it is here: 2 lines added, 1 removed, 1 fact changed\n`,
    );
    expect(await sop("diff", file, "7")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("the last ones: v2"),
    });

    const git = (...args: string[]) =>
      spawnSync("git", ["-c", "user.name=Ada", "-c", "user.email=a@example.com", ...args], { cwd: folder.path });
    git("init", "-q");
    expect((await sop("log", file)).stdout).toBe("");
    git("add", "sops");
    git("commit", "-qm", "Pulled");
    folder.write({ [file]: pulled.replace("3. Wait", "3. Wait an hour") });
    expect((await sop("diff", file, "HEAD")).stdout).toContain("-3. Wait a minute\n+3. Wait an hour\n");
    const unknown = await sop("diff", file, "HEAD~5");
    expect(unknown).toMatchObject({ code: 2, stdout: "" });
    expect(unknown.stderr).toMatch(/is not in git at HEAD~5[^]*the last ones: \w+ \S+ Pulled/);
    expect((await sop("diff", file, "--output=x")).code).toBe(2);
    expect((await sop("log", file)).stdout).toMatch(/^\w+ {2}\S+ \S+ {2}Ada {2}Pulled\n$/);
    folder.write({ "own.md": "One.\n" });
    git("add", "own.md");
    git("commit", "-qm", "Own");
    folder.write({ "own.md": "Two.\n" });
    expect((await sop("diff", "own.md", "--exit-code")).code).toBe(1);
  });

  test("bad input: no such file, a folder, nothing to compare with, no history", async () => {
    const other = makeFolder({ "a.md": "A.\n", "b/c.md": "C.\n", "d.md": "---\ntitle: [\n---\n" });
    const here = (...args: string[]) => callSop(args, { cwd: other.path });
    expect(await here("diff", "nope.md")).toMatchObject({ code: 2, stderr: expect.stringContaining("file not found") });
    expect((await here("diff", "b")).code).toBe(2);
    expect(await here("diff", "a.md")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("nothing to compare with"),
    });
    expect(await here("log", "a.md")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("not in a git repository"),
    });
    expect((await here("log", "nope.md")).code).toBe(2);
    expect((await here("log", "a.md", "--approvals")).code).toBe(2);
    other.remove();
  });
});
