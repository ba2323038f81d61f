/** The operator commands as processes, as `sop admin` starts them, on real data folders. */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { printedName } from "#core/users/printed-name.ts";
import { readDemoCompany } from "../server/admin/demo/company.ts";
import { mongoUri } from "./database/mongo-uri.ts";
import { node, nodeEnv, project } from "./node-program.ts";

const root = mkdtempSync(join(tmpdir(), "sopwright-admin-"));
const folder = (name: string) => join(root, name);
const company = await readDemoCompany();
const demoDir = folder("demo");
const running: ChildProcess[] = [];

afterAll(async () => {
  for (const child of running) if (child.exitCode === null && child.signalCode === null) await ended(child, "SIGTERM");
  rmSync(root, { recursive: true, force: true });
});

interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

function start(program: string, args: readonly string[], env: Record<string, string>, uid?: number): ChildProcess {
  const child = spawn(node, [program, ...args], {
    cwd: project,
    env: { ...nodeEnv, TMPDIR: tmpdir(), PORT: "0", LOG_LEVEL: "error", ...env },
    ...(uid === undefined ? {} : { uid }),
  });
  running.push(child);
  return child;
}

function admin(args: readonly string[], env: Record<string, string>, input = "", uid?: number): Promise<Ran> {
  const child = start("server/admin/main.ts", args, env, uid);
  const ran: Ran = { code: null, stdout: "", stderr: "" };
  child.stdout!.setEncoding("utf8").on("data", (text: string) => (ran.stdout += text));
  child.stderr!.setEncoding("utf8").on("data", (text: string) => (ran.stderr += text));
  child.stdin!.on("error", () => {}).end(input);
  return new Promise((done) => child.once("close", (code) => done({ ...ran, code })));
}

/** Waits for the line that prints the address. */
function listening(child: ChildProcess): Promise<string> {
  return new Promise((found, reject) => {
    child.once("exit", (code) => reject(new Error(`it ended with ${code} instead of listening`)));
    createInterface({ input: child.stdout! }).on("line", (line) => {
      const url = /^listening on (\S+)/.exec(line)?.[1];
      if (url !== undefined) found(url);
    });
  });
}

function ended(child: ChildProcess, ...signals: NodeJS.Signals[]): Promise<number | null> {
  const end = new Promise<number | null>((done) => child.once("exit", (code) => done(code)));
  for (const signal of signals) child.kill(signal);
  return end;
}

/** Signs in and answers a GET. */
async function session(url: string, username: string, password: string) {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify({ username, password }),
  });
  if (answer.status !== 200) throw new Error(`sign-in of ${username} answered ${answer.status}`);
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  return async <T>(path: string, post?: object): Promise<T> => {
    const headers = { cookie, origin: url, "content-type": "application/json" };
    const sent = post && { method: "POST", body: JSON.stringify(post) };
    return (await fetch(url + path, { headers, ...sent })).json() as Promise<T>;
  };
}

const flags = ["setup", "--username", "Ada.L", "--name", "Ada Lovelace", "--password-stdin"];

describe("setup", () => {
  const env = { DATA_DIR: folder("setup") };

  test("never asks off a terminal, and names what is missing", async () => {
    const { code, stdout, stderr } = await admin(["setup", "--name", "Ada"], env);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain("say --username, --password-stdin too");
  });

  test("refuses what the rules refuse, and creates no user", async () => {
    const short = await admin(flags, env, "ada\n");
    expect(short).toMatchObject({ code: 2 });
    expect(short.stderr).toContain("Password must be at least 6 characters long");
    const common = await admin(flags, env, "password1\n");
    expect(common).toMatchObject({ code: 2 });
    expect(common.stderr).toContain("Password is too common");
  });

  test("makes the first administrator once, who then signs in", async () => {
    const made = await admin([...flags, "--company", "Engines Ltd", "--json"], env, "analytical engine\n");
    expect(JSON.parse(made.stdout)).toMatchObject({
      schema: "sop.admin.setup/1",
      ok: true,
      data: { username: "ada.l" },
    });
    expect(made.code).toBe(0);
    const again = await admin(flags, env, "analytical engine\n");
    expect(again.code).toBe(6);
    expect(again.stderr).toContain("a system administrator already exists");

    const server = start("server/main.ts", [], env);
    const get = await session(await listening(server), "ada.l", "analytical engine");
    expect(await get("/api/auth/me")).toMatchObject({
      user: { role: "system_admin", name: "Ada Lovelace", company: { name: "Engines Ltd", slug: "engines-ltd" } },
    });
    expect(await ended(server, "SIGTERM")).toBe(0);
  });
});

