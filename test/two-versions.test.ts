/** A server of the version before, beside a newer one that takes over its data. Data of the version before, and newer tasks. */
import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
// oxlint-disable-next-line no-restricted-imports -- writes the record as a newer version does
import { MongoClient } from "mongodb";
import { afterAll, describe, expect, test } from "vitest";
import { latestSchema } from "../server/database/migration-list.ts";
import { migrationRecordId } from "../server/database/migrations.ts";
import { describeOnMongo, mongoUri } from "./database/mongo-uri.ts";
import { node, nodeEnv, project } from "./node-program.ts";

const root = mkdtempSync(path.join(tmpdir(), "sopwright-versions-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const number = latestSchema + 1;
const newer = {
  _id: migrationRecordId({ number }),
  number,
  name: "a later step",
  checksum: "",
  at: new Date().toISOString(),
};
const says = `the database has schema ${number} (a later step), this program knows up to ${latestSchema}: run the newer version`;

interface Ended {
  code: number | null;
  stderr: string;
}

function start(env: Record<string, string>): { url: Promise<string>; ended: Promise<Ended>; kill: () => void } {
  const child = spawn(node, ["server/main.ts"], {
    cwd: project,
    env: { ...nodeEnv, TMPDIR: tmpdir(), PORT: "0", LOG_LEVEL: "silent", DRAIN_SECONDS: "12", ...env },
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const url = new Promise<string>((found, reject) => {
    child.once("exit", (code) => reject(new Error(`it ended with ${code}: ${stderr}`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const at = /^listening on (\S+)/.exec(line)?.[1];
      if (at !== undefined) found(at);
    });
  });
  // a server that refuses to start is waited for by its end
  url.catch(() => undefined);
  const ended = new Promise<Ended>((done) => child.once("close", (code) => done({ code, stderr })));
  return { url, ended, kill: () => child.kill() };
}

/** What monitoring runs: the operator's task and its exit code. */
function statusTask(env: Record<string, string>, url: string): Promise<{ code: number | null; stdout: string }> {
  const child = spawn(node, ["server/admin/main.ts", "status", "--server", url], {
    cwd: project,
    env: { ...nodeEnv, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  return new Promise((done) => child.once("close", (code) => done({ code, stdout })));
}

async function register(url: string, username: string) {
  const answer = await fetch(`${url}/api/auth/register`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify({ username, password: "a long walk to the river", name: "Ada" }),
  });
  return { status: answer.status, body: (await answer.json()) as { code?: string; message?: string } };
}

function stopsWhenTakenOver(env: Record<string, string>, takeOver: () => Promise<void>): () => Promise<void> {
  return async () => {
    const server = start(env);
    try {
      const url = await server.url;
      expect(await register(url, "ada")).toMatchObject({ status: 201 });
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
      await takeOver();
      const readiness = async () => (await fetch(`${url}/readyz`)).json() as Promise<unknown>;
      await expect.poll(readiness).toMatchObject({
        ready: false,
        problems: expect.arrayContaining([says]) as unknown,
        parts: { database: "problem" },
      });
      expect(await register(url, "grace")).toMatchObject({
        status: 503,
        body: { code: "busy", message: "A newer version of the server takes over. Try again in a moment." },
      });
      const status = await statusTask(env, url);
      expect(status.stdout).toContain(`database       PROBLEM  ${says}`);
      expect(status.code).toBe(1);
      const { code, stderr } = await server.ended;
      expect(stderr.trim()).toBe(says);
      expect(code).toBe(5);
      const again = await start(env).ended;
      expect([again.code, again.stderr.trim()]).toEqual([5, says]);
    } finally {
      server.kill();
      await server.ended;
    }
  };
}

const early = `the stored data is of an earlier version: it has schema ${latestSchema - 1}, this program has ${latestSchema}. Make a backup, then start the server`;
const writing = [
  ["unlock", "--all"],
  ["unlock", "nobody"],
  ["setup", "--username", "grace", "--name", "Grace", "--password-stdin"],
  ["reset-password", "nobody"],
  ["redact", "--company", "none", "--rows", "1", "--reason", "asked", "--yes"],
  ["rebuild"],
  ["rotate-keys"],
  ["rotate-keys", "--lost"],
];

function task(env: Record<string, string>, args: readonly string[]): Promise<Ended> {
  const program = [path.join(project, "server/admin/main.ts"), ...args, "--no-input"];
  return new Promise((done) => {
    const child = execFile(node, program, { env: { ...nodeEnv, LOG_LEVEL: "silent", ...env } }, (error, _, stderr) =>
      done({ code: Number(error?.code ?? 0), stderr: stderr.trim() }),
    );
    child.stdin?.end("a long walk to the river");
  });
}

/** @param forget takes the record of the last step away. @param schemas numbers of the steps that ran */
function staysAsItIs(
  env: Record<string, string>,
  { forget, schemas }: { forget(): Promise<unknown>; schemas(): Promise<number[]> },
): () => Promise<void> {
  return async () => {
    const first = start(env);
    await first.url;
    first.kill();
    await first.ended;
    const all = await schemas();
    expect(all.at(-1)).toBe(latestSchema);
    await forget();
    const before = all.slice(0, -1);
    const embedded = env["MONGODB_URI"] === undefined ? [["demo", "--data-dir", env["DATA_DIR"] ?? ""]] : [];
    for (const args of [...writing, ...embedded]) {
      const { code, stderr } = await task(env, args);
      expect([args[0], code, stderr]).toEqual([args[0], 5, expect.stringContaining(early)]);
      expect([args[0], await schemas()]).toEqual([args[0], before]);
    }
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as AddressInfo;
    const refused = await start({ ...env, PORT: String(port), HOST: "127.0.0.1" }).ended;
    expect([refused.code, refused.stderr.trim()]).toEqual([5, expect.stringMatching(`^port ${port} is in use: `)]);
    expect(await schemas()).toEqual(before);
    await new Promise((resolve) => other.close(resolve));
    const second = start({ ...env, PORT: String(port), HOST: "127.0.0.1" });
    expect(await second.url).toContain(String(port));
    expect(await schemas()).toEqual(all);
    second.kill();
    await second.ended;
    expect(await task(env, ["unlock", "--all"])).toMatchObject({ code: 0 });
  };
}

describe("data of the version before", () => {
  const dataDir = path.join(root, "before");
  const database = async <T>(use: (database: DatabaseSync) => T): Promise<T> => {
    const database = new DatabaseSync(path.join(dataDir, "sopwright.db"));
    try {
      return use(database);
    } finally {
      database.close();
    }
  };
  const _id = migrationRecordId({ number: latestSchema });
  test(
    "is changed by the start of a server that gets its port, and by no task, on SQLite",
    staysAsItIs(
      { DATA_DIR: dataDir, DRAIN_SECONDS: "0" },
      {
        forget: () => database((db) => db.prepare("DELETE FROM migrations WHERE _id = ?").run(_id)),
        schemas: () =>
          database((db) =>
            db
              .prepare("SELECT _id FROM migrations ORDER BY _id")
              .all()
              .map((row) => Number(row["_id"])),
          ),
      },
    ),
  );
});

describeOnMongo("data of the version before", () => {
  const uri = new URL(mongoUri() ?? "mongodb://localhost");
  uri.pathname = `/before_${randomBytes(6).toString("hex")}`;
  const records = async <T>(use: (client: MongoClient) => Promise<T>): Promise<T> => {
    const client = new MongoClient(uri.href);
    return use(client).finally(() => client.close());
  };
  afterAll(() => records((client) => client.db().dropDatabase()));
  const migrations = (client: MongoClient) => client.db().collection<typeof newer>("migrations");
  test(
    "is changed by the start of a server that gets its port, and by no task",
    staysAsItIs(
      { DATA_DIR: path.join(root, "before-mongodb"), MONGODB_URI: uri.href, DRAIN_SECONDS: "0" },
      {
        forget: () => records((client) => migrations(client).deleteOne({ number: latestSchema })),
        schemas: () =>
          records(async (client) =>
            (await migrations(client).find().sort({ _id: 1 }).toArray()).map((one) => one.number),
          ),
      },
    ),
  );
});

describe("a server whose data a newer version takes over", () => {
  const dataDir = path.join(root, "embedded");
  test(
    "says so at /readyz, refuses writes, and ends on SQLite",
    stopsWhenTakenOver({ DATA_DIR: dataDir }, async () => {
      const database = new DatabaseSync(path.join(dataDir, "sopwright.db"));
      database.prepare("INSERT INTO migrations (_id, doc) VALUES (?, ?)").run(newer._id, JSON.stringify(newer));
      database.close();
    }),
  );
});

describeOnMongo("a server whose data a newer version takes over", () => {
  const uri = new URL(mongoUri() ?? "mongodb://localhost");
  uri.pathname = `/versions_${randomBytes(6).toString("hex")}`;
  const within = async (work: (client: MongoClient) => Promise<unknown>) => {
    const client = new MongoClient(uri.href);
    await work(client).finally(() => client.close());
  };
  afterAll(() => within((client) => client.db().dropDatabase()));
  test(
    "says so at /readyz, refuses writes, and ends",
    stopsWhenTakenOver({ DATA_DIR: path.join(root, "mongodb"), MONGODB_URI: uri.href }, () =>
      within((client) => client.db().collection<typeof newer>("migrations").insertOne(newer)),
    ),
  );
});
