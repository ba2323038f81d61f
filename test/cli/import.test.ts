import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { limits } from "#core/limits.ts";
import { goodToken, isImport, refusal, startFakeServer, type FakeServer } from "./fake-server.ts";
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

const sop = (args: string[], options: Partial<RunOptions> = {}) =>
  runSop(args, { cwd: folder.path, ...options, env: { SOP_SERVER: server.url, SOP_TOKEN: goodToken, ...options.env } });

const two = { "docs/a.md": "# Alpha\n\nDo it.\n", "docs/b.md": "# Beta\n\nDo that.\n" };

const target = () => `Company Navy on ${server.url}\n`;

describe("sop import", () => {
  it("creates, and finds nothing to do the second time", async () => {
    folder.write(two);
    expect(await sop(["import", "docs"])).toEqual({
      code: 0,
      stdout: "+ create  docs/a.md  SOP-0001 Alpha\n+ create  docs/b.md  SOP-0002 Beta\nImport: 2 created.\n",
      stderr: target(),
    });
    const before = server.imports().length;
    expect(await sop(["import", "docs"])).toEqual({ code: 0, stdout: "Import: 2 unchanged.\n", stderr: target() });
    expect(server.imports().slice(before)).toMatchObject([{ dryRun: true }]);
    expect(
      server
        .imports()
        .at(-1)
        ?.documents.every(({ text }) => text === undefined),
    ).toBe(true);
  });

  it("sends hashes first, then only what is not unchanged, at most 50 a request, under one import id", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 120 }, (_, i) => [`d/${String(i).padStart(3, "0")}.md`, `# T${i}\n`]),
    );
    folder.write(files);
    expect((await sop(["import", "d"])).code).toBe(0);
    const requests = server.imports();
    expect(requests.map(({ dryRun, documents }) => [dryRun, documents.length])).toEqual([
      [true, 50],
      [true, 50],
      [true, 20],
      [false, 50],
      [false, 50],
      [false, 20],
    ]);
    expect(new Set(requests.map(({ importId }) => importId)).size).toBe(1);
    const keys = server.seen.filter(isImport).map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys.slice(3)).size).toBe(3);
    expect(keys.slice(0, 3)).toEqual([undefined, undefined, undefined]);
    folder.write({ "d/007.md": "# Changed\n" });
    const before = requests.length;
    const ran = await sop(["import", "d", "--json"]);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      schema: "sop.import/1",
      ok: true,
      data: { dryRun: false, totals: { update: 1, unchanged: 119 } },
      errors: [],
    });
    expect(
      server
        .imports()
        .slice(before)
        .at(-1)
        ?.documents.map(({ path }) => path),
    ).toEqual(["d/007.md"]);
  });

  it("splits requests at 16 MiB", async () => {
    // A control character takes six bytes in JSON: 50 such documents would be 75 MiB.
    const text = `# T\n\n${"\u0001".repeat(limits.document - 100)}`;
    folder.write(Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`d/${i}.md`, text])));
    expect((await sop(["import", "d"])).code).toBe(0);
    const sizes = server.seen.filter(isImport).map(({ body }) => Buffer.byteLength(body));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(limits.importRequest);
    expect(server.sops.size).toBe(12);
  });

  it("shows a plan that changes nothing", async () => {
    folder.write(two);
    await sop(["import", "docs/a.md"]);
    folder.write({
      "docs/a.md": "# Alpha\n\nDo it well.\n",
      "docs/c.md": "---\nREFUSE\n---\n",
      "docs/d.md": "# D CLASH\n",
    });
    const ran = await sop(["import", "docs", "--dry-run", "-v"]);
    expect(ran).toEqual({
      code: 0,
      stdout: [
        "+ create    docs/b.md  SOP-0002 Beta",
        "~ update    docs/a.md  SOP-0001 Alpha (v2)",
        "! conflict  docs/d.md  changed on the server since version 1",
        "x refused   docs/c.md  the front matter can't be read (line 2)",
        "Plan: 1 to create, 1 to update, 1 in conflict, 1 refused.",
        "",
      ].join("\n"),
      stderr: target(),
    });
    expect(server.sops.size).toBe(1);
    expect(server.sops.get("docs/a.md")?.version).toBe(1);
  });

  it.each([
    { files: { "a.md": "# A\n" }, dry: 10, real: 0, again: 0 },
    { files: { "a.md": "# A\n", "b.md": "REFUSE" }, dry: 2, real: 3, again: 2 },
    { files: { "a.md": "# A\n", "b.md": "CLASH" }, dry: 6, real: 3, again: 6 },
    { files: { "b.md": "REFUSE" }, dry: 2, real: 2, again: 2 },
    { files: { "b.md": "CLASH" }, dry: 6, real: 6, again: 6 },
    { files: { "b.md": "CLASH", "c.md": "REFUSE" }, dry: 2, real: 2, again: 2 },
  ])("exit codes: $files", async ({ files, dry, real, again }) => {
    folder.write(files);
    const codes = [];
    for (const args of [["--dry-run", "--detailed-exitcode"], [], []])
      codes.push((await sop(["import", ".", ...args])).code);
    expect(codes).toEqual([dry, real, again]);
  });

  it("passes its options on", async () => {
    folder.write({ "a.md": "# A\n" });
    await sop(["import", "a.md", "--category", "IT", "--create-categories", "--on-conflict", "copy"]);
    expect(server.imports().at(-1)).toMatchObject({
      category: "IT",
      createCategories: true,
      onConflict: "copy",
      dryRun: false,
    });
  });

  it("gives a document the same name from every folder", async () => {
    folder.write({ ...two, "sop.config.yaml": "schema: 1\n" });
    await sop(["import", "docs"]);
    expect((await sop(["import", "*.md", "-C", "docs"])).stdout).toBe("Import: 2 unchanged.\n");
    expect((await sop(["import", "../docs/a.md"], { cwd: `${folder.path}/docs` })).stdout).toBe(
      "Import: 1 unchanged.\n",
    );
  });

  it("leaves out what .gitignore and .sopignore leave out", async () => {
    folder.write({
      ...two,
      "docs/node_modules/x/readme.md": "# no\n",
      "docs/.hidden/x.md": "# no\n",
      "docs/drafts/x.md": "# no\n",
      "docs/drafts/keep/x.md": "# no\n",
      "docs/out/y.md": "# no\n",
      "docs/out/z.md": "# Z\n",
      ".gitignore": "drafts/\n",
      "docs/out/.sopignore": "*.md\n!z.md\n",
    });
    await sop(["import", "docs"]);
    expect([...server.sops.keys()]).toEqual(["docs/a.md", "docs/b.md", "docs/out/z.md"]);
    await sop(["import", "docs/**/*.md"]);
    expect(server.sops.size).toBe(3);
  });

  it("sends the bytes as they are: CRLF and a byte order mark", async () => {
    const text = "\uFEFF# Alpha\r\n\r\nDo it.\r\n";
    folder.write({ "a.md": text });
    expect((await sop(["import", "a.md"])).code).toBe(0);
    const sent = server.imports().at(-1)?.documents[0];
    expect(sent).toEqual({ path: "a.md", text, sha256: createHash("sha256").update(text).digest("hex") });
  });

  it("asks for nothing but a plan when they might not fit", async () => {
    folder.write({ ...two, "docs/c.md": "# C\n" });
    server.room = 3;
    await sop(["import", "docs/a.md"]);
    server.room = 2;
    const ran = await sop(["import", "docs"]);
    expect(ran).toEqual({
      code: 2,
      stdout: "? not sent  docs/b.md  not sent\n? not sent  docs/c.md  not sent\nImport: 2 not sent, 1 unchanged.\n",
      stderr:
        `${target()}` +
        "error: this import would create 2 SOPs and the company has room for 1: nothing was written\n" +
        "  import fewer, archive or delete some, or ask for a higher limit\n",
    });
    expect(server.sops.size).toBe(1);
    expect((await sop(["import", "docs", "--dry-run"])).code).toBe(2);
    server.room = 3;
    expect((await sop(["import", "docs"])).code).toBe(0);
  });
});

