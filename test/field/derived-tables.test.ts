/** Each table that the embedded engine derives from documents is compared with them, named and made again. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fixedClock } from "#core/clock.ts";
import { checkDataPart } from "../../server/admin/verify-parts.ts";
import type { Config } from "../../server/config.ts";
import { declarations } from "../../server/database/documents.ts";
import { openDatabaseForReading } from "../../server/open-for-reading.ts";
import { createLog } from "../../server/services.ts";
import { serveRequests } from "../../server/serve.ts";
import { editAnswer } from "../ai-answers.ts";
import { startFakeProvider, type FakeProvider } from "../fake-provider.ts";
import { propose } from "../propose.ts";
import { configOf } from "../restored-backup.ts";
import { startServer } from "../server.ts";
import { makeCompany, type Made } from "./damaged-company.ts";
import { useCompany } from "./use-company.ts";

const root = mkdtempSync(path.join(tmpdir(), "sopwright-derived-tables-"));
const key = "sk-global-Zq3vXw8LpR5tNc7mKd2y";
const tables = Object.entries(declarations).flatMap(([name, { indexes }]) =>
  indexes.flatMap((index) => ("array" in index ? [`${name}/${index.name}`] : [])),
);
let provider: FakeProvider;
let made: Made;
let ai: Record<string, string>;

beforeAll(async () => {
  provider = await startFakeProvider(key);
  provider.answerChat = () => editAnswer("b1", "Close the valve now.");
  ai = { OPENAI_API_KEY: key, OPENAI_MODEL: "small", OPENAI_BASE_URL: provider.url };
  const server = await startServer("sqlite", { env: ai, start: "2026-06-01T08:00:00.000Z" });
  made = await makeCompany(server);
  const [first, second] = made.people;
  const author = server.clientWith({ cookie: first?.cookies[0] ?? "" });
  const markdown = `Close the valve. Wait. See [the other](/sop/${made.sops[0]?.id}).\n`;
  const { id } = await author.sops.create({ body: { title: "Look elsewhere", description: "D", markdown } });
  await author.sops.grant({ params: { id }, body: { userId: second?.id ?? "", permission: "edit" } });
  const user = { id: second?.id ?? "", companyId: made.companyId };
  await propose(server.running.services, user, { id, markdown: `${markdown}\n![A valve](${made.images[0]?.url})\n` });
  await server.running.stop();
  cpSync(server.dataDir, path.join(root, "whole"), { recursive: true });
  rmSync(server.dataDir, { recursive: true, force: true });
});
afterAll(async () => {
  await provider.stop();
  rmSync(root, { recursive: true, force: true });
});

/** As `sop admin verify` does. */
async function verified(config: Config): Promise<string[]> {
  const db = await openDatabaseForReading(config);
  try {
    return (await checkDataPart("database", { config, db, options: {} })).findings;
  } finally {
    await db.close();
  }
}

describe("each derived table", () => {
  test.each([
    ["without rows", (table: string) => `DELETE FROM "${table}"`],
    [
      "with rows of other documents",
      (table: string) =>
        `CREATE TEMP TABLE more AS SELECT * FROM "${table}"; UPDATE more SET row = row + 1; INSERT OR IGNORE INTO "${table}" SELECT * FROM more; DROP TABLE more`,
    ],
    ["with changed rows", (table: string) => `UPDATE "${table}" SET value = value || 'x'`],
  ])("%s is named and made again, and all requests are answered", async (name, change) => {
    cpSync(path.join(root, "whole"), path.join(root, name), { recursive: true });
    const config = configOf(root, name, {
      PASSWORD_BLOCKLIST: "off",
      REQUESTS_PER_MINUTE: "1000000",
      PORT: "0",
      ...ai,
    });
    const database = new DatabaseSync(path.join(config.dataDir, "sopwright.db"));
    for (const table of tables) {
      const { n } = database.prepare(`SELECT count(*) AS n FROM "${table}"`).get() ?? {};
      expect([table, Number(n)]).not.toEqual([table, 0]);
      database.exec(change(table));
    }
    if (name === "without rows") database.exec("DELETE FROM _fields");
    database.close();
    const differing = (await verified(config)).map((line) => /^the table (\S+)/.exec(line)?.[1] ?? line);
    expect(differing.filter((table) => table !== "_fields").toSorted()).toEqual(tables.toSorted());
    expect(differing.includes("_fields")).toBe(name === "without rows");

    const clock = fixedClock("2026-06-01T08:01:00.000Z");
    const server = await serveRequests({ config, log: createLog(config), clock });
    expect(await server.services.db.damage()).toEqual([]);
    const told = (await server.services.damage.lines()).map((line) => /^the table (.+): it was/.exec(line)?.[1]);
    expect(told).toEqual(expect.arrayContaining(tables));
    expect((await useCompany(server.url, made, new Set())).refused).toEqual([]);
    clock.advance(24 * 3_600_000);
    await server.services.damage.checkAgain();
    expect((await server.services.damage.lines()).filter((line) => line.startsWith("the table "))).toEqual([]);
    await server.stop();
    expect(await verified(config)).toEqual([]);
    rmSync(config.dataDir, { recursive: true });
  });
});