interface Row {
  id: string;
  number: string;
  title: string;
  status: string;
  version: number;
  views: number;
  published: { version: number } | null;
  author: { name: string };
  createdAt: string;
}

describe("demo", () => {
  const git = (...args: string[]) => execFileSync("git", ["-C", repository(demoDir), ...args], { encoding: "utf8" });
  let told: { data: { password: string; people: { username: string; role: string }[] } };

  beforeAll(async () => {
    const { code, stdout, stderr } = await admin(["demo", "--data-dir", demoDir, "--json"], {
      MONGODB_URI: "mongodb://127.0.0.1:1/never-touched",
    });
    expect(code).toBe(0);
    expect(stderr).toMatch(/^creating .+ …\n25 %\n50 %\n75 %\ncreated .+ with 29 SOPs/m);
    told = JSON.parse(stdout) as typeof told;
  });

  test("prints whom to sign in as", () => {
    expect(told.data.people.map(({ username }) => username)).toEqual(
      [company.system, ...company.users].map(({ username }) => username),
    );
  });

  test("shows each SOP as its history left it, to each user what they can see", async () => {
    const server = start("server/main.ts", [], { DATA_DIR: demoDir });
    const url = await listening(server);
    const get = await session(url, "helen.marsh", told.data.password);
    const live = await get<{ data: Row[]; total: number }>("/api/sops?limit=200&total=true");
    const archived = await get<{ data: Row[] }>("/api/sops?limit=200&status=archived");
    const rows = [...live.data, ...archived.data];
    expect(live.total).toBe(company.sops.filter(({ status }) => status !== "archived").length);
    for (const sop of company.sops) {
      const row = rows.find(({ title }) => title === sop.frontMatter.title);
      const inWork = sop.edits.filter((edit) => edit.afterPublication).length;
      const version = 1 + sop.edits.length;
      expect(row, sop.file).toMatchObject({
        status: inWork > 0 ? "draft" : sop.status,
        version,
        author: { name: company.users.find(({ username }) => username === sop.author)?.name },
      });
      expect(row?.published?.version ?? null).toBe(sop.status === "published" ? version - inWork : null);
      expect(row && row.views > 0).toBe(sop.publishedBy !== undefined);
      expect(Date.now() - Date.parse(row?.createdAt ?? "")).toBeGreaterThan((sop.daysAgo - 1) * 86_400_000);
    }
    const waiting = await get<{ sop: { title: string } }[]>("/api/approvals?status=pending&mine=true");
    expect(waiting.map(({ sop }) => sop.title).toSorted()).toEqual([
      "Handle a phishing report",
      "Respond to an ammonia alarm",
    ]);
    const viewer = await session(url, "ewan.pryce", told.data.password);
    const needs = await viewer<{ toRead: { overdue: boolean }[] }>("/api/stats/needs");
    expect(needs.toRead.map(({ overdue }) => overdue)).toEqual([true, false]);
    const quality = await session(url, "ines.carvalho", told.data.password);
    const due = await quality<{ reviews: { sop: { title: string }; overdue: boolean }[] }>("/api/stats/needs");
    expect(due.reviews).toMatchObject([{ sop: { title: "Recall product" }, overdue: false }]);
    const author = await session(url, "luca.ferri", told.data.password);
    const sentBack = await author<{ returned: { by: string }[] }>("/api/stats/needs");
    expect(sentBack.returned.map(({ by }) => by)).toEqual(["Omar Haddad (omar.haddad)"]);
    const filler = rows.find(({ title }) => title === "Lock out the filler on line 2");
    const threads = await get<{ resolvedAt: string | null; anchor: unknown }[]>(`/api/sops/${filler?.id}/comments`);
    expect(threads.map(({ resolvedAt, anchor }) => [resolvedAt !== null, anchor !== null])).toEqual([
      [true, true],
      [false, false],
      [false, true],
    ]);
    const seen = await viewer<{ data: Row[] }>("/api/sops?limit=200");
    expect(seen.data.length).toBe(company.sops.filter(({ status }) => status === "published").length);
    // every rule of the assistant finds something here
    const missing = await get<{ evidence: { rule: string }[] }[]>("/api/assistant/suggest", {});
    expect(new Set(missing.flatMap(({ evidence }) => evidence.map(({ rule }) => rule)))).toEqual(
      new Set(["dangling-link", "zero-result-search", "equipment", "role", "template", "review-overdue"]),
    );
    expect(missing.filter(({ evidence }) => evidence.length === 0)).toEqual([]);
    expect(await ended(server, "SIGTERM")).toBe(0);
  });

  test("git log tells the story: who wrote what when, and why", () => {
    const log = git("log", "--reverse", "--format=%at%x09%an%x09%s%x09%b%x00", "history").split("\0\n").slice(0, -1);
    const commits = log.map((entry) => entry.split("\t") as [string, string, string, string]);
    const times = commits.map(([at]) => Number(at));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(Date.now() / 1000 - times[0]!).toBeGreaterThan(300 * 86_400);
    const nameOf = (username: string) => {
      const user = company.users.find((one) => one.username === username);
      return user && printedName(user);
    };
    for (const sop of company.sops) {
      const own = commits.filter(([, , subject]) => subject.includes(`: ${sop.frontMatter.title} (v`));
      expect(own[0]?.slice(1, 3)).toEqual([
        nameOf(sop.author),
        expect.stringMatching(/^create\(SOP-\d{4}\): .*\(v1\)$/),
      ]);
      for (const [index, edit] of sop.edits.entries()) {
        const save = own.find(([, , subject]) => subject.startsWith("save(") && subject.endsWith(`(v${index + 2})`));
        expect(save?.[1]).toBe(nameOf(edit.author));
        expect(save?.[3].startsWith(`${edit.note}\n`), edit.note).toBe(true);
      }
      if (sop.publishedBy) {
        expect(own.find(([, , subject]) => subject.startsWith("publish("))?.[1]).toBe(nameOf(sop.publishedBy));
      }
    }
  });

  test("every deed has its audit row, at its time and under the person's name", () => {
    const audit = read<{ action: string; userName: string; createdAt: string }>(demoDir, "audit_logs");
    // only these change a text or a branch; other actions appear in the audit log alone
    const loud = new Set([
      "create",
      "save",
      "restore",
      "publish",
      "unpublish",
      "archive",
      "unarchive",
      "delete",
      "move",
    ]);
    const deeds = audit.filter(({ action }) => action.startsWith("sop.") && loud.has(action.slice(4)));
    const log = git("log", "--reverse", "--format=%at %an", "history").trim().split("\n").slice(-deeds.length);
    expect(deeds.map((row) => `${Date.parse(row.createdAt) / 1000} ${row.userName}`)).toEqual(log);
  });

  test("is made once", async () => {
    const before = git("rev-parse", "history");
    const again = await admin(["demo", "--data-dir", demoDir], {});
    expect(again.code).toBe(0);
    expect(again.stderr).toContain("nothing changed");
    expect(git("rev-parse", "history")).toBe(before);
  });

  test("leaves a folder alone that has an administrator of its own", async () => {
    const refused = await admin(["demo", "--data-dir", folder("setup")], {});
    expect(refused).toMatchObject({ code: 6 });
    expect(read<{ slug: string }>(folder("setup"), "companies").map(({ slug }) => slug)).toEqual(["engines-ltd"]);
  });

  test("without a folder serves one that goes with it, ^C passed on twice included", async () => {
    const temporary = folder("tmp");
    mkdirSync(temporary);
    const child = start("server/admin/main.ts", ["demo"], { TMPDIR: temporary });
    const get = await session(await listening(child), "ewan.pryce", told.data.password);
    expect(await get("/api/stats")).toMatchObject({ activeTeams: company.teams.length });
    expect(readdirSync(temporary).length).toBe(1);
    expect(await ended(child, "SIGINT", "SIGTERM")).toBe(0);
    expect(readdirSync(temporary)).toEqual([]);
  });
});

