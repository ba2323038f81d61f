import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pino from "pino";
import { afterAll, expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { migrations, latestSchema } from "./database/migration-list.ts";
import { migrationRecordCollection } from "./database/migrations.ts";
import { openServices } from "./services.ts";

const dir = mkdtempSync(path.join(tmpdir(), "sopwright-services-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const config = readConfig({ DATA_DIR: dir });
const lines: Record<string, unknown>[] = [];
const log = pino(
  { base: null },
  { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]) },
);
const migrated = () => lines.splice(0).filter(({ msg }) => msg === "brought stored data up to date");

test("the log says what a start changed in the data of an earlier version", async () => {
  const { db, close } = await openServices({ config, log });
  expect(migrated()).toEqual([]);
  for (const version of [1, 2]) {
    const document = { _id: `v${version}`, companyId: "one", sopId: "s", version, markdown: "Text.\n" };
    await db.collection("sop_versions").insertOne({ ...document, ...(version === 1 && { textMarks: ["h"] }) } as never);
  }
  await migrationRecordCollection(db).deleteMany({ number: { $gte: 19 } });
  await close();

  const later = await openServices({ config, log });
  const [line, ...others] = migrated();
  expect(line).toMatchObject({ level: 30, number: 19, name: migrations[1]?.name, documents: 1 });
  expect(line?.["ms"]).toBeTypeOf("number");
  expect(others).toHaveLength(latestSchema - 19);
  await later.close();

  const again = await openServices({ config, log });
  expect(migrated()).toEqual([]);
  await again.close();
});
