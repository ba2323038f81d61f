/** What operators load elsewhere names only metrics that a server has; `sop admin status` shows its parts. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { spawn } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { createKeyFileIfMissing, keyFilePath } from "../server/keys/key-file.ts";
import { runSop } from "./cli/run-sop.ts";
import { node, nodeEnv, project } from "./node-program.ts";
import { startServer, type TestServer } from "./server.ts";

const read = (file: string) => readFileSync(path.join(project, file), "utf8");
let server: TestServer;
let metrics = new Map<string, ReadonlySet<string>>();

beforeAll(async () => {
  server = await startServer("sqlite");
  await server.send({ path: "/healthz" });
  metrics = metricsIn((await server.send({ path: "/metrics" })).body);
});
afterAll(() => server.stop());

/** Each metric and the labels of its series. Gauges without a value have their type line. */
function metricsIn(text: string): Map<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const [, name = "", kind] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm))
    for (const end of kind === "histogram" ? ["_bucket", "_count", "_sum"] : [""]) found.set(name + end, new Set());
  for (const [, name = "", labels = ""] of text.matchAll(/^(\w+)\{(.*)\} /gm))
    for (const [, label = ""] of labels.matchAll(/(\w+)="/g)) found.get(name)?.add(label);
  return found;
}

/** Prometheus adds these to each series. */
const added = new Set(["instance", "job", "le"]);

/** Names of metrics in a query, each with the labels that it is narrowed by. */
function namedIn(query: string): { name: string; labels: string[] }[] {
  const plain = query.replaceAll(/\$\w+/g, "x");
  return [...plain.matchAll(/\b((?:sopwright|nodejs|process)_\w+|up)\b(?:\{([^}]*)\})?/g)].map(
    ([, name = "", labels = ""]) => ({
      name,
      labels: [...labels.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = ""]) => label),
    }),
  );
}

function unknownIn(queries: readonly string[]): string[] {
  return queries.flatMap((query) =>
    namedIn(query).flatMap(({ name, labels }) => {
      if (name === "up") return [];
      const known = metrics.get(name);
      if (!known) return [`${name} in ${query}`];
      return labels.filter((label) => !known.has(label) && !added.has(label)).map((label) => `${name}{${label}}`);
    }),
  );
}

test("the alert rules name only metrics and labels that a server has", () => {
  const { groups } = parse(read("deploy/alerts.yaml")) as { groups: { rules: { alert: string; expr: string }[] }[] };
  const rules = groups.flatMap((group) => group.rules);
  expect(rules.length).toBeGreaterThan(8);
  expect(unknownIn(rules.map(({ expr }) => expr))).toEqual([]);
  const page = read("docs/operations.md");
  expect(rules.map(({ alert }) => alert).filter((alert) => !page.includes(`\`${alert}\``))).toEqual([]);
});

test("the dashboard names only metrics and labels that a server has", () => {
  const { panels } = JSON.parse(read("deploy/grafana-dashboard.json")) as { panels: { targets: { expr: string }[] }[] };
  const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  expect(queries.length).toBeGreaterThan(15);
  expect(unknownIn(queries)).toEqual([]);
});

test("a metric or label that no server has is found", () => {
  expect(unknownIn(['rate(sopwright_request_seconds_count{status="500"}[5m])'])).toEqual([]);
  expect(unknownIn(["sopwright_nothing > 1"])).toEqual(["sopwright_nothing in sopwright_nothing > 1"]);
  expect(unknownIn(['sopwright_part_state{company="x"}'])).toEqual(["sopwright_part_state{company}"]);
});

interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

function status(args: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  const child = spawn(node, ["server/admin/main.ts", "status", ...args], {
    cwd: project,
    env: { ...nodeEnv, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ran: Ran = { code: null, stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (ran.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (ran.stderr += text));
  return new Promise((done) => child.once("close", (code) => done({ ...ran, code })));
}

test("sop admin status shows each part of the running server", async () => {
  const shown = await status([], { PORT: new URL(server.url).port, DATA_DIR: server.dataDir });
  expect(shown).toMatchObject({ code: 0, stderr: "" });
  expect(shown.stdout).toMatch(/^database {7}ok {7}the database answers$/m);
  expect(shown.stdout).toMatch(/^backups {8}off {6}this server makes none, and none is known$/m);
  expect(shown.stdout).toMatch(/^stored {9}\d+ companies, \d+ users, \d+ SOPs$/m);
  const json = await status(["--json", "--server", server.url], { DATA_DIR: server.dataDir });
  expect(JSON.parse(json.stdout)).toMatchObject({ ok: true, data: { engine: "sqlite", backup: null } });
});

test("sop admin status says so for a server of another installation", async () => {
  const other = mkdtempSync(path.join(tmpdir(), "sopwright-other-"));
  createKeyFileIfMissing(keyFilePath(other));
  const shown = await status(["--server", server.url], { DATA_DIR: other });
  rmSync(other, { recursive: true });
  expect(shown).toMatchObject({ stdout: "" });
  expect(shown.stderr).toContain("to who has its DATA_DIR");
});

test("sop admin status says when no server answers", async () => {
  const shown = await status(["--server", "http://127.0.0.1:9"]);
  expect(shown).toMatchObject({ code: 5, stdout: "" });
  expect(shown.stderr).toContain("no server answers at http://127.0.0.1:9");
});

test("sop admin status asks the server that the command line names", async () => {
  const url = "http://127.0.0.1:9";
  for (const args of [
    ["admin", "status", "--server", url],
    ["--server", url, "admin", "status"],
  ]) {
    const shown = await runSop(args, { cwd: server.dataDir, env: { DATA_DIR: server.dataDir } });
    expect(shown).toMatchObject({ code: 5, stdout: "" });
    expect(shown.stderr).toContain(`no server answers at ${url}`);
  }
  const refused = await runSop(["admin", "unlock", "--all", "--server", url], { cwd: server.dataDir });
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("unknown option '--server'") });
});