describe("rebuild and verify", () => {
  const dir = folder("checked");
  const env = { DATA_DIR: dir };
  const slug = ["--company", company.slug];
  const history = () =>
    execFileSync("git", ["-C", repository(dir), "rev-parse", "history"], { encoding: "utf8" }).trim();

  beforeAll(() => cpSync(demoDir, dir, { recursive: true }));

  test("rebuild makes the same heads, also out of nothing", async () => {
    const before = history();
    const same = await admin(["rebuild"], env);
    expect(same.code).toBe(0);
    expect(same.stdout).toMatch(new RegExp(`^${company.slug}: \\d+ events, the same heads as before$`, "m"));
    expect(same.stdout).toContain(before);
    rmSync(repository(dir), { recursive: true });
    const fresh = await admin(["rebuild", ...slug, "--json"], env);
    expect(JSON.parse(fresh.stdout)).toMatchObject({
      data: { companies: [{ same: false, before: { history: null }, after: { history: before } }] },
    });
    expect(history()).toBe(before);
    // as beside a server that commits
    execFileSync("git", ["-C", repository(dir), "update-ref", "refs/heads/history", "history~2"]);
    const behind = await admin(["rebuild", ...slug], env);
    expect(behind.stdout).toMatch(
      new RegExp(`^${company.slug}: \\d+ events, the old repository was 2 events behind$`, "m"),
    );
    expect(history()).toBe(before);
  });

  test("verify agrees, and knows a head that was noted down", async () => {
    const clean = await admin(["verify", "--repo", "--json"], env);
    expect(clean.code).toBe(0);
    const { data } = JSON.parse(clean.stdout) as { data: { companies: { company: string; ok: boolean }[] } };
    expect(data.companies.map(({ company: name, ok }) => [name, ok])).toEqual([
      [company.slug, true],
      ["system", true],
    ]);
    const noted = await admin(["verify", "--repo", ...slug, "--expect", history()], env);
    expect(noted).toMatchObject({ code: 0, stdout: expect.stringContaining("the expected commit is that of event ") });
    const foreign = await admin(["verify", "--repo", ...slug, "--expect", "0".repeat(40)], env);
    expect(foreign).toMatchObject({ code: 1, stdout: expect.stringContaining("none of this company's commits") });
  });

  test("one changed byte in the repository is found, and a rebuild heals it", async () => {
    const packs = join(repository(dir), "objects/pack");
    const pack = join(
      packs,
      readdirSync(packs).find((name) => name.endsWith(".pack"))!,
    );
    const bytes = readFileSync(pack);
    bytes[bytes.length >> 1]! ^= 1;
    chmodSync(pack, 0o600);
    writeFileSync(pack, bytes);
    const found = await admin(["verify", "--repo"], env);
    expect(found.code).toBe(1);
    expect(found.stdout).toMatch(new RegExp(`^${company.slug}: DIFFERS\n  repository: pack-.*checksum differs$`, "m"));
    expect((await admin(["rebuild"], env)).code).toBe(0);
    expect((await admin(["verify", "--repo"], env)).code).toBe(0);
  });

  test("finds a commit that the ledger does not know, and names the event it replaces", async () => {
    const before = history();
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", repository(dir), ...args], { encoding: "utf8" }).trim();
    const who = ["-c", "user.name=Mallory", "-c", "user.email=m@example.org"];
    const forged = git(...who, "commit-tree", "-m", "another end", "-p", "history~2", "history~1^{tree}");
    const last = Number(git("rev-list", "--count", "history")) - 1;
    git("update-ref", "refs/heads/history", forged);
    const found = await admin(["verify", "--repo", ...slug], env);
    expect(found).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`repository, seq ${last - 1}: history points`),
    });
    git("update-ref", "refs/heads/history", before);
  });

  test("one changed word in the database is found with its event, and a rebuild from it refused", async () => {
    const before = history();
    const database = new DatabaseSync(join(dir, "sopwright.db"));
    const change = (from: string, to: string) =>
      database
        .prepare(
          "UPDATE sop_versions SET doc = replace(doc, ?, ?) WHERE json_extract(doc, '$.title') = 'Recall product' AND json_extract(doc, '$.version') = 2",
        )
        .run(from, to).changes;
    const [stored] = read<{ title: string; version: number; repoSeq: number }>(dir, "sop_versions").filter(
      ({ title, version }) => title === "Recall product" && version === 2,
    );
    expect(change("## Purpose", "## Porpoise")).toBe(1);
    const found = await admin(["verify", "--repo"], env);
    expect(found.code).toBe(1);
    expect(found.stdout).toContain(`  ledger, seq ${stored?.repoSeq}: `);
    const refused = await admin(["rebuild", ...slug], env);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("the old repository stays") });
    expect(history()).toBe(before);
    expect(change("## Porpoise", "## Purpose")).toBe(1);
    database.close();
    expect((await admin(["verify", "--repo"], env)).code).toBe(0);
  });

  test("verify works beside a running server; commands that write name the server's process", async () => {
    const server = start("server/main.ts", [], env);
    await listening(server);
    expect((await admin(["verify", "--repo"], env)).code).toBe(0);
    const inUse = {
      code: 5,
      stderr: expect.stringMatching(`in use by process ${server.pid} on .+, which listens on http://.+: stop it first`),
    };
    expect(await admin(["rebuild"], env)).toMatchObject(inUse);
    expect(await admin(flags, env, "analytical engine")).toMatchObject(inUse);
    expect(await ended(server, "SIGTERM")).toBe(0);
  });
});

