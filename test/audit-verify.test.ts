/** `sop admin verify --audit` and `sop verify` as processes, on a real server's data. */
import { spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { runSop } from "./cli/run-sop.ts";
import { exchange } from "./http.ts";
import { exportLog, makeKeys, makeLog } from "./audit-tamper.ts";
import { node, nodeEnv, project } from "./node-program.ts";
import { startProcess } from "./server-process.ts";

const firstAdmin = { ADMIN_USERNAME: "root", ADMIN_PASSWORD: "a long walk to the river" };
const folder = mkdtempSync(join(tmpdir(), "sopwright-audit-"));
const dataDir = join(folder, "data");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const checkpoints = join(dataDir, "audit-checkpoints.ndjson");

let exported: string;
let key: string;

beforeAll(async () => {
  const server = await startProcess({ DATA_DIR: dataDir, LOG_LEVEL: "error", ...firstAdmin });
  const headers = { "content-type": "application/json", origin: server.url };
  const send = async (path: string, body?: object, more = {}) => {
    const content = body ? { method: "POST", body: JSON.stringify(body) } : {};
    const answer = await exchange(server.url, { path, ...content, headers: { ...headers, ...more } });
    expect([path, answer.status < 300 ? "" : answer.body]).toEqual([path, ""]);
    return answer;
  };
  const credentials = { username: firstAdmin.ADMIN_USERNAME, password: firstAdmin.ADMIN_PASSWORD };
  const signedIn = await send("/api/auth/login", credentials);
  const cookie = { cookie: signedIn.headers.get("set-cookie")?.split(";")[0] ?? "" };
  for (let request = 0; request < 6; request++) {
    const documents = Array.from({ length: 50 }, (_, n) => {
      const text = `# SOP ${n}\n\nText ${request}\n`;
      return { path: `${n}.md`, text, sha256: createHash("sha256").update(text).digest("hex") };
    });
    await send("/api/sops/import", { importId: randomUUID(), documents }, cookie);
  }
  await vi.waitFor(() => expect(server.output()).toContain("audit checkpoint {"), { timeout: 20_000 });
  key = join(folder, "k.pem");
  const state = (await send("/api/company/audit/state", undefined, cookie)).json() as { key: { publicKeyPem: string } };
  writeFileSync(key, state.key.publicKeyPem);
  exported = (await send("/api/company/audit/export?format=ndjson", undefined, cookie)).body;
  expect(await server.stop("SIGTERM")).toBe(0);
});

const verifyAudit = (...args: string[]) => admin("verify", "--audit", ...args);

function admin(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(node, ["server/admin/main.ts", ...args], {
    cwd: project,
    env: { ...nodeEnv, DATA_DIR: dataDir, LOG_LEVEL: "error" },
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return new Promise((done) => child.once("close", (code) => done({ code, stdout, stderr })));
}

/** Changes the stored log without the server. */
function inDatabase(sql: string): void {
  const database = new DatabaseSync(join(dataDir, "sopwright.db"));
  try {
    database.exec(sql);
  } finally {
    database.close();
  }
}

const sop = (...args: string[]) => runSop(args, { cwd: folder });
const write = (text: string): string => {
  writeFileSync(join(folder, "log.ndjson"), text);
  return "log.ndjson";
};

describe("sop verify", () => {
  test("proves an export with the public key", async () => {
    const file = write(exported);
    const proved = await sop("verify", file, "--public-key", "k.pem", "--checkpoints", checkpoints);
    expect(proved).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^OK {2}company .* signed up to row \d+\n/),
      stderr: "",
    });
    const believed = await sop("verify", file);
    expect(believed).toMatchObject({ code: 0, stderr: expect.stringContaining("compare it, or add --public-key") });
    const json = await sop("verify", file, "--public-key", "k.pem", "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({
      schema: "sop.verify/1",
      ok: true,
      data: { trusted: true, faults: 0 },
    });
  });

  test("takes a text with every kind of line break for what it is", async () => {
    const keys = makeKeys();
    const lines = exportLog(makeLog(300, 64, keys), keys);
    expect(lines.join("")).toContain("\u2028");
    writeFileSync(join(folder, "lines.pem"), keys.publicKeyPem);
    const proved = await sop("verify", write(`${lines.join("\n")}\n`), "--public-key", "lines.pem");
    expect(proved).toMatchObject({ code: 0, stdout: expect.stringMatching(/^OK .*300 rows/) });
  });

  test("names what was altered, and exits 1", async () => {
    const file = write(exported.replace('"account.sign_in"', '"account.sign_out"'));
    const altered = await sop("verify", file, "--public-key", "k.pem");
    expect(altered).toMatchObject({ code: 1, stdout: expect.stringMatching(/^ALTERED .*\n {2}ROW_ALTERED\(\d+\): /) });
    const cut = write(exported.split("\n").slice(0, 20).join("\n"));
    expect(await sop("verify", cut, "--public-key", "k.pem")).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("TRUNCATED"),
    });
    writeFileSync(join(folder, "other.pem"), makeKeys().publicKeyPem);
    const foreign = await sop("verify", write(exported), "--public-key", "other.pem");
    expect(foreign).toMatchObject({ code: 1, stdout: expect.stringContaining("BAD_SIGNATURE") });
  });

  test("says what it can't work with", async () => {
    expect(await sop("verify", "nowhere.ndjson")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("file or folder not found"),
    });
    expect(await sop("verify", write("# A\n"))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("isn't an exported audit log"),
    });
    const file = write(exported);
    for (const line of ["null", "7", "{"]) {
      writeFileSync(join(folder, "no-checkpoints"), `${line}\n`);
      expect(await sop("verify", file, "--checkpoints", "no-checkpoints")).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("no-checkpoints:1: not a checkpoint"),
      });
    }
    expect(await sop("verify", file, "--public-key", file)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("has no Ed25519 public key"),
    });
  });
});

