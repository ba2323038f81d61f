/** Tasks of `sop admin` on damaged data and on data of an earlier version, as processes. */
import { execFile, execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkBackup } from "../server/backup/read.ts";
import { latestSchema, migrations } from "../server/database/migration-list.ts";
import { damageDocument } from "./damage.ts";
import { exchange } from "./http.ts";
import { node, nodeEnv, project } from "./node-program.ts";
import { cookieOf, json } from "./server.ts";
import { startProcess } from "./server-process.ts";

const root = mkdtempSync(path.join(tmpdir(), "sopwright-tasks-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const folder = (name: string) => path.join(root, name);

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

const admin = (env: Record<string, string>, ...task: string[]) => adminAs({}, env, ...task);

function adminAs(user: { uid?: number; gid?: number }, env: Record<string, string>, ...task: string[]): Promise<Ran> {
  const args = [path.join(project, "server/admin/main.ts"), ...task, "--no-input"];
  return new Promise((done) => {
    execFile(node, args, { env: { ...nodeEnv, LOG_LEVEL: "silent", ...env }, ...user }, (error, stdout, stderr) =>
      done({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

describe("data of an earlier version", () => {
  const older = { DATA_DIR: folder("older") };
  const restored = { DATA_DIR: folder("restored") };
  const file = folder("older.ndjson.gz");

  test("is backed up as it is, checked by no newer program, and comes up to date from its backup", async () => {
    execFileSync("tar", ["-xzf", path.join(import.meta.dirname, "older-data.tar.gz"), "-C", root]);
    const says = `the stored data is of an earlier version: it has schema 18, this program has ${latestSchema}`;
    const checked = await admin(older, "verify");
    expect(checked.code).toBe(5);
    expect(checked.stderr).toContain(says);
    expect(checked.stdout + checked.stderr).not.toContain("DAMAGED");

    expect(await admin(older, "backup", file, "--without-keys")).toMatchObject({ code: 0, stdout: `${file}\n` });
    expect(await admin(restored, "restore", file)).toMatchObject({ code: 0 });
    expect((await admin(restored, "verify")).stderr).toContain(says);
    const heads: string[] = [];
    for (const env of [older, restored]) {
      // the keys are not in the backup
      if (env === restored) execFileSync("cp", [path.join(older.DATA_DIR, "keys"), env.DATA_DIR]);
      const server = await startProcess({ ...env, LOG_LEVEL: "error" });
      expect(await server.stop("SIGTERM")).toBe(0);
      expect(await admin(env, "verify")).toMatchObject({ code: 0 });
      const { stdout } = await admin(env, "verify", "--repo");
      // the server makes the repositories of a restored folder in the background
      heads.push(stdout.replaceAll(/, \d+ not committed here yet/g, ""));
    }
    expect(heads[1]).toBe(heads[0]);
  });
});

describe("keys that can't be used", () => {
  const used = { DATA_DIR: folder("used") };
  const phrase = { BACKUP_PASSPHRASE: "a long walk to the river" };
  const good = folder("used.ndjson.gz");
  const copyOf = (name: string) => {
    const copy = { DATA_DIR: folder(name), ...phrase };
    cpSync(used.DATA_DIR, copy.DATA_DIR, { recursive: true });
    return { ...copy, keys: path.join(copy.DATA_DIR, "keys") };
  };
  const says = "the keys of this installation are damaged. Restore this file from a copy";

  beforeAll(async () => {
    const server = await startProcess({ ...used, PASSWORD_BLOCKLIST: "off", LOG_LEVEL: "error" });
    const send = (method: string, at: string, body: object, cookie = "") =>
      exchange(server.url, {
        method,
        path: at,
        headers: { ...json, origin: server.url, cookie },
        body: JSON.stringify(body),
      });
    const password = "a long walk to the river";
    const registered = await send("POST", "/api/auth/register", { username: "ada", password, name: "Ada" });
    const openaiApiKey = "sk-a-key-of-this-person";
    expect(await send("PUT", "/api/user/settings", { openaiApiKey }, cookieOf(registered))).toMatchObject({
      status: 200,
    });
    await server.stop("SIGTERM");
    expect(await admin({ ...used, ...phrase }, "backup", good)).toMatchObject({ code: 0 });
  });

  test("end tasks with the code of damage, and the rest can be backed up", async () => {
    const { keys, ...env } = copyOf("damaged-keys");
    const folderInPlace = null;
    for (const text of ["", "\0".repeat(80), "k1:no-key-but-secret\n", folderInPlace]) {
      rmSync(keys);
      if (text === null) mkdirSync(keys);
      else writeFileSync(keys, text);
      for (const task of [["backup", folder("x.gz")], ["rotate-keys"]]) {
        const ran = await admin(env, ...task);
        expect([task, ran.code, ran.stderr]).toEqual([task, 5, expect.stringContaining(says)]);
        expect(ran.stderr).not.toContain("but-secret");
      }
      expect(existsSync(folder("x.gz"))).toBe(false);
    }
    const checked = await admin(env, "verify");
    expect(checked.code).toBe(1);
    expect(checked.stdout).toMatch(/^keys +DAMAGED\n.*the keys of this installation are damaged/m);
    expect(checked.stdout).toMatch(/^ledger +ok/m);
    const audit = await admin(env, "verify", "--audit");
    expect([audit.code, audit.stdout]).toEqual([1, expect.stringMatching(/^keys +DAMAGED/)]);
    const rest = folder("without-keys.ndjson.gz");
    expect(await admin(env, "backup", rest, "--without-keys")).toMatchObject({ code: 0, stdout: `${rest}\n` });
  });

  test.each(["damaged", "a folder"])("stop a restore beside them before it writes: %s", async (what) => {
    const env = { DATA_DIR: folder(`beside ${what}`), ...phrase };
    mkdirSync(env.DATA_DIR, { mode: 0o700 });
    const keys = path.join(env.DATA_DIR, "keys");
    if (what === "damaged") writeFileSync(keys, "k1:short\n");
    else mkdirSync(keys);
    for (const way of [[], ["--without-keys"]]) {
      const ran = await admin(env, "restore", good, ...way);
      expect([way, ran.code, ran.stderr]).toEqual([way, 5, expect.stringContaining(says)]);
      expect(readdirSync(env.DATA_DIR)).toEqual(["keys"]);
    }
  });

  test("are named by a backup if they are lost", async () => {
    const { keys, ...env } = copyOf("lost-keys");
    rmSync(keys);
    const ran = await admin(env, "backup", folder("lost.ndjson.gz"));
    expect([ran.code, ran.stderr]).toEqual([
      1,
      expect.stringMatching(/keys is missing, and with it the keys .*rotate/),
    ]);
    expect(ran.stderr).not.toContain("has encrypted and signed nothing");
    expect((await checkBackup(folder("lost.ndjson.gz"))).header.keys).toBeNull();
  });

  test("aren't there before a first start, and tasks say so", async () => {
    const never = { DATA_DIR: folder("never"), ...phrase };
    for (const task of [["backup", folder("none.gz")], ["verify"], ["rotate-keys"]]) {
      const ran = await admin(never, ...task);
      expect([task, ran.code, ran.stderr]).toEqual([task, 2, expect.stringContaining("DATA_DIR: no sopwright.db in")]);
    }
    const restored = await admin(never, "restore", good, "--without-keys");
    expect([restored.code, restored.stderr]).toEqual([0, expect.stringContaining("there are no keys here")]);
    expect(existsSync(path.join(never.DATA_DIR, "keys"))).toBe(false);
    // the keys are elsewhere: the backup says so
    expect((await admin(never, "backup", folder("none.gz"))).stderr).toMatch(/keys is missing, and with it the keys /);
  });
});

describe("a damaged document", () => {
  const env = { DATA_DIR: folder("damaged") };
  const file = path.join(env.DATA_DIR, "sopwright.db");
  const withKeys = (name: string) => {
    const made = { DATA_DIR: folder(name) };
    mkdirSync(made.DATA_DIR, { mode: 0o700 });
    cpSync(path.join(env.DATA_DIR, "keys"), path.join(made.DATA_DIR, "keys"));
    return made;
  };
  const sign = { username: "ada", password: "a long walk to the river" };

  test("is named by the status at once, by verify and by a backup, which holds the rest", async () => {
    const first = await startProcess({ ...env, PASSWORD_BLOCKLIST: "off", LOG_LEVEL: "silent" });
    const send = (url: string, method: string, at: string, cookie = "", body?: object) =>
      exchange(url, {
        method,
        path: at,
        headers: { ...json, origin: url, cookie },
        ...(body && { body: JSON.stringify(body) }),
      });
    const registered = await send(first.url, "POST", "/api/auth/register", "", { ...sign, name: "Ada" });
    const cookie = cookieOf(registered);
    for (const title of ["Rinse the mill", "Oil the mill"])
      await send(first.url, "POST", "/api/sops", cookie, {
        title,
        description: "D",
        markdown: `# Steps\n\n1. ${title}.\n`,
      });
    const waiting = async () => {
      const state = await send(first.url, "GET", "/api/company/audit/state", cookie);
      return (state.json() as { waiting: number }).waiting;
    };
    await expect.poll(waiting, { timeout: 30_000 }).toBe(0);
    expect(await first.stop("SIGTERM")).toBe(0);
    const database = new DatabaseSync(file);
    const [{ _id: id } = { _id: "" }] = database.prepare("SELECT _id FROM sops").all() as { _id: string }[];
    database.close();
    cpSync(env.DATA_DIR, folder("damaged-before"), { recursive: true });
    damageDocument(file, id);
    const named = `document ${id} of sops: it can't be read`;

    const second = await startProcess({ ...env, PASSWORD_BLOCKLIST: "off", LOG_LEVEL: "error" });
    try {
      const list = await send(second.url, "GET", "/api/sops", cookie);
      expect((list.json() as { data: { title: string }[] }).data.map(({ title }) => title)).toEqual(["Oil the mill"]);
      expect((await send(second.url, "GET", `/api/sops/${id}`, cookie)).json()).toMatchObject({ code: "damaged" });
      expect((await send(second.url, "GET", "/api/stats/needs", cookie)).json()).toMatchObject({ unreadable: 1 });
      const readiness = (await send(second.url, "GET", "/readyz")).json();
      expect(readiness).toMatchObject({ ready: true, warnings: ["stored data is damaged: run sop admin verify"] });
      const status = await admin(env, "status", "--server", second.url);
      expect(status.code).toBe(1);
      expect(status.stdout).toContain(`${named} (SOP-0001 "Rinse the mill")`);
      // the log is flushed each second
      await expect.poll(() => second.output()).toContain(named);
    } finally {
      await second.stop("SIGTERM");
    }

    const checked = await admin(env, "verify");
    expect(checked.code).toBe(1);
    for (const part of ["database", "ledger", "versions", "assets", "repositories", "audit", "keys"])
      expect(checked.stdout).toMatch(new RegExp(`^${part} +(?:ok|DAMAGED)`, "m"));
    expect(checked.stdout).toContain(`  ${named} (SOP-0001 "Rinse the mill")`);

    const target = folder("beside-damage.ndjson.gz");
    const made = await admin(env, "backup", target, "--without-keys");
    expect(made).toMatchObject({ code: 1, stdout: `${target}\n` });
    expect(made.stderr).toContain(`damaged, and not in the backup or there as it is: 1`);
    expect(made.stderr).toContain(`  ${named} (SOP-0001 "Rinse the mill")`);
    expect(existsSync(target)).toBe(true);
    const keyless = await admin({ DATA_DIR: folder("keyless") }, "restore", target);
    expect(keyless.stderr).toContain("no keys are here to sign what is missing, so verify names it as damage");
    const rest = withKeys("rest");
    const back = await admin(rest, "restore", target);
    expect(back.code).toBe(0);
    expect(back.stderr).toContain(named);
    const again = await admin(rest, "verify", "--backup", target);
    expect(again.code).toBe(0);
    expect(again.stdout).toMatch(/^backup +ok/m);
    expect(again.stdout).toMatch(/^database +ok/m);
    expect(again.stdout).toMatch(
      /^ {2}missing since the backup of \S+Z: company \S+: the counter byStatus\.draft is 2/m,
    );

    // counters go on counting: what they are off by stays known
    const grown = await startProcess({ ...rest, PASSWORD_BLOCKLIST: "off", LOG_LEVEL: "error" });
    const signedIn = cookieOf(await send(grown.url, "POST", "/api/auth/login", "", sign));
    const title = "Dry the mill";
    const body = { title, description: "D", markdown: `# Steps\n\n1. ${title}.\n` };
    expect((await send(grown.url, "POST", "/api/sops", signedIn, body)).status).toBe(201);
    expect(await grown.stop("SIGTERM")).toBe(0);
    const counted = await admin(rest, "verify");
    expect([counted.code, counted.stdout]).toEqual([
      0,
      expect.stringMatching(
        /missing since the backup of \S+Z: company \S+: the counter byStatus\.draft is 3, but there are 2/,
      ),
    ]);

    // and in the backups of that
    const later = folder("later.ndjson.gz");
    expect((await admin(rest, "backup", later, "--without-keys")).code).toBe(0);
    const third = withKeys("third");
    const restored = await admin(third, "restore", later);
    expect([restored.code, restored.stderr.match(/missing since.*/g)]).toEqual([
      0,
      again.stdout.match(/missing since.*/g),
    ]);
    const [header = "", ...lines] = gunzipSync(readFileSync(later)).toString().split("\n");
    const changed = [header.replace("byStatus.draft", "byStatus.other"), ...lines].join("\n");
    expect(changed).not.toBe([header, ...lines].join("\n"));
    writeFileSync(later + ".changed", gzipSync(changed));
    await expect(checkBackup(later + ".changed")).rejects.toThrow("differs from its checksum");
    const known = await admin(third, "verify", "--backup", later);
    expect([known.code, known.stdout.match(/missing since.*/g)]).toEqual([0, counted.stdout.match(/missing since.*/g)]);
    const loss = new DatabaseSync(path.join(third.DATA_DIR, "sopwright.db"));
    loss.prepare("DELETE FROM sop_versions").run();
    loss.close();
    const worse = await admin(third, "verify");
    expect(worse.code).toBe(1);
    expect(worse.stdout).toMatch(/^ {2}version 1 of SOP \S+: it is missing \(SOP-0002 "Oil the mill"\)$/m);
    expect(worse.stdout).toContain("missing since the backup of");

    const forged = new DatabaseSync(path.join(third.DATA_DIR, "sopwright.db"));
    forged.prepare("UPDATE system SET doc = replace(doc, 'byStatus.draft', 'byStatus.other') WHERE _id = 'lost'").run();
    forged.close();
    const distrusted = await admin(third, "verify");
    expect(distrusted.code).toBe(1);
    expect(distrusted.stdout).toContain("the record of known losses (lost of system) has no valid signature");
    expect(distrusted.stdout).not.toContain("missing since");
  });

  const damagedCopy = (name: string, ids: readonly string[]) => {
    const from = { DATA_DIR: folder(name) };
    cpSync(folder("damaged-before"), from.DATA_DIR, { recursive: true });
    for (const id of ids) damageDocument(path.join(from.DATA_DIR, "sopwright.db"), id);
    return from;
  };

  test("is one of many on damaged pages of a table: a backup has the rest and names them", async () => {
    const from = damagedCopy("many-pages", []);
    const database = new DatabaseSync(path.join(from.DATA_DIR, "sopwright.db"));
    const newest = database.prepare("SELECT doc FROM events ORDER BY row DESC LIMIT 1").get();
    const event = JSON.parse(String(newest?.["doc"])) as { _id: string; seq: number };
    const insert = database.prepare("INSERT INTO events (_id, doc) VALUES (?, ?)");
    for (let n = 1; n <= 4_000; n++) {
      const _id = `event-${String(n).padStart(5, "0")}`;
      insert.run(_id, JSON.stringify({ ...event, _id, seq: event.seq + n }));
    }
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    const pages = database
      .prepare(
        "SELECT pageno FROM dbstat WHERE (name = 'events' OR name LIKE '%events%') AND path <> '/' ORDER BY pageno",
      )
      .all()
      .map(({ pageno }) => Number(pageno));
    database.close();
    const bytes = readFileSync(path.join(from.DATA_DIR, "sopwright.db"));
    for (const page of pages.filter((_, n) => n % 16 === 3)) bytes.fill(0x5a, (page - 1) * 4096, page * 4096);
    writeFileSync(path.join(from.DATA_DIR, "sopwright.db"), bytes);

    const target = folder("many-pages.ndjson.gz");
    const made = await admin(from, "backup", target, "--without-keys");
    expect(made).toMatchObject({ code: 1, stdout: `${target}\n` });
    const lost = /documents in rows \d+ to \d+ \(at most \d+\) of events: they can't be read/;
    expect(made.stderr).toMatch(lost);
    const { summary } = await checkBackup(target);
    expect(summary.documents["events"]?.count).toBeGreaterThan(3_000);
    expect(summary.documents["events"]?.count).toBeLessThan(4_000);
    const to = withKeys("to-many-pages");
    const back = await admin(to, "restore", target);
    expect([back.code, back.stderr]).toEqual([0, expect.stringMatching(lost)]);
    expect((await admin(to, "verify", "--backup", target)).code).toBe(0);
  });

  test.each([
    ["installation", "system", ["installation"]],
    ["last-migration", "migrations", [String(latestSchema).padStart(6, "0")]],
    ["migrations", "migrations", migrations.map(({ number }) => String(number).padStart(6, "0"))],
  ])("without which no server starts keeps no one from a backup: %s", async (name, collection, ids) => {
    const from = damagedCopy(`of-${name}`, ids);
    const named = ids.map((id) => `document ${id} of ${collection}: it can't be read`);
    const told = (text: string) => text.match(/document \d*(?:installation)? of \w+: it can't be read/g);
    await expect(startProcess({ ...from, LOG_LEVEL: "silent" })).rejects.toThrow(`of ${collection}`);
    const checked = await admin(from, "verify");
    expect([checked.code, told(checked.stdout)]).toEqual([1, named]);
    const target = folder(`${name}.ndjson.gz`);
    const made = await admin(from, "backup", target, "--without-keys");
    expect([made.code, told(made.stderr)]).toEqual([1, named]);
    expect((await checkBackup(target)).header.schema).toBe(latestSchema);

    const to = withKeys(`to-${name}`);
    const back = await admin(to, "restore", target);
    expect([back.code, told(back.stderr)]).toEqual([0, named]);
    const server = await startProcess({ ...to, PASSWORD_BLOCKLIST: "off", LOG_LEVEL: "error" });
    expect(await server.stop("SIGTERM")).toBe(0);
    const whole = await admin(to, "verify");
    // each of them is made again
    expect([whole.code, whole.stdout]).toEqual([0, expect.not.stringContaining("missing since")]);
  });

  test.skipIf(process.getuid?.() !== 0)("is restored by a user whom the system doesn't list", async () => {
    const from = damagedCopy("of-unlisted", ["keyring"]);
    const target = folder("unlisted.ndjson.gz");
    expect((await admin(from, "backup", target, "--without-keys")).code).toBe(1);
    const to = withKeys("to-unlisted");
    const user = 54_321;
    chmodSync(root, 0o755);
    for (const file of [target, to.DATA_DIR, path.join(to.DATA_DIR, "keys")]) chownSync(file, user, user);
    const back = await adminAs({ uid: user, gid: user }, to, "restore", target);
    expect([back.code, back.stderr]).toEqual([0, expect.stringContaining("damaged when the backup was made")]);
    const database = new DatabaseSync(path.join(to.DATA_DIR, "sopwright.db"));
    const lost = database.prepare("SELECT doc FROM system WHERE _id = 'lost'").get();
    database.close();
    expect(lost?.["doc"]).toContain(`\\"by\\":\\"user ${user}\\"`);
  });

  test("that was a company or a user stays a known loss after the restore", async () => {
    const from = { DATA_DIR: folder("of-company") };
    cpSync(folder("damaged-before"), from.DATA_DIR, { recursive: true });
    const data = path.join(from.DATA_DIR, "sopwright.db");
    const database = new DatabaseSync(data);
    const [{ companyId, _id: userId } = { companyId: "", _id: "" }] = database
      .prepare("SELECT _id, doc->>'$.companyId' AS companyId FROM users")
      .all() as { _id: string; companyId: string }[];
    database.close();
    for (const id of [companyId, userId]) damageDocument(data, id);
    const torn = await admin(from, "verify");
    expect([torn.code, torn.stdout]).toEqual([
      1,
      expect.stringContaining(`document ${companyId} of companies: it can't`),
    ]);
    expect(torn.stdout).not.toContain("its record is missing");
    const target = folder("company.ndjson.gz");
    expect((await admin(from, "backup", target, "--without-keys")).code).toBe(1);
    const to = withKeys("to-company");
    const back = await admin(to, "restore", target);
    const lines = [
      `company ${companyId}: its settings are missing.*`,
      `company ${companyId}: its plan limits are missing.*`,
      `document ${userId} of users is missing.*`,
    ].map((line) => expect.stringMatching(new RegExp(`^missing since the backup of \\S+Z: ${line}$`)) as unknown);
    expect([back.code, back.stderr.match(/missing since.*/g)]).toEqual([0, expect.arrayContaining(lines)]);
    const checked = await admin(to, "verify");
    expect([checked.code, checked.stdout.match(/missing since.*/g)?.sort()]).toEqual([
      0,
      back.stderr.match(/missing since.*/g)?.sort(),
    ]);
    // another company's record is no known loss
    const restored = new DatabaseSync(path.join(to.DATA_DIR, "sopwright.db"));
    const moved = "UPDATE sops SET doc = json_set(doc, '$.companyId', 'elsewhere') WHERE row = 1";
    expect(restored.prepare(moved).run().changes).toBe(1);
    restored.close();
    const worse = await admin(to, "verify");
    expect([worse.code, worse.stdout]).toEqual([
      1,
      expect.stringMatching(/^ {2}company elsewhere: its record is missing$/m),
    ]);
  });

  test.each([
    ["sop_versions", "versions"],
    ["audit_logs", "audit"],
    ["repo_events", "ledger"],
  ])("of %s that a backup lacked is a known loss, in the server's status too", async (collection, part) => {
    const from = { DATA_DIR: folder(`of-${collection}`) };
    cpSync(folder("damaged-before"), from.DATA_DIR, { recursive: true });
    const data = path.join(from.DATA_DIR, "sopwright.db");
    const database = new DatabaseSync(data);
    const [, { _id: id } = { _id: "" }] = database
      .prepare(`SELECT _id FROM ${collection} ORDER BY doc->>'$.seq', _id`)
      .all() as {
      _id: string;
    }[];
    database.close();
    damageDocument(data, id);
    const target = folder(`${collection}.ndjson.gz`);
    expect((await admin(from, "backup", target, "--without-keys")).code).toBe(1);
    const to = withKeys(`to-${collection}`);
    expect((await admin(to, "restore", target)).code).toBe(0);
    const server = await startProcess({ ...to, LOG_LEVEL: "error" });
    try {
      const status = await admin(to, "status", "--server", server.url);
      expect(status.stdout).not.toContain("stored data is damaged");
    } finally {
      await server.stop("SIGTERM");
    }
    const checked = await admin(to, "verify");
    expect([checked.code, checked.stdout]).toEqual([0, expect.stringMatching(new RegExp(`^${part} +ok`, "m"))]);
    expect(checked.stdout).toContain("missing since the backup of");
    const single = { sop_versions: "--repo", audit_logs: "--audit", repo_events: "--repo" }[collection] ?? "";
    const alone = await admin(to, "verify", single);
    expect([alone.code, alone.stdout]).toEqual([0, expect.stringContaining("missing since the backup of")]);
  });
});
