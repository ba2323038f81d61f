/** The program against the real server, each in its own process. */
import { spawn, type ChildProcess } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { git } from "../git.ts";
import { node, nodeEnv } from "../node-program.ts";
import { makeFolder, project, runSop, type Folder } from "./run-sop.ts";

const admin = { username: "grace", password: "cobol compiles 42 times" };
let folder: Folder;
let server: ChildProcess;
let env: Record<string, string>;

beforeAll(async () => {
  folder = makeFolder();
  server = spawn(node, ["server/main.ts"], {
    cwd: project,
    env: {
      ...nodeEnv,
      PORT: "0",
      DATA_DIR: join(folder.path, "data"),
      LOG_LEVEL: "error",
      ADMIN_USERNAME: admin.username,
      ADMIN_PASSWORD: admin.password,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((found, reject) => {
    server.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
    createInterface({ input: server.stdout! }).on("line", (line) => {
      const address = /^listening on (\S+)/.exec(line)?.[1];
      if (address !== undefined) found(address);
    });
  });
  env = { SOP_SERVER: url, SOP_TOKEN: await makeToken(url) };
});
afterAll(async () => {
  const ended = new Promise((done) => server.once("exit", done));
  server.kill("SIGTERM");
  await ended;
  folder.remove();
});

async function makeToken(url: string): Promise<string> {
  const post = (path: string, body: unknown, cookie = "") =>
    fetch(url + path, {
      method: "POST",
      headers: { "content-type": "application/json", origin: url, cookie },
      body: JSON.stringify(body),
    });
  const cookies = (await post("/api/auth/login", admin)).headers.getSetCookie().map((line) => line.split(";")[0]);
  const answer = await post("/api/tokens", { name: "t", scopes: ["sops:read", "sops:write"] }, cookies.join("; "));
  return ((await answer.json()) as { token: string }).token;
}

const sop = (...args: string[]) => runSop(args, { cwd: folder.path, env });

describe("sop and the server", { timeout: 60_000 }, () => {
  it("imports what it can, refuses the rest with reason and way out, and finds it unchanged later", async () => {
    folder.write({
      "docs/safety-protocols/lock.md": "# Lock out a machine\r\n\r\n1. Press stop\r\n2. Lock the switch\r\n",
      "docs/mark.md": "\uFEFF# Marked\n\nText.\n",
      "docs/broken.md": "---\ntitle: [\n---\nx\n",
      "docs/script.md": "---js\n{ title: process.exit(1) }\n---\nx\n",
    });
    const first = await sop("import", "docs");
    expect(first.code).toBe(3);
    expect(first.stdout.split("\n")).toEqual([
      "+ create   docs/mark.md                   SOP-0001 Marked",
      "+ create   docs/safety-protocols/lock.md  SOP-0002 Lock out a machine",
      expect.stringMatching(
        /^x refused {2}docs\/broken\.md +The front matter can't be read.* \(line 2\)\. Correct that line/,
      ),
      expect.stringMatching(/^x refused {2}docs\/script\.md +Front matter in "js" is not read\. Write it as YAML/),
      "Import: 2 created, 2 refused. 2 with notes: -v shows them.",
      "",
    ]);
    expect((await sop("import", "docs")).stdout).toContain("Import: 2 refused, 2 unchanged.");
    expect((await sop("import", "docs/mark.md", "--dry-run", "--detailed-exitcode")).code).toBe(0);
  });

  it("exports what imports as unchanged and is in canonical form", async () => {
    expect((await sop("export", "--drafts", "-o", "out")).code).toBe(0);
    expect(readdirSync(join(folder.path, "out/sops")).sort()).toEqual(["safety-protocols", "uncategorized"]);
    expect(await sop("import", "out")).toMatchObject({ code: 0, stdout: "Import: 2 unchanged.\n" });
    expect(await sop("fmt", "out", "--check", "-q")).toEqual({ code: 0, stdout: "", stderr: "" });
    // the mark of a name is no part of the title, and no tool stumbles over it
    expect(readdirSync(join(folder.path, "out/sops/uncategorized"))).toEqual(["sop-0001-marked.draft.md"]);
    expect((await sop("lint", "out")).stdout).toContain("sop-0001-marked.draft.md");
    expect(await sop("export", "--from-dir", "out", "--format", "site", "-o", "pages")).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder.path, "pages/index.html"), "utf8")).toContain("<bdi>Marked</bdi>");
    rmSync(join(folder.path, "pages"), { recursive: true });
  });

  it("names the SOP whose text a file with the keys of another SOP has", async () => {
    const file = "out/sops/uncategorized/sop-0001-marked.draft.md";
    const whole = readFileSync(join(folder.path, file), "utf8");
    const { stdout: other } = await sop("export", "--drafts", "SOP-0002");
    const body = other.slice(other.indexOf("\n---\n"));
    for (const [text, said] of [
      [body, "It has the text of SOP-0002"],
      [`${body}\nSign the sheet.\n`, "It has most of the text of SOP-0002"],
    ] as const) {
      folder.write({ [file]: whole.replace(/\n---\n[^]*/, text) });
      expect((await sop("import", "out", "--dry-run")).stdout).toContain(`note  ${file}  ${said}\n`);
    }
    folder.write({ [file]: whole });
  });

  it("an edit here is an update, an edit on both sides is a conflict", async () => {
    rmSync(join(folder.path, "out"), { recursive: true });
    await sop("export", "--drafts", "-o", "out");
    const exported = (await sop("export", "--drafts", "SOP-0001")).stdout;
    folder.write({ "out/sops/uncategorized/sop-0001-marked.draft.md": exported.replace("Text.", "Better text.") });
    expect((await sop("import", "out")).stdout).toContain("SOP-0001 Marked (v2)\nImport: 1 updated, 1 unchanged.");
    folder.write({ "late.md": exported.replace("Text.", "Other text.") });
    const late = await sop("import", "late.md");
    expect(late.code).toBe(6);
    expect(late.stdout).toContain("! conflict  late.md  The SOP is at version 2");
    expect((await sop("import", "late.md", "--on-conflict", "theirs")).stdout).toContain("(v3)");
  });

  it("two imports at once make each document once", async () => {
    folder.write(
      Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`many/${i}.md`, `# Number ${i}\n\nText ${i}.\n`])),
    );
    const both = await Promise.all([sop("import", "many", "--json"), sop("import", "many", "--json")]);
    // a run that finds the other's journal continues its import, and gets the same answers
    const listed = await sop("api", "sops.list", "--query", "search=Number", "--query", "total=true");
    expect((JSON.parse(listed.stdout) as { total: number }).total).toBe(60);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect((await sop("import", "many")).stdout).toBe("Import: 60 unchanged.\n");
  });

  it("refuses before writing when the company's room is too small", async () => {
    folder.write(
      Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`more/${i}.md`, `# More ${i}\n\nText ${i}.\n`])),
    );
    const ran = await sop("import", "more");
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(
      "error: this import would create 50 SOPs and the company has room for 38: nothing was written\n",
    );
    expect(ran.stdout).toContain("Import: 50 not sent.");
  });

  it("makes no second SOP of files that lost their keys: under their names, renamed, from git, in a plan", async () => {
    const exported = (await sop("export", "--drafts", "SOP-0002")).stdout;
    const id = /^id: "(.*)"$/m.exec(exported)?.[1] ?? "";
    const lost = exported.replace(/^(?:sop|id|version): .*\n/gm, "");
    const edited = lost.replace("Press stop", "Press the red button");
    folder.write({
      "lost/sops/sop-0002-lock-out-a-machine.md": edited,
      "lost/renamed.md": edited,
      "lost/bare.md": exported.replace(/^---\n[^]*?\n---\n\n/, ""),
      "lost/same.md": lost,
      "lost/new.md": "# Feed the fish\n\nTake a pinch from the blue tin.\n",
    });
    rmSync(join(folder.path, "lost/.git"), { recursive: true, force: true });
    await git(join(folder.path, "lost"), "init", "-q");
    await git(join(folder.path, "lost"), "add", ".");
    await git(join(folder.path, "lost"), "commit", "-qm", "Lose the keys");
    const back = `Put back sop: "SOP-0002", id: "${id}" and the version that you edited. Choose --on-conflict copy for a new SOP, or theirs to replace the text of SOP-0002`;
    const like = `It resembles SOP-0002, “Lock out a machine”, and has no id. If it is that SOP, put back sop: "SOP-0002", id: "${id}" and the version that you edited. For a new SOP, choose --on-conflict copy`;
    const plan = await sop("import", "lost", "--dry-run", "--detailed-exitcode");
    expect([plan.code, plan.stdout.replace(/ {2,}/g, "  ").split("\n")]).toEqual([
      6,
      [
        "+ create  new.md  Feed the fish",
        `! conflict  bare.md  ${like}`,
        `! conflict  renamed.md  ${like}`,
        `! conflict  sops/sop-0002-lock-out-a-machine.md  It was the file of SOP-0002 and lost its id. ${back}`,
        expect.stringMatching(/^Plan: 1 to create, 3 in conflict, 1 unchanged\./),
        "",
      ],
    ]);
    const fromGit = await sop("import", "lost", "--from", "git", "--dry-run", "--json");
    const { totals } = (JSON.parse(fromGit.stdout) as { data: { totals: object } }).data;
    expect(totals).toEqual({ create: 1, conflict: 4 });
    const ran = await sop("import", "lost");
    expect([ran.code, ran.stdout]).toEqual([
      3,
      expect.stringContaining("Import: 1 created, 3 in conflict, 1 unchanged."),
    ]);
    expect((await sop("import", "lost/renamed.md", "--on-conflict", "copy")).stdout).toContain("Import: 1 created.");
    expect((await sop("import", "lost/renamed.md")).stdout).toContain("Import: 1 unchanged.");
  });

  it("makes a new SOP of a document that resembles one whose own file is there too", async () => {
    const exported = (await sop("export", "--drafts", "SOP-0002")).stdout;
    const similar = "# Lock out a press\n\n1. Press stop\n2. Lock the switch\n3. Hang up the sign\n";
    folder.write({ "both/a-new.md": similar, "both/z-known.md": exported });
    const alone = await sop("import", "both/a-new.md", "--dry-run");
    expect(alone.stdout).toContain("It resembles SOP-0002");
    for (const args of [["--dry-run"], []]) {
      const { stdout } = await sop("import", "both", ...args);
      expect(stdout).toMatch(/\+ create {2}both\/a-new\.md .*Lock out a press\n/);
      expect(stdout).toMatch(/1 (?:to create|created), 1 unchanged/);
    }
    expect((await sop("import", "both")).stdout).toContain("Import: 2 unchanged.");
  });

  it("a wrong token is 4", async () => {
    const ran = await runSop(["whoami"], { cwd: folder.path, env: { ...env, SOP_TOKEN: "sop_pat_wrong" } });
    expect(ran.code).toBe(4);
  });
});