describe("sop admin verify --audit", () => {
  test("finds the log as it was recorded", async () => {
    const { code, stdout } = await verifyAudit();
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^system: OK, \d+ rows, signed up to row \d+\n {2}row \d+: /),
    ]);
    expect(await verifyAudit("--repo")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^repositories +ok.*\naudit +ok/),
    });
    expect(await verifyAudit("--checkpoints", "nowhere")).toMatchObject({ code: 2 });
  });

  test("names the rows whose data `sop admin redact` erased", async () => {
    const asked = ["--company", "system", "--reason", "asked for by the person"];
    expect(await admin("redact", ...asked, "--rows", "20-21")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--yes"),
    });
    for (const [wrong, message] of [
      [["--rows", "3-2"], "isn't a row number"],
      [["--rows", "999999999"], "not found in this company's log"],
      [["--user", "nobody"], "user nobody not found"],
      [[], "either --rows or --user"],
    ] as const) {
      const refused = await admin("redact", ...asked, "--yes", ...wrong);
      expect([wrong, refused.code === 0, refused.stderr]).toEqual([wrong, false, expect.stringContaining(message)]);
    }
    const done = await admin("redact", ...asked, "--rows", "20-21", "--yes", "--json");
    expect(JSON.parse(done.stdout)).toMatchObject({ ok: true, data: { company: "system", rows: [20, 21] } });
    const { code, stdout } = await verifyAudit();
    expect([code, stdout.split("\n").filter((line) => line.includes("REDACTED"))]).toEqual([
      0,
      [expect.stringContaining("row 20 "), expect.stringContaining("row 21 ")],
    ]);
  }, 60_000);

  // removes the seventh row and all after it
  test("finds what was done to the database, even when its checkpoints went too", async () => {
    inDatabase(
      "UPDATE audit_logs SET doc = json_set(doc, '$.userName', 'Nobody') WHERE json_extract(doc, '$.seq') = 7",
    );
    const { code, stdout } = await verifyAudit("--json");
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      data: { companies: [{ findings: [{ verdict: "PAYLOAD_MISMATCH", seq: 7 }] }] },
    });
    inDatabase("DELETE FROM audit_logs WHERE json_extract(doc, '$.seq') >= 7; DELETE FROM audit_checkpoints");
    expect(await verifyAudit()).toMatchObject({ code: 1, stdout: expect.stringContaining("TRUNCATED(7)") });
    const kept = join(folder, "kept.ndjson");
    writeFileSync(kept, readFileSync(checkpoints));
    rmSync(checkpoints);
    expect(await verifyAudit()).toMatchObject({ code: 0, stdout: expect.stringContaining("NOT_ANCHORED") });
    expect(await verifyAudit("--checkpoints", kept)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("TRUNCATED(7)"),
    });
  });

  test("finds that a company is gone with all its log", async () => {
    inDatabase("DELETE FROM audit_logs; DELETE FROM companies");
    const { code, stdout } = await verifyAudit("--checkpoints", join(folder, "kept.ndjson"));
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(
        /^[0-9a-f-]{36}: ALTERED\n {2}TRUNCATED: all rows of the audit log are missing\n {2}TRUNCATED\(1\): /,
      ),
    ]);
  });
});