describe("verify without options", () => {
  const copy = (name: string) => {
    const dir = folder(name);
    cpSync(demoDir, dir, { recursive: true });
    return dir;
  };
  const change = (dir: string, sql: string) => {
    const db = new DatabaseSync(join(dir, "sopwright.db"));
    db.exec(sql);
    db.close();
  };
  const lines = ({ stdout }: Ran) => stdout.trim().split("\n");
  const heads = (ran: Ran) =>
    lines(ran).flatMap((line) => /^([a-z]+) +(ok|DAMAGED)/.exec(line)?.slice(1, 3).join(" ") ?? []);

  test("checks everything in one run, one line each; options choose parts, also several", async () => {
    const env = { DATA_DIR: copy("whole") };
    const all = await admin(["verify"], env);
    expect([all.code, heads(all)]).toEqual([
      0,
      ["database ok", "ledger ok", "versions ok", "assets ok", "repositories ok", "audit ok", "keys ok"],
    ]);
    const some = await admin(["verify", "--repo", "--audit"], env);
    expect([some.code, heads(some)]).toEqual([0, ["repositories ok", "audit ok"]]);
    const one = await admin(["verify", "--assets", "--json"], env);
    expect(JSON.parse(one.stdout)).toMatchObject({ ok: true, data: { parts: [{ part: "assets", findings: [] }] } });
  });

  test("names the way out of a damaged list of tables, which a start of the server puts back", async () => {
    const dir = copy("list");
    const file = join(dir, "sopwright.db");
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill("Z", 0, 4096));
    const env = { DATA_DIR: dir };
    const said =
      "the list of tables in sopwright.db is damaged, so no document can be found. Start or restart the server: it puts back its copy of the list. If it doesn't start, restore the last backup";
    const found = await admin(["verify"], env);
    expect([found.code, lines(found)]).toEqual([1, ["database      DAMAGED", `  ${said}`]]);
    const target = ["backup", folder("list.sop"), "--without-keys"];
    expect(await admin(target, env)).toMatchObject({ code: 5, stderr: expect.stringContaining(said) });
    const server = start("server/main.ts", [], env);
    const url = await listening(server);
    const status = await admin(["status", "--server", url], env);
    expect(status.stdout).toContain("the list of tables: it was damaged, and is made again");
    expect((await admin(target, env)).code).toBe(0);
    expect(await ended(server, "SIGTERM")).toBe(0);
    expect((await admin(["verify"], env)).code).toBe(0);
  });

  test("reads the rest of a database file that lost its end. No server starts on it", async () => {
    const dir = copy("short");
    const file = join(dir, "sopwright.db");
    writeFileSync(file, readFileSync(file).subarray(0, -5 * 4096));
    const before = readFileSync(file);
    const env = { DATA_DIR: dir };
    const said = "sopwright.db is 20 KB shorter than it was, so documents are lost. Restore the last backup.";
    const found = await admin(["verify"], env);
    expect([found.code, heads(found)[0]]).toEqual([1, "database DAMAGED"]);
    expect(found.stdout).toContain(said);
    const server = start("server/main.ts", [], env);
    expect(await ended(server)).toBe(5);
    const saved = await admin(["backup", folder("short.sop"), "--without-keys"], env);
    expect([saved.code, saved.stderr.includes(said)]).toEqual([1, true]);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test("names what is damaged and nothing else, and ends with 1", async () => {
    const dir = copy("damaged");
    change(dir, "UPDATE sop_versions SET doc = json_set(doc, '$.markdown', 'Other') WHERE row = 1");
    change(dir, "UPDATE system SET doc = '{' || doc WHERE _id = 'installation'");
    const found = await admin(["verify"], { DATA_DIR: dir });
    expect([found.code, heads(found)]).toEqual([
      1,
      ["database DAMAGED", "ledger ok", "versions DAMAGED", "assets ok", "repositories DAMAGED", "audit ok", "keys ok"],
    ]);
    expect(found.stdout).toMatch(/^ {2}document installation of system: it can't be read$/m);
    expect(found.stdout).toMatch(/^ {2}version 1 of SOP \S+: its text doesn't match its hash \(SOP-\d+ ".+"\)$/m);
  });

  test("finds a damaged page of the database file", async () => {
    const dir = copy("pages");
    const file = join(dir, "sopwright.db");
    const bytes = readFileSync(file);
    // damages pages in the middle of the file; some of them are in use
    for (let at = 4096 * 40; at < bytes.length; at += 4096 * 5) bytes.fill(0xff, at, at + 64);
    writeFileSync(file, bytes);
    const found = await admin(["verify"], { DATA_DIR: dir });
    expect([found.code, lines(found)[0]]).toEqual([1, "database      DAMAGED"]);
  });

  test("works beside a running server", async () => {
    const env = { DATA_DIR: copy("beside") };
    const server = start("server/main.ts", [], env);
    await listening(server);
    expect(await admin(["verify"], env)).toMatchObject({ code: 0 });
    expect(await ended(server, "SIGTERM")).toBe(0);
  });

  test.skipIf(process.getuid?.() !== 0)("works on a folder that it can't write", async () => {
    const dir = copy("fixed");
    execFileSync("chmod", ["-R", "a+rX,a-w", dir]);
    chmodSync(root, 0o755);
    const before = readdirSync(dir);
    const ran = await admin(["verify"], { DATA_DIR: dir }, "", 65_534);
    expect([ran.stderr, ran.code, heads(ran).every((line) => line.endsWith(" ok"))]).toEqual(["", 0, true]);
    expect(readdirSync(dir)).toEqual(before);
  });
});

describe("what can't work says why", () => {
  const verify = (env: Record<string, string>, ...more: string[]) => admin(["verify", "--repo", ...more], env);

  test("usage", async () => {
    expect(await admin(["verify", "--audit", "--expect", "0".repeat(40)], {})).toMatchObject({ code: 2 });
    expect(await admin(["verify", "--nonsense"], {})).toMatchObject({ code: 2 });
    expect(await admin(["dance"], {})).toMatchObject({ code: 2 });
    const unknown = await verify({ DATA_DIR: demoDir }, "--company", "nobody");
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("there are brackenfold-foods, system") });
    const many = await verify({ DATA_DIR: demoDir }, "--expect", "0".repeat(40));
    expect(many).toMatchObject({ code: 2, stderr: expect.stringContaining("--company") });
  });

  test("an unknown data folder is not made", async () => {
    const dir = folder("nowhere");
    for (const task of [["verify", "--repo"], ["rebuild"]]) {
      const ran = await admin(task, { DATA_DIR: dir });
      expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(`no sopwright.db in ${dir}`) });
    }
    expect(existsSync(dir)).toBe(false);
  });

  test("a file that is no database", async () => {
    const dir = folder("garbage");
    mkdirSync(dir);
    writeFileSync(join(dir, "sopwright.db"), "not a database ".repeat(1000));
    expect(await verify({ DATA_DIR: dir })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("Check DATA_DIR, or restore the last backup"),
    });
  });

  test("a wrong MONGODB_URI, under --json too", async () => {
    const ran = await verify({ MONGODB_URI: "postgres://u:secret@db/x" }, "--json");
    expect(ran.code).toBe(2);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      ok: false,
      errors: [{ code: "config", message: expect.stringContaining("MONGODB_URI: expected mongodb://") }],
    });
    const unparsable = await verify({ MONGODB_URI: "mongodb://u:secret@/x" });
    expect(unparsable).toMatchObject({ code: 2, stderr: expect.stringContaining("MONGODB_URI: expected mongodb:") });
    expect(unparsable.stderr + ran.stderr).not.toContain("secret");
  });

  test.skipIf(process.getuid?.() !== 0)("a folder of another user", async () => {
    const dir = folder("private");
    cpSync(demoDir, dir, { recursive: true });
    chmodSync(dir, 0o700);
    chmodSync(root, 0o755);
    const nobody = 65_534;
    const ran = await admin(["verify", "--repo"], { DATA_DIR: dir }, "", nobody);
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining(`${dir}/sopwright.db: permission denied`) });
  });
});

