/** What `sop admin status` prints of an answer. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ServerStatus } from "#core/status/schema.ts";
import { createMetrics } from "../status/metrics.ts";
import { statusCommand } from "./status.ts";

const outbox = { pending: 0, oldestSeconds: null, failed: 0 };
const away: ServerStatus = {
  version: "1.2.3",
  engine: "mongodb",
  at: "2026-06-09T10:00:00.000Z",
  uptimeSeconds: 9_000,
  memoryBytes: 210_000_000,
  parts: [
    { part: "database", state: "problem", text: "the database does not answer" },
    { part: "emails", state: "unknown", text: "unknown while the database does not answer" },
  ],
  damage: [],
  mirrors: [],
  queues: [],
  database: { running: 0, waiting: 0 },
  jobs: [],
  emails: outbox,
  work: outbox,
  repositories: { pending: 0, oldestSeconds: null },
  search: { open: 0, behind: 0 },
  backup: null,
  diskFree: 0.5,
  companies: 0,
  users: 0,
  sops: 0,
  assetBytes: 0,
};

let answer = away;
const server = createServer((_, response) => response.end(JSON.stringify(answer)));
beforeAll(() => new Promise<void>((done) => server.listen(0, "127.0.0.1", done)));
afterAll(() => void server.close());

async function printed(given: ServerStatus): Promise<string> {
  answer = given;
  let text = "";
  const { port } = server.address() as AddressInfo;
  const output = { data: (shown: string) => void (text = shown), say: () => undefined, failed: () => undefined };
  await statusCommand({ server: `http://127.0.0.1:${port}` }, output);
  return text;
}

test("what the database would have to count is unknown while it is away, and is no metric", async () => {
  const shown = await printed(away);
  for (const name of ["stored", "emails", "commits", "last backup"])
    expect(shown).toMatch(new RegExp(`^${name.padEnd(14)} unknown$`, "m"));
  const text = await createMetrics(async () => away).text();
  expect(text).not.toMatch(/^sopwright_(companies|users|sops|asset_bytes|outbox_\w+|repository_\w+)[ {]/m);
  const known = { ...away, parts: [], companies: 2 };
  expect(await createMetrics(async () => known).text()).toMatch(/^sopwright_companies 2$/m);
});

test("a backup with a date in the future has no age", async () => {
  const backup = {
    at: "2026-06-11T09:59:34.000Z",
    ageSeconds: -172_774,
    bytes: 5e6,
    seconds: 1,
    hasKeys: true,
    damaged: 0,
  };
  const given: ServerStatus = { ...away, parts: [], backup };
  expect(await printed(given)).toContain(`last backup    its date lies in the future: ${backup.at}, 5.0 MB`);
  expect(await createMetrics(async () => given).text()).not.toMatch(/^sopwright_backup_age_seconds /m);
});

test("mirrors that need someone are named", async () => {
  const mirrors: ServerStatus["mirrors"] = [{ company: "brewery", state: "failing", problem: "The token is refused" }];
  expect(await printed({ ...away, mirrors })).toContain("mirror of brewery: fails: The token is refused\n");
});
