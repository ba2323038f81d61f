/** The root page of a table is damaged: nothing in it can be read. An answer says so, and never shows an empty list. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { startServer } from "./server.ts";

function loseTable(file: string, name: string): void {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const size = Number(database.prepare("PRAGMA page_size").get()?.["page_size"]);
  const root = Number(database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").get(name)?.["rootpage"]);
  database.close();
  const bytes = readFileSync(file);
  bytes.fill(0, (root - 1) * size, root * size);
  writeFileSync(file, bytes);
}

/** The answers to a list, a search, one SOP, a save and a new SOP. */
const tables: [name: string, list: number, search: number, get: number, save: number, create: number][] = [
  ["audit_logs", 200, 200, 200, 500, 500],
  ["events", 200, 200, 200, 500, 500],
  ["repo_events", 200, 500, 200, 500, 500],
  ["sessions", 500, 500, 500, 500, 500],
  ["sop_versions", 200, 500, 500, 500, 500],
  ["sops", 500, 500, 500, 500, 500],
];

test.each(tables)(
  "without the table %s, what needs it is refused as damaged, each time",
  async (name, ...expected) => {
    const server = await startServer("sqlite");
    try {
      const user = await (await server.company()).user("manager");
      const valve = { title: "Valve", description: "D", markdown: "Open it.\n" };
      const { id } = await user.client.sops.create({ body: valve });
      await server.restart(() => loseTable(path.join(server.dataDir, "sopwright.db"), name));
      const headers = { "content-type": "application/json" };
      const ask = (request: Parameters<typeof user.send>[0]) => user.send({ headers, ...request });
      const search = () => ask({ path: "/api/search?q=valve" });
      // an index that is being made answers 503
      await expect.poll(async () => (await search()).status, { timeout: 60_000 }).not.toBe(503);
      for (let round = 0; round < 2; round++) {
        const answers = [
          await ask({ path: "/api/sops" }),
          await search(),
          await ask({ path: `/api/sops/${id}` }),
          await ask({ method: "PUT", path: `/api/sops/${id}`, body: JSON.stringify({ title: "Valve 2" }) }),
          await ask({ method: "POST", path: "/api/sops", body: JSON.stringify({ ...valve, title: "Pump" }) }),
        ];
        expect(answers.map(({ status }) => status)).toEqual(expected);
        for (const { status, body } of answers)
          expect(body).toContain(status === 500 ? `"code":"damaged"` : `"title":`);
      }
      const ready = (await server.send({ path: "/readyz" })).json() as { parts: object; warnings: string[] };
      expect(ready.parts).toMatchObject({ database: "warning" });
      expect(ready.warnings).toContain("a whole table of the database can't be read: restore the last backup");
      expect(await server.running.services.damage.lines()).toContain(`the collection ${name}: it can't be read`);
    } finally {
      await server.stop();
    }
  },
  120_000,
);
