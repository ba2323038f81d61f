import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { sequenceHashesOf } from "#core/approvals/said.ts";
import { systemClock } from "#core/clock.ts";
import { describeEachEngine } from "../../test/database/each-engine.ts";
import { shapelessDeclarations, type Collections } from "../database/documents.ts";
import { migrations, latestSchema } from "../database/migration-list.ts";
import { migrationRecordCollection } from "../database/migrations.ts";
import type { EndedMigration } from "../database/port.ts";
import { openDatabase } from "../services.ts";
import { configOf, restoreInto } from "../../test/restored-backup.ts";
import { writeBackup } from "./write.ts";

const folder = mkdtempSync(path.join(tmpdir(), "sopwright-earlier-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeEachEngine<Collections>("a backup of an earlier version", shapelessDeclarations, (open, engine) => {
  test("is restored with its own schema, and the next start brings it up to date", async () => {
    const earlier = await open({ migrations: migrations.slice(0, 1) });
    const at = "2026-06-01T08:00:00.000Z";
    const version = {
      _id: "v",
      companyId: "one",
      sopId: "s",
      version: 1,
      title: "Valve",
      description: "D",
      markdown: "Close it.\n",
      frontMatter: {},
      assets: [],
      assetPlaces: [],
      contentHash: "h",
      changedBy: "u",
      changedByName: "Ada",
      changeNote: null,
      changeClass: "major",
      restores: null,
      repoSeq: 1,
      createdAt: at,
    };
    await earlier.collection("sop_versions").insertOne(version as unknown as Collections["sop_versions"]);
    const file = path.join(folder, `${engine}.ndjson.gz`);
    await writeBackup(file, {
      db: earlier,
      config: { assetStore: null, dataDir: folder },
      clock: systemClock,
      keys: null,
    });

    const config = configOf(folder, engine);
    await restoreInto(config, file, null);
    const restored = await openDatabase(config);
    expect(await migrationRecordCollection(restored).countDocuments({})).toBe(1);
    expect(await restored.collection("sop_versions").find({})).toEqual([version]);
    const ended: EndedMigration[] = [];
    await restored.prepare((migration) => ended.push(migration));
    expect(ended[0]).toMatchObject({ number: 19, documents: 1 });
    expect(ended.at(-1)?.number).toBe(latestSchema);
    expect(await restored.collection("sop_versions").find({})).toEqual([
      { ...version, textMarks: sequenceHashesOf(version.markdown) },
    ]);
    await restored.close();
  });
});