test.skipIf(process.getuid?.() !== 0)("a task of root leaves each file to the owner of the folder", async () => {
  const dir = folder("of-another-user");
  const owner = 65_534;
  cpSync(demoDir, dir, { recursive: true });
  execFileSync("chown", ["-R", `${owner}:${owner}`, dir]);
  chmodSync(root, 0o755);
  const slug = ["--company", company.slug];
  rmSync(repository(dir), { recursive: true });
  for (const task of [["rotate-keys"], ["rebuild", ...slug], ["verify"], ["setup", "--username", "x"], ["status"]])
    expect([task, (await admin(task, { DATA_DIR: dir })).code]).not.toEqual([task, 70]);
  const others = execFileSync("find", [dir, "!", "-user", String(owner)], { encoding: "utf8" });
  expect(others).toBe("");
  expect((await admin(["verify"], { DATA_DIR: dir }, "", owner)).code).toBe(0);
});

const uri = mongoUri();

test.skipIf(uri === null)(
  `on MongoDB${uri === null ? " (SKIPPED: no server)" : ""}: set up, rebuild, verify`,
  async () => {
    const own = new URL(uri ?? "mongodb://none");
    own.pathname = `/admin_${process.pid}`;
    const env = { MONGODB_URI: own.href, DATA_DIR: folder("mongo") };
    expect(await admin(flags, env, "analytical engine")).toMatchObject({ code: 0 });
    expect(await admin(flags, env, "analytical engine")).toMatchObject({ code: 6 });
    const rebuilt = await admin(["rebuild"], env);
    expect(rebuilt).toMatchObject({ code: 0, stdout: expect.stringContaining("system: 1 events") });
    expect(await admin(["verify", "--repo"], env)).toMatchObject({ code: 0 });
  },
);

/** The demo company's repository. */
function repository(dataDir: string): string {
  const { _id } = read<{ _id: string; slug: string }>(dataDir, "companies").find(({ slug }) => slug === company.slug)!;
  return join(dataDir, "repositories", `${_id}.git`);
}

/** The stored documents, oldest first. */
function read<T>(dataDir: string, table: string): T[] {
  const database = new DatabaseSync(join(dataDir, "sopwright.db"), { readOnly: true });
  try {
    const rows = database.prepare(`SELECT _id, doc FROM ${table} ORDER BY _id`).all() as { _id: string; doc: string }[];
    return rows.map(({ _id, doc }) => ({ _id, ...(JSON.parse(doc) as object) }) as T);
  } finally {
    database.close();
  }
}
