/** The server can't read the record of an SOP, so its list lacks it. No command takes that for a deleted SOP. */
import { cpSync, existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { damageDocument } from "../damage.ts";
import { startServer, type TestServer } from "../server.ts";
import { makeFolder, runSop, type Folder } from "./run-sop.ts";

let server: TestServer;
let folder: Folder;
let env: Record<string, string>;
const sop = (...args: string[]) => runSop(args, { cwd: folder.path, env });
const inside = (name: string, ...args: string[]) => runSop(args, { cwd: path.join(folder.path, name), env });
const at = (...parts: string[]) => path.join(folder.path, ...parts);
const files = (below: string, word: string) => globSync(`**/*${word}*.{md,html}`, { cwd: at(below) });
/** A copy of the workspace as it was pulled before the damage. */
const copyOfWorkspace = (name: string) => cpSync(at("workspace"), at(name), { recursive: true });
const only = (list: string[]) => list[0] ?? "";

const lacking = "the server can't read 1 SOP";
const damaged = "This is damaged on the server";
const formats = ["md", "site", "html"];

beforeAll(async () => {
  server = await startServer("sqlite");
  const user = await (await server.company()).user("company_admin");
  const ids: string[] = [];
  for (const title of ["First", "Second", "Lost record", "Deleted"]) {
    const made = await user.client.sops.create({ body: { title, description: "D", markdown: `1. Go to ${title}\n` } });
    await user.client.sops.publish({ params: { id: made.id }, body: {} });
    ids.push(made.id);
  }
  const { token } = await user.client.tokens.create({
    body: { name: "t", scopes: ["sops:read", "sops:write", "admin"], expiresInDays: 1 },
  });
  folder = makeFolder({});
  env = { SOP_SERVER: server.url, SOP_TOKEN: token };
  await sop("init", "workspace");
  expect(await inside("workspace", "pull")).toMatchObject({ code: 0 });
  for (const format of formats)
    expect(await sop("export", "--format", format, "-o", `as-${format}`)).toMatchObject({ code: 0 });
  const [, , lost = "", deleted = ""] = ids;
  await user.client.sops.remove({ params: { id: deleted } });
  await server.restart(() => damageDocument(path.join(server.dataDir, "sopwright.db"), lost));
  // the server has another port now
  const before = env["SOP_SERVER"] ?? "";
  env["SOP_SERVER"] = server.url;
  for (const file of globSync("workspace/.sop/**/*.json", { cwd: folder.path }))
    writeFileSync(at(file), readFileSync(at(file), "utf8").replaceAll(before, server.url));
}, 120_000);
afterAll(async () => {
  folder.remove();
  await server.stop();
});

it.each(["json", "bundle"])("an export as %s says that it lacks one", async (format) => {
  const ran = await sop("export", "--format", format, "-o", `all.${format}`);
  expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining(lacking) });
  expect(ran.stderr).toContain("sop admin verify");
});

it.each(formats)("an export as %s over an earlier one removes nothing", async (format) => {
  const ran = await sop("export", "--force", "--format", format, "-o", `as-${format}`);
  expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining(lacking) });
  expect(ran.stderr).toMatch(/kept .*lost-record\.\w+: this export isn't whole/);
  expect(ran.stderr).not.toContain("removed");
  for (const word of ["first", "lost-record", "deleted"]) expect(files(`as-${format}`, word)).toHaveLength(1);
});

it("an export without any other SOP writes nothing", async () => {
  const ran = await sop("export", "--tag", "unknown", "--force", "--format", "site", "-o", "as-site");
  expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining(lacking) });
});

it.each(["SOP-0003", "sop 3", "3"])("an export of %s alone says that it is damaged", async (name) => {
  const ran = await sop("export", name, "--format", "md", "-o", "none");
  expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining(`${name}: ${damaged}`) });
});

it("an export of it and another one writes the other one", async () => {
  const ran = await sop("export", "SOP-0001", "SOP-0003", "--format", "md", "-o", "named");
  expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining(`SOP-0003: ${damaged}`) });
  expect(files("named", "")).toEqual([expect.stringContaining("first")]);
});

it.each([["diff"], ["log"]])("%s says that it is damaged", async (command) => {
  expect(await sop(command, "SOP-0003")).toMatchObject({ code: 5, stderr: expect.stringContaining(damaged) });
});

it.each([[[]], [["--prune"]]])("a pull %j names it and removes nothing", async (options) => {
  copyOfWorkspace("pulled");
  const ran = await inside("pulled", "pull", ...options);
  expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining(lacking) });
  expect(ran.stdout).toMatch(/refused .*lost-record\.md .*SOP-0003: This is damaged on the server/);
  expect(ran.stdout).toMatch(/gone .*deleted\.md .*it is kept: the server can't read every SOP/);
  for (const word of ["first", "lost-record", "deleted"]) expect(files("pulled/sops", word)).toHaveLength(1);
  rmSync(at("pulled"), { recursive: true });
});

it("a pull of a new workspace names the number of SOPs that it lacks", async () => {
  await sop("init", "fresh");
  const ran = await inside("fresh", "pull", "--json");
  expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining(lacking) });
  const { ok, errors } = JSON.parse(ran.stdout) as { ok: boolean; errors: unknown[] };
  expect([ok, errors]).toEqual([false, [expect.objectContaining({ message: expect.stringContaining(lacking) })]]);
});

it("a status says which one is damaged", async () => {
  const ran = await inside("workspace", "status", "--remote");
  expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining(lacking) });
  expect(ran.stdout).toMatch(/lost-record\.md .*damaged on the server/);
  expect(ran.stdout).toMatch(/deleted\.md .*deleted on the server/);
  expect((await inside("workspace", "status", "--remote", "--short")).stdout).toMatch(/^ ! sops\/.*lost-record\.md$/m);
});

const withoutId = (text: string) => text.replace(/^(?:id|version): .*\n/gm, "");
const edits: [string, (text: string) => string][] = [
  ["its changed file", (text) => text.replace("Go to", "Run to")],
  ["its file without an id", withoutId],
  ["its file without front matter of its own", (text) => withoutId(text).replace(/^sop: .*\n/m, "")],
];
it.each(edits)("a push refuses %s", async (_, edit) => {
  copyOfWorkspace("pushed");
  const file = at("pushed/sops", only(files("pushed/sops", "lost-record")));
  writeFileSync(file, edit(readFileSync(file, "utf8")));
  const ran = await inside("pushed", "push");
  expect(ran).toMatchObject({ code: 2, stdout: expect.stringMatching(/refused .*lost-record\.md/) });
  expect(ran.stdout).not.toContain("deleted, or you can't see it");
  rmSync(at("pushed"), { recursive: true });
});

it("a push refuses its renamed file without an id", async () => {
  copyOfWorkspace("pushed");
  const file = at("pushed/sops", only(files("pushed/sops", "lost-record")));
  const text = withoutId(readFileSync(file, "utf8")).replace(/^sop: .*\n/m, "");
  writeFileSync(file, text);
  renameSync(file, path.join(path.dirname(file), "new.md"));
  expect(await inside("pushed", "push")).toMatchObject({
    code: 2,
    stdout: expect.stringMatching(/refused .*new\.md .*SOP-0003/),
  });
  expect(existsSync(at("pushed"))).toBe(true);
});

it("no second SOP was created", async () => {
  const { stdout } = await sop("api", "sops.list", "--query", "total=true");
  expect(stdout).toContain('"total": 2');
});
