/** What an operator reads when the server can't start: one line and an exit code that docs/operations.md lists. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startProxy } from "../test/database/proxy.ts";
import { mongoUri } from "../test/database/mongo-uri.ts";
import { readConfig } from "./config.ts";
import { declarations, type Collections } from "./database/documents.ts";
import { openMongo } from "./database/mongodb/open.ts";
import { LostCollectionError } from "./database/port.ts";
import { serveRequests } from "./serve.ts";
import { failureReason } from "./foreign-failure.ts";
import { explainFailure } from "./start-failure.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "sopwright-start-failure-"));
});
afterEach(() => {
  chmodSync(dir, 0o700);
  rmSync(dir, { recursive: true, force: true });
});

const at = (name: string) => path.join(dir, name);

/** The exit code and the lines that a failed start ends with. */
async function failed(env: Record<string, string>, open: Partial<Parameters<typeof serveRequests>[0]> = {}) {
  try {
    const config = readConfig({ PORT: "0", DATA_DIR: at("data"), LOG_LEVEL: "silent", ...env });
    await (await serveRequests({ config, ...open })).stop();
  } catch (error) {
    const failure = explainFailure(error);
    if (!failure) throw error;
    return [failure.exit, ...failure.message.split("\n")];
  }
  throw new Error("the server started");
}

