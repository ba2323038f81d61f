import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { routes } from "#core/api/routes.ts";
import { commandGroups } from "../../cli/help/attach.ts";
import { goodToken, startFakeServer, type FakeServer } from "./fake-server.ts";
import { makeFolder, runSop, type Folder } from "./run-sop.ts";

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

const sop = (args: string[], input: string | Uint8Array = "") =>
  runSop(args, { cwd: folder.path, input, env: { SOP_SERVER: server.url, SOP_TOKEN: goodToken } });

describe("sop", () => {
  it("lists its commands", async () => {
    const ran = await sop(["--help"]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    const listed = [...ran.stdout.matchAll(/^ {2}([a-z]+)\b/gm)].map(([, name]) => name);
    expect(listed).toEqual([...Object.values(commandGroups).flat(), "help"]);
  });

  it.each([
    [["nope"], "error: unknown command 'nope'"],
    [["import"], "error: name what to import"],
    [["diff"], "error: missing required argument 'sop|file'"],
    [["import", "x", "--nope"], "error: unknown option '--nope'"],
    [["export", "--format", "odt"], "argument 'odt' is invalid"],
    [["token", "create", "--expires", "soon"], "It must be a whole number."],
    [["-C", "nowhere", "whoami"], "-C nowhere: folder not found"],
    [["admin", "explode"], "explode is not a task"],
  ])("%j is 2", async (args, says) => {
    const ran = await sop(args);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain(says);
    const json = await sop([...args, "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, data: null, errors: [{ message: expect.any(String) }] });
  });

  it("wraps data in one envelope, and repeats errors on stderr", async () => {
    expect(JSON.parse((await sop(["whoami", "--json"])).stdout)).toEqual({
      schema: "sop.whoami/1",
      ok: true,
      data: { server: server.url, source: "SOP_TOKEN", user: expect.objectContaining({ username: "grace" }) },
      errors: [],
    });
    const failed = await sop(["--json", "export", "SOP-0042"]);
    expect(failed.code).toBe(2);
    expect(JSON.parse(failed.stdout)).toEqual({
      schema: "sop.export/1",
      ok: false,
      data: null,
      errors: [
        {
          code: "not_found",
          message: "SOP SOP-0042 isn't published, or you can't see it",
          hint: "add --drafts for the newest versions",
        },
      ],
    });
    expect(failed.stderr).toContain("error: SOP SOP-0042 isn't published, or you can't see it");
  });

  it("a defect is 70, its stack is for -v", async () => {
    server.intercept = () => ({ body: "no JSON" });
    const ran = await sop(["whoami"]);
    expect(ran.code).toBe(70);
    expect(ran.stderr).not.toContain("    at ");
    expect((await sop(["whoami", "-v"])).stderr).toContain("    at ");
  });

  it("shows no control characters of others", async () => {
    folder.write({ "a.md": "# \u001b]0;title\u0007A\n" });
    const { stdout } = await sop(["import", "a.md"]);
    expect(stdout).toBe("+ create  a.md  SOP-0001 \ufffd]0;title\ufffdA\nImport: 1 created.\n");
  });
});

describe("sop api", () => {
  it("reaches every call of the table by its name", async () => {
    const { stdout } = await sop(["api", "--json"]);
    const { data } = JSON.parse(stdout) as { data: { name: string }[] };
    const names = Object.entries(routes).flatMap(([group, rows]) => Object.keys(rows).map((row) => `${group}.${row}`));
    expect(data.map(({ name }) => name)).toEqual(names);
  });

  it("sends parameters, query, body and version", async () => {
    await sop(["api", "sops.update", "--param", "id=a/b", "--if-match", "7", "--body", '{"title":"T"}']);
    expect(server.seen.at(-1)).toMatchObject({
      method: "PUT",
      path: "/api/sops/a%2Fb",
      body: '{"title":"T"}',
      headers: { "if-match": '"v7"', authorization: `Bearer ${goodToken}` },
    });
    folder.write({ "body.json": '{"name": "X"}' });
    await sop(["api", "categories.create", "--body", "@body.json"]);
    expect(server.seen.at(-1)?.body).toBe('{"name":"X"}');
    await sop(["api", "categories.create", "--body", "-"], '{"name":"Y"}');
    expect(server.seen.at(-1)?.body).toBe('{"name":"Y"}');
    const listed = await sop(["api", "sops.list", "--query", "limit=5", "--query", "search=a=b"]);
    expect([...(server.seen.at(-1)?.query ?? [])]).toEqual([
      ["limit", "5"],
      ["search", "a=b"],
    ]);
    expect(listed).toEqual({ code: 0, stdout: '{\n  "data": []\n}\n', stderr: "" });
    folder.write({ "dot.png": Uint8Array.of(0x89, 0x50) });
    await sop(["api", "assets.upload", "--body", "@dot.png"]);
    expect(server.seen.at(-1)?.headers["content-type"]).toBe("image/png");
  });

  it.each([
    [["sops.nope"], "there are sops.list, sops.create"],
    [["constructor.name"], "`sop api` lists them all"],
    [["sops.get"], "sops.get needs --param id=…"],
    [["sops.list", "--param", "id=1"], "sops.list has no id in its path /api/sops"],
    [["sops.list", "--body", "{}"], "sops.list is a GET: it takes no --body"],
    [["sops.create", "--body", "{"], "--body is not JSON"],
    [["sops.list", "--query", "limit"], "write it as name=value"],
    [["sops.create", "--body", "@nowhere.json"], "file or folder not found"],
  ])("%j is 2", async (args, says) => {
    const ran = await sop(["api", ...args]);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain(says);
    expect(server.seen).toEqual([]);
  });

  it("passes on the exit code of what was refused", async () => {
    expect((await sop(["api", "sops.get", "--param", "id=nope"])).code).toBe(2);
    server.intercept = () => ({ status: 412, body: { code: "stale", message: "Now at version 8" } });
    const ran = await sop(["api", "sops.update", "--param", "id=1", "--if-match", "7"]);
    expect(ran).toMatchObject({
      code: 6,
      stderr: "error: Now at version 8\n  fetch the current version and try again\n",
    });
  });

  it("does not follow a redirect with the token", async () => {
    server.intercept = () => ({ status: 302, headers: { location: "http://elsewhere.invalid/" } });
    const ran = await sop(["api", "sops.list"]);
    expect(ran.code).toBe(5);
    expect(server.seen).toHaveLength(1);
  });
});
