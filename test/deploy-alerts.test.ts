/** Prometheus reads a server, and promtool tries each alert: it fires in trouble, and is silent in good days. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { deploy, done, read, run, skipWithout, type Program } from "./deploy-files.ts";
import { freePort } from "./free-port.ts";
import { exchange } from "./http.ts";
import { startServer, type TestServer } from "./server.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "sopwright-alerts-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const { groups } = parse(read("alerts.yaml")) as { groups: { rules: { alert: string }[] }[] };
const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));

const on = (name: string, labels = "") => `sopwright_${name}{instance="a",job="sopwright"${labels && `,${labels}`}}`;
const requests = (method: string, status: number) =>
  on("request_seconds_count", `method="${method}",route="/api/sops",status="${status}"`);
const took = (le: string) => on("request_seconds_bucket", `method="GET",route="/api/sops",status="200",le="${le}"`);

/** Good days: 60 reads and 6 saves a minute. */
const well: Record<string, string> = {
  [`up{instance="a",job="sopwright"}`]: "1x3000",
  [on("info", `version="1",engine="sqlite"`)]: "1x3000",
  [on("part_state", `part="database"`)]: "0x3000",
  [on("part_state", `part="backups"`)]: "0x3000",
  [requests("GET", 200)]: "0+60x3000",
  [requests("PUT", 200)]: "0+6x3000",
  [requests("PUT", 507)]: "0x3000",
  [took("0.1")]: "0+60x3000",
  [took("5")]: "0+60x3000",
  [took("+Inf")]: "0+60x3000",
  [`nodejs_eventloop_lag_p99_seconds{instance="a",job="sopwright"}`]: "0.02x3000",
  [on("queue_waiting", `queue="print"`)]: "1x3000",
  [on("database_waiting")]: "0x3000",
  [on("backup_age_seconds")]: "3600x3000",
  [on("disk_free_ratio")]: "0.4x3000",
  // two were given up an hour ago, and one of them is deleted
  [on("outbox_failed", `kind="emails"`)]: "2x1000 1x2000",
};

/** What each alert is for, and the minute at which it fires. Null: the series is missing. */
const troubles: Record<string, { series: Record<string, string | null>; minute: number }> = {
  SopwrightDown: { series: { [`up{instance="a",job="sopwright"}`]: "0x60" }, minute: 3 },
  SopwrightDatabaseDown: { series: { [on("part_state", `part="database"`)]: "2x60" }, minute: 2 },
  SopwrightPart: { series: { [on("part_state", `part="backups"`)]: "1x60" }, minute: 16 },
  SopwrightErrors: { series: { [requests("GET", 500)]: "0+3x60" }, minute: 20 },
  // one of fifty saves
  SopwrightSavesFail: { series: { [requests("PUT", 507)]: "0+0.12x60" }, minute: 20 },
  SopwrightSlow: { series: { [took("0.1")]: "0+50x60" }, minute: 30 },
  SopwrightEventLoop: {
    series: { [`nodejs_eventloop_lag_p99_seconds{instance="a",job="sopwright"}`]: "0.3x60" },
    minute: 16,
  },
  SopwrightQueue: { series: { [on("queue_waiting", `queue="print"`)]: "21x60" }, minute: 11 },
  SopwrightDatabaseQueue: { series: { [on("database_waiting")]: "51x60" }, minute: 6 },
  SopwrightBackupOld: { series: { [on("backup_age_seconds")]: "180000x180" }, minute: 61 },
  SopwrightBackupMissing: { series: { [on("backup_age_seconds")]: null }, minute: 1441 },
  SopwrightDisk: { series: { [on("disk_free_ratio")]: "0.09x60" }, minute: 16 },
  SopwrightDiskFull: { series: { [on("disk_free_ratio")]: "0.01x60" }, minute: 2 },
  SopwrightEmailsFailed: { series: { [on("outbox_failed", `kind="emails"`)]: "2x10 3x60" }, minute: 15 },
};

function promtool(...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync("promtool", args, { encoding: "utf8", cwd: folder });
  return { status, output: stdout + stderr };
}