describe("sop import, bad input", () => {
  const bad: Record<string, string | Uint8Array> = {
    "bad/empty.md": "",
    "bad/blank.md": "\uFEFF \n\n",
    "bad/latin1.md": Uint8Array.from([0x23, 0x20, 0xe4, 0x0a]),
    "bad/utf16.md": Uint8Array.from([0xff, 0xfe, 0x23, 0x00]),
    "bad/binary.md": Uint8Array.from([0x23, 0x00, 0x01]),
    "bad/huge.md": "x".repeat(5_000_000),
    "bad/one.md": '---\nid: "0198f0c2-5b7e-7c11-9a44-2f6f0a3c9d10"\n---\n# One\n',
    "bad/two.md": "---\r\ntitle: two\r\nid: 0198F0C2-5b7e-7c11-9a44-2f6f0a3c9d10\r\n---\r\n# Two\r\n",
  };

  it("refuses each with its name and the way out, and imports the others", async () => {
    folder.write({ ...bad, "bad/fine.md": "# Fine\n" });
    const ran = await sop(["import", "bad"]);
    expect(ran).toEqual({
      code: 3,
      stdout: [
        "+ create   bad/fine.md    SOP-0001 Fine",
        "x refused  bad/binary.md  the file is not text (it holds NUL bytes)",
        "x refused  bad/blank.md   the file is empty; write something, or delete it",
        "x refused  bad/empty.md   the file is empty; write something, or delete it",
        "x refused  bad/huge.md    4,883 KiB are too much, a document has at most 1,024 KiB; split it into several SOPs",
        "x refused  bad/latin1.md  the file is not UTF-8; save it as UTF-8 in your editor",
        "x refused  bad/one.md     bad/two.md has the same id 0198f0c2-5b7e-7c11-9a44-2f6f0a3c9d10; delete the id line in all but one",
        "x refused  bad/two.md     bad/one.md has the same id 0198f0c2-5b7e-7c11-9a44-2f6f0a3c9d10; delete the id line in all but one",
        "x refused  bad/utf16.md   the file is UTF-16, not UTF-8; save it as UTF-8 in your editor",
        "Import: 1 created, 8 refused.",
        "",
      ].join("\n"),
      stderr: target(),
    });
    expect([...server.sops.keys()]).toEqual(["bad/fine.md"]);
    const json = await sop(["import", "bad", "--json"]);
    const { ok, errors } = JSON.parse(json.stdout) as { ok: boolean; errors: { code: string; path: string }[] };
    expect(json.code).toBe(2);
    expect(ok).toBe(false);
    expect(errors.map(({ code, path }) => `${code} ${path}`).sort()).toEqual([
      "empty bad/blank.md",
      "empty bad/empty.md",
      "not_text bad/binary.md",
      "not_utf8 bad/latin1.md",
      "not_utf8 bad/utf16.md",
      "same_id bad/one.md",
      "same_id bad/two.md",
      "too_large bad/huge.md",
    ]);
  });

  it("refuses symbolic links and what is not Markdown", async () => {
    const { symlinkSync } = await import("node:fs");
    folder.write({ ...two, "docs/x.docx": "PK", "plan.txt": "no" });
    symlinkSync("../docs", `${folder.path}/docs/loop`);
    symlinkSync("a.md", `${folder.path}/docs/link.md`);
    const ran = await sop(["import", "docs", "plan.txt"]);
    expect(ran.code).toBe(3);
    expect(ran.stdout).toBe(
      [
        "+ create   docs/a.md     SOP-0001 Alpha",
        "+ create   docs/b.md     SOP-0002 Beta",
        "x refused  docs/link.md  symbolic links are not followed; name the file or folder it points to",
        "x refused  docs/loop     symbolic links are not followed; name the file or folder it points to",
        "x refused  docs/x.docx   it isn't a zip archive, or its end is missing: download it again",
        "x refused  plan.txt      only .md, .mdx, .docx, .html and .zip files are read; --ext reads other files as Markdown",
        "Import: 2 created, 4 refused.",
        "",
      ].join("\n"),
    );
  });

  it.runIf(process.getuid?.() === 0)("names a file that can't be read", async () => {
    const { chmodSync } = await import("node:fs");
    folder.write(two);
    chmodSync(folder.path, 0o755);
    chmodSync(`${folder.path}/docs/a.md`, 0);
    const ran = await sop(["import", "docs"], { uid: 65_534 });
    expect(ran.stdout).toBe(
      "+ create   docs/b.md  SOP-0001 Beta\nx refused  docs/a.md  permission denied\nImport: 1 created, 1 refused.\n",
    );
    expect(ran.code).toBe(3);
  });

  it.each(["nothing", "docs/*.markdown", "nowhere/**/*.md", "empty"])(
    "a path that matches nothing: %s",
    async (path) => {
      folder.write({ ...two, "empty/readme.txt": "" });
      const ran = await sop(["import", "docs", path]);
      const why = path === "empty" ? " (1 file left out: 1 by extension)" : "";
      expect(ran).toEqual({ code: 2, stdout: "", stderr: `error: ${path}: no document matches${why}\n` });
      expect(server.sops.size).toBe(0);
    },
  );

  it("isolates the document that breaks a request", async () => {
    folder.write(
      Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`d/${i}.md`, i === 5 ? "BREAK" : `# T${i}\n`])),
    );
    server.intercept = ({ body }) => (body.includes("BREAK") ? refusal("unprocessable") : null);
    const ran = await sop(["import", "d"]);
    expect(ran.code).toBe(3);
    expect(ran.stdout).toContain("x refused  d/5.md  The text can't be processed\nImport: 8 created, 1 refused.\n");
    expect(server.sops.size).toBe(8);
  });
});