describe("a start says in one line", () => {
  test.each<[string, () => Record<string, string>, number, RegExp]>([
    [
      "that the data folder is a file",
      () => {
        writeFileSync(at("data"), "");
        return {};
      },
      5,
      /data: a part of the path is a file/,
    ],
    [
      "that the database is a folder",
      () => {
        mkdirSync(at("data/sopwright.db"), { recursive: true });
        return {};
      },
      5,
      /sopwright\.db: there is a folder in the place of a file\. Move it away\./,
    ],
    [
      "that the path is too long",
      () => ({ DATA_DIR: at("x".repeat(300)) }),
      5,
      /x: the path is too long$|path is too long$/,
    ],
    [
      "that a link leads to itself",
      () => {
        symlinkSync("loop", at("loop"));
        return { DATA_DIR: at("loop/x") };
      },
      5,
      /a link in the path leads back to itself$/,
    ],
    ["that a folder can't be made", () => ({ DATA_DIR: "/proc/x" }), 5, /^\/proc\/x: it can't be created there/],
    [
      "that the database is damaged",
      () => {
        mkdirSync(at("data"));
        writeFileSync(at("data/sopwright.db"), "no database at all ".repeat(500));
        return {};
      },
      5,
      /^the list of tables in sopwright.db is damaged, .*Check DATA_DIR, or restore the last backup$/,
    ],
    [
      "that a host is unknown",
      () => ({ HOST: "no-such-host.invalid", ALLOW_INSECURE: "1" }),
      2,
      /^HOST and PORT are not usable: /,
    ],
    [
      "that the machine lacks the address: a network can come up later",
      () => ({ HOST: "192.0.2.1", ALLOW_INSECURE: "1" }),
      5,
      /^this machine doesn't have the address 192\.0\.2\.1: bring its network up, or correct HOST$/,
    ],
    [
      "that a setting is wrong",
      () => ({ SMTP_URL: "mail.example.org" }),
      2,
      /^the environment is not usable: SMTP_URL: expected smtp:/,
    ],
    [
      "that a file named in MONGODB_URI is missing",
      () => ({ MONGODB_URI: `mongodb://127.0.0.1:1/?tls=true&tlsCAFile=${at("ca.pem")}` }),
      5,
      /ca\.pem: there is no such file/,
    ],
  ])("%s", async (_, prepare, exit, said) => {
    expect(await failed(prepare())).toEqual([exit, expect.stringMatching(said)]);
  });

  test.skipIf(process.getuid?.() === 0)("that the data folder can't be written", async () => {
    mkdirSync(at("data"), { mode: 0o500 });
    expect(await failed({})).toEqual([5, expect.stringMatching(/permission denied|can't be opened/)]);
  });

  test("that another program holds the database locked", { timeout: 60_000 }, async () => {
    mkdirSync(at("data"));
    const other = new DatabaseSync(at("data/sopwright.db"));
    other.exec("CREATE TABLE x (a); BEGIN EXCLUSIVE");
    expect(await failed({})).toEqual([5, expect.stringMatching(/^the database is locked by another program/)]);
    other.close();
  });

  test("that the port is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as AddressInfo;
    expect(await failed({ PORT: String(port) })).toEqual([5, expect.stringMatching(`^port ${port} is in use: `)]);
    other.close();
  });

  test("that a migration failed and was undone", async () => {
    const { openSqlite } = await import("./database/sqlite/open.ts");
    mkdirSync(at("data"));
    const change = () => Promise.reject(new Error("no such field\nin any row"));
    const before = openSqlite<Collections>(at("data"), declarations);
    await before.prepare();
    await before.collection("system").insertOne({ _id: "one", value: "1", at: "" });
    await before.close();
    const db = openSqlite<Collections>(at("data"), declarations, {
      migrations: [{ number: 1, name: "first", passes: [{ collection: "system", change }] }],
    });
    expect(await failed({}, { db })).toEqual([
      5,
      "migration 1 (first) failed and changed nothing: no such field in any row. Run the version before, and report this",
    ]);
  });
});

test.each([
  ["system", "Back up the rest with `sop admin backup`, and restore that into an empty folder"],
  ["migrations", "Back up the rest with `sop admin backup`, and restore that into an empty folder"],
  ["users", "Restore the last backup"],
])("the way out without the collection %s is the one that loses least", (name, wayOut) => {
  const message = `the collection ${name}: it can't be read. ${wayOut}`;
  expect(explainFailure(new LostCollectionError(name))).toEqual({ exit: 5, code: "storage", message });
});

const uri = mongoUri();
test.skipIf(uri === null)("a start says in one line that the replica set is another one", async () => {
  const other = new URL(uri ?? "");
  other.searchParams.set("replicaSet", "other");
  other.searchParams.delete("directConnection");
  const named = /^MONGODB_URI: none of its servers belongs to the replica set other: check replicaSet$/;
  expect(await failed({ MONGODB_URI: other.href })).toEqual([2, expect.stringMatching(named)]);
});

test.skipIf(uri === null)(
  "a start says in one line that MongoDB went away after the connection",
  { timeout: 60_000 },
  async () => {
    const proxy = await startProxy(uri ?? "");
    const db = await openMongo<Collections>(proxy.uri, declarations, { dbName: `start_${process.pid}` });
    await proxy.cut();
    expect(await failed({}, { db })).toEqual([5, expect.stringMatching(/^the MongoDB server of MONGODB_URI /)]);
    await proxy.stop();
  },
);

describe("the operator reads words, not those of", () => {
  const coded = (message: string, more: object, name = "Error") => Object.assign(new Error(message), more, { name });
  const mongo = (message: string) => coded(message, {}, "MongoServerSelectionError");
  test.each<[string, Error, string]>([
    [
      "SQLite: a damaged page",
      coded("database disk image is malformed", { errcode: 267 }),
      "the database in DATA_DIR: it is damaged. Back up the rest with `sop admin backup`, or restore the last backup",
    ],
    [
      "SQLite: a damaged document",
      coded("malformed JSON", { errcode: 1 }),
      "the database in DATA_DIR: a document is damaged: `sop admin verify` names it",
    ],
    [
      "SQLite: a disk",
      coded("disk I/O error", { errcode: 778 }),
      "the database in DATA_DIR: the disk reports an error: check the disk, then start again",
    ],
    [
      "the system: a missing file",
      coded("ENOENT: no such file or directory, open '/x/y'", {
        code: "ENOENT",
        errno: -2,
        path: "/x/y",
        syscall: "open",
      }),
      "/x/y: there is no such file or folder",
    ],
    [
      "the system: any other",
      coded("ENOTEMPTY: directory not empty, rmdir '/x'", {
        code: "ENOTEMPTY",
        errno: -39,
        path: "/x",
        syscall: "rmdir",
      }),
      "/x: directory not empty",
    ],
    [
      "MongoDB: no server",
      mongo("connect ECONNREFUSED 127.0.0.1:27017"),
      "the MongoDB server of MONGODB_URI does not answer as it should: nothing listens there: start it, or correct the address (127.0.0.1:27017)",
    ],
    [
      "MongoDB: an unknown host",
      mongo("getaddrinfo ENOTFOUND db.invalid"),
      "the MongoDB server of MONGODB_URI does not answer as it should: the host is unknown: correct the address (db.invalid)",
    ],
    [
      "MongoDB: a wrong password",
      coded("Authentication failed.", { code: 18 }, "MongoServerError"),
      "the MongoDB server of MONGODB_URI does not answer as it should: it refuses the user: check the user, the password and the user's rights",
    ],
    [
      "MongoDB: a certificate",
      mongo("self-signed certificate in certificate chain"),
      "the MongoDB server of MONGODB_URI does not answer as it should: its certificate isn't accepted: check tlsCAFile",
    ],
    [
      "MongoDB: TLS on a port without it",
      mongo("40CC:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number"),
      "the MongoDB server of MONGODB_URI does not answer as it should: TLS fails: check the port and the settings of TLS",
    ],
  ])("%s", (_, error, said) => {
    expect(failureReason(error)).toBe(said);
    expect(explainFailure(error)).toEqual({ exit: 5, code: "storage", message: said });
  });
});

test("an unexpected error is a bug, and keeps its stack", () => {
  expect(explainFailure(new TypeError("x is undefined"))).toBeNull();
});