/** Of each case: the alerts that fire then. */
function firing(cases: readonly { series: Record<string, string | null>; minute: number; fires: string | null }[]) {
  const tests = cases.map(({ series, minute, fires }) => ({
    interval: "1m",
    input_series: Object.entries({ ...well, ...series }).flatMap(([name, values]) =>
      values === null ? [] : [{ series: name, values }],
    ),
    promql_expr_test: alerts.map((alert) => ({
      expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`,
      eval_time: `${minute}m`,
      exp_samples: [{ labels: "{}", value: alert === fires ? 1 : 0 }],
    })),
  }));
  const file = path.join(folder, "test.yaml");
  writeFileSync(file, stringify({ rule_files: [deploy("alerts.yaml")], evaluation_interval: "1m", tests }));
  return promtool("test", "rules", file);
}

test("each alert fires in its trouble, alone, and none in good days", { timeout: 120_000 }, (context) => {
  skipWithout(context, "promtool", "prometheus");
  expect(promtool("check", "rules", deploy("alerts.yaml"))).toMatchObject({ status: 0 });
  expect(Object.keys(troubles).sort()).toEqual([...alerts].sort());
  const minutes = [30, 1100, 2900];
  const days = minutes.map((minute) => ({ series: {}, minute, fires: null }));
  const each = Object.entries(troubles).map(([fires, { series, minute }]) => ({ series, minute, fires }));
  // another installation is well
  const beside = (labels: string) =>
    labels.replaceAll(`instance="a",job="sopwright"`, `instance="b",job="sopwright-b"`);
  const neighbor = Object.fromEntries(Object.entries(well).map(([name, values]) => [beside(name), values]));
  const alone = each.map((one) => ({ ...one, series: { ...neighbor, ...one.series } }));
  const down = { [`up{instance="b",job="sopwright-b"}`]: "0x60" };
  const others = [...alone, { series: { ...neighbor, ...down }, minute: 3, fires: "SopwrightDown" }];
  expect(firing([...days, ...each, ...others])).toEqual({
    status: 0,
    output: expect.stringContaining("SUCCESS") as string,
  });
  done("alerts.yaml", "checked", "promtool");
});

test("promtool notices an alert that doesn't fire", (context) => {
  skipWithout(context, "promtool", "prometheus");
  expect(firing([{ series: {}, minute: 30, fires: "SopwrightDisk" }]).status).toBe(1);
});

interface Answer {
  status: string;
  data: { result: unknown[] };
}

test(
  "Prometheus reads a server, and each panel of the dashboard shows something",
  { timeout: 180_000 },
  async (context) => {
    skipWithout(context, "prometheus");
    const token = "a-token-of-the-operator";
    let server: TestServer | undefined;
    let prometheus: Program | undefined;
    try {
      const env = { METRICS_TOKEN: token, BACKUP_DIR: path.join(folder, "backups") };
      // backups have the time of this machine
      server = await startServer("sqlite", { start: new Date().toISOString(), env });
      await server.company();
      await server.restart();
      const port = await freePort();
      // the lines of docs/operations.md
      const [, lines = ""] = /```yaml\n(scrape_configs:\n[\s\S]*?)```/.exec(read("../docs/operations.md")) ?? [];
      const config = lines.replace("<METRICS_TOKEN>", token).replace("sops.example.com", new URL(server.url).host);
      const file = path.join(folder, "prometheus.yml");
      const rules = `rule_files: ["${deploy("alerts.yaml")}"]\n`;
      writeFileSync(file, `global: { scrape_interval: 500ms, scrape_timeout: 500ms }\n${rules}${config}`);
      const own = [`--storage.tsdb.path=${folder}/data`, `--web.listen-address=127.0.0.1:${port}`];
      prometheus = run("prometheus", [`--config.file=${file}`, ...own, "--log.level=warn"]);
      const ask = async (query: string) => {
        const address = `/api/v1/query?query=${encodeURIComponent(query)}`;
        return (await exchange(`http://127.0.0.1:${port}`, { path: address })).json() as Answer;
      };
      const { panels } = JSON.parse(read("grafana-dashboard.json")) as { panels: { targets: { expr: string }[] }[] };
      const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr.replaceAll("$instance", ".*")));
      expect(queries.length).toBeGreaterThan(15);
      for (const query of queries) {
        await expect
          .poll(
            async () => {
              await server?.send({ path: "/api/sops" });
              const { status, data } = await ask(query);
              return [query, status, data.result.length > 0];
            },
            { timeout: 60_000 },
          )
          .toEqual([query, "success", true]);
      }
      expect(await ask(`count(ALERTS{alertstate="firing"}) or vector(0)`)).toMatchObject({
        data: { result: [{ value: [expect.any(Number), "0"] }] },
      });
      done("grafana-dashboard.json", "checked", "prometheus");
      done("alerts.yaml", "started", "prometheus");
    } finally {
      await prometheus?.stop();
      await server?.stop();
    }
  },
);
