import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { systemClock } from "#core/clock.ts";
import { describeEachEngine } from "../../test/database/each-engine.ts";
import { declarations } from "../database/collections.ts";
import type { Collections } from "../database/documents.ts";
import { migrations } from "../database/migration-list.ts";
import { migrationRecords } from "../database/migrations.ts";
import type { EndedMigration } from "../database/port.ts";
import { openDatabase } from "../services.ts";
import { configOf, restoreInto } from "./testing.ts";
import { writeBackup } from "./write.ts";

const folder = mkdtempSync(path.join(tmpdir(), "sopwright-earlier-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeEachEngine<Collections>("a backup of an earlier version", declarations, (open, engine) => {
  test("is restored with its own schema, and the next start brings it up to date", async () => {
    const earlier = await open({ migrations: migrations.slice(0, 17) });
    const company = { _id: "one", name: "One", slug: "one", settings: {} };
    await earlier.collection("companies").insertOne(company as unknown as Collections["companies"]);
    const file = path.join(folder, `${engine}.ndjson.gz`);
    await writeBackup(file, { db: earlier, config: { assetStore: null }, clock: systemClock, keys: null });

    const config = configOf(folder, engine);
    await restoreInto(config, file, null);
    const restored = await openDatabase(config);
    expect(await migrationRecords(restored).countDocuments({})).toBe(17);
    expect(await restored.collection("companies").find({})).toEqual([company]);
    const ended: EndedMigration[] = [];
    await restored.prepare((migration) => ended.push(migration));
    expect(ended[0]).toMatchObject({ number: 18, documents: 1 });
    expect(ended.at(-1)?.number).toBe(migrations.length);
    expect(await restored.collection("companies").find({})).toMatchObject([{ settings: { readingDays: 14 } }]);
    await restored.close();
  });
});