describe("sop import, trouble with the server", () => {
  it("says that the server is down", async () => {
    folder.write(two);
    await server.close();
    const ran = await sop(["import", "docs"]);
    expect(ran.code).toBe(5);
    expect(ran.stderr).toBe(
      `error: no answer from ${server.url} (ECONNREFUSED)\n` +
        "  check that the server is running and the address is right; set another with --server or SOP_SERVER\n",
    );
    expect(ran.stdout).toBe("");
  });

  it("says that the token is wrong", async () => {
    folder.write(two);
    const ran = await sop(["import", "docs"], { env: { SOP_TOKEN: "sop_pat_expired" } });
    expect(ran.code).toBe(4);
    expect(ran.stderr).toContain(
      "error: Sign in first\n  the token is missing, wrong, expired or revoked: run `sop login`, or set SOP_TOKEN",
    );
  });

  it("says that no user is signed in before it reads anything", async () => {
    folder.write(two);
    expect(await sop(["import", "docs"], { env: { SOP_TOKEN: "" } })).toEqual({
      code: 4,
      stdout: "",
      stderr: `error: not signed in at ${server.url}\n  run \`sop login --server ${server.url}\`, or set SOP_TOKEN\n`,
    });
  });

  it("tries again with the same key when an answer is lost, and makes nothing twice", async () => {
    folder.write(two);
    let lost = 0;
    server.intercept = (request) => {
      if (!isImport(request) || request.body.includes('"dryRun":true') || lost++ > 0) return null;
      return { hangUp: true };
    };
    expect((await sop(["import", "docs"])).code).toBe(0);
    const keys = server.seen.filter(isImport).flatMap(({ headers }) => headers["idempotency-key"] ?? []);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  it.each([
    { code: "storage_full", exit: 5, says: "The server's disk is full. You can read but not save" },
    { code: "internal", exit: 70, says: "Something went wrong on the server" },
    { code: "forbidden", exit: 4, says: "You don't have permission to do this" },
  ] as const)("stops at $code, and lists what was done", async ({ code, exit, says }) => {
    folder.write(
      Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`d/${String(i).padStart(2, "0")}.md`, `# T${i}\n`])),
    );
    let allowed = 0;
    server.intercept = (request) =>
      isImport(request) && request.body.includes('"dryRun":false') && allowed-- <= 0 ? refusal(code) : null;
    const none = await sop(["import", "d"]);
    expect(none.code).toBe(exit);
    expect(none.stderr).toContain(`error: ${says}`);
    expect(none.stdout).toContain("Import: 60 not sent.\n");
    expect(server.sops.size).toBe(0);
    allowed = 1;
    const some = await sop(["import", "d"]);
    expect(some.code).toBe(3);
    expect(some.stdout).toContain("Import: 50 created, 10 not sent.\n");
    server.intercept = () => null;
    expect((await sop(["import", "d"])).stdout).toContain("Import: 10 created, 50 unchanged.\n");
  });

  it("an answer that is no answer of ours", async () => {
    folder.write(two);
    server.intercept = () => ({ status: 502, body: "<html>Bad gateway</html>" });
    const ran = await sop(["import", "docs"]);
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain("error: the server answered 502 in an unknown format\n");
  });

  it("of two imports at once, the second finds the work done or says so", async () => {
    folder.write(two);
    const both = await Promise.all([sop(["import", "docs"]), sop(["import", "docs"])]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(server.sops.size).toBe(2);
    let refusals = 0;
    server.intercept = (request) =>
      isImport(request) && request.body.includes('"dryRun":false') && refusals++ < 1 ? refusal("conflict") : null;
    folder.write({ "docs/a.md": "# Alpha 2\n" });
    expect((await sop(["import", "docs"])).stdout).toContain("Import: 1 updated, 1 unchanged.\n");
  });

  it("^C ends it with 130 and says what was not sent", async () => {
    folder.write(two);
    let kill: (signal: NodeJS.Signals) => void = () => {};
    server.intercept = async (request) => {
      if (!isImport(request) || request.body.includes('"dryRun":true')) return null;
      kill("SIGINT");
      return await new Promise(() => {});
    };
    const ran = await sop(["import", "docs"], { started: (send) => (kill = send) });
    expect(ran.code).toBe(130);
    expect(ran.stderr).toContain("error: interrupted: the server has 0 of 2 documents\n");
    expect(ran.stdout).toContain("Import: 2 not sent.\n");
    server.intercept = () => null;
    expect((await sop(["import", "docs"])).code).toBe(0);
  }, 30_000);

  it("counts documents that arrived although ^C cut their answer off", async () => {
    folder.write(two);
    let kill: (signal: NodeJS.Signals) => void = () => {};
    server.intercept = async (request) => {
      if (!isImport(request) || request.body.includes('"dryRun":true')) return null;
      server.intercept = () => null;
      await fetch(server.url + request.path, {
        method: "POST",
        headers: { authorization: `Bearer ${goodToken}` },
        body: request.body,
      });
      kill("SIGINT");
      return await new Promise(() => {});
    };
    const ran = await sop(["import", "docs"], { started: (send) => (kill = send) });
    expect(ran.code).toBe(130);
    expect(ran.stderr).toContain("error: interrupted: the server has 2 of 2 documents\n");
    expect(ran.stdout).toContain("Import: 2 unchanged.\n");
  }, 30_000);
});
