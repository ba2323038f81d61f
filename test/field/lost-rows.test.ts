/** Each lost row is named by a check and by a backup, and is a known loss after the restore. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fixedClock } from "#core/clock.ts";
import { checkDataPart, parts } from "../../server/admin/verify-parts.ts";
import { makeCheckpoint } from "../../server/audit/checkpoints.ts";
import { makeBackup } from "../../server/backup/make.ts";
import { checkBackup } from "../../server/backup/read.ts";
import type { Config } from "../../server/config.ts";
import { openBlobs } from "../../server/blobs/open.ts";
import { declarations, type Collections } from "../../server/database/documents.ts";
import { openSqlite } from "../../server/database/sqlite/open.ts";
import { removeRecoveredLosses } from "../../server/integrity/end-losses.ts";
import { parseSignedLosses, loadStoredLosses } from "../../server/findings/known-losses.ts";
import { readKeyring } from "../../server/keys/keyring.ts";
import { openDatabaseForReading } from "../../server/open-for-reading.ts";
import { seeded, type Random } from "../audit-tamper.ts";
import { count } from "../proof.ts";
import { editAnswer } from "../ai-answers.ts";
import { startFakeProvider } from "../fake-provider.ts";
import { configOf, passphrase, restoreInto, verifyAgainst } from "../restored-backup.ts";
import { json, startServer } from "../server.ts";
import { importOf, makeCompany, type Made } from "./damaged-company.ts";

type Name = keyof Collections & string;

const clock = fixedClock("2026-06-01T08:01:00.000Z");
const root = mkdtempSync(path.join(tmpdir(), "sopwright-lost-rows-"));
const whole = path.join(root, "whole");
afterAll(() => rmSync(root, { recursive: true, force: true }));

let made: Made;
let sources: string[] = [];
beforeAll(async () => {
  const key = "sk-global-Zq3vXw8LpR5tNc7mKd2y";
  const provider = await startFakeProvider(key);
  provider.answerChat = () => editAnswer("b1", "Close the valve now.");
  const env = { OPENAI_API_KEY: key, OPENAI_MODEL: "small", OPENAI_BASE_URL: provider.url };
  const server = await startServer("sqlite", { env, start: "2026-06-01T08:00:00.000Z" });
  made = await makeCompany(server);
  const admin = server.clientWith({ cookie: made.people.at(-1)?.cookies[0] ?? "" });
  const category = await admin.categories.create({ body: { name: "Line 7", color: "primary" } });
  const { id } = await admin.sops.create({
    body: { title: "Stop line 7", description: "D", markdown: "Stop it.\n", categoryId: category.id },
  });
  await admin.sops.publish({ params: { id }, body: {} });
  await admin.sops.archive({ params: { id }, body: {} });
  const [first] = made.people;
  const imported = await server.db.forCompany(made.companyId).collection("sop_sources").find({});
  for (const { path: file, sopId: id, version } of imported) {
    const body = importOf(`${file} again`, false, { id, version });
    const headers = { ...json, cookie: first?.cookies[0] ?? "" };
    await server.send({ method: "POST", path: "/api/sops/import", headers, body });
  }
  sources = (await server.db.forCompany(made.companyId).collection("sop_sources").find({})).map(({ key }) => key);
  await server.running.sequencer.run();
  const { keys, config, db } = server.running.services;
  await makeCheckpoint({ db, clock, keys, dataDir: config.dataDir, announce: () => undefined }, made.companyId);
  await server.running.services.repositories.drain(made.companyId);
  await server.running.stop();
  cpSync(server.dataDir, whole, { recursive: true });
  rmSync(server.dataDir, { recursive: true, force: true });
  await provider.stop();
});

const copied = (name: string): Config => {
  cpSync(whole, path.join(root, name), { recursive: true });
  return configOf(root, name);
};

/** As `sop admin verify` does. */
async function verified(config: Config): Promise<string[]> {
  const db = await openDatabaseForReading(config);
  try {
    const findings: string[] = [];
    for (const part of parts) findings.push(...(await checkDataPart(part, { config, db, options: {} })).findings);
    return findings;
  } finally {
    await db.close();
  }
}

/** @param random chooses the row; absent: the first one */
function lose(config: Config, name: Name, random: Random = () => 0): string {
  const database = new DatabaseSync(path.join(config.dataDir, "sopwright.db"));
  const rows = database.prepare(`SELECT row, _id FROM "${name}" WHERE instr(doc, ?) ORDER BY row`).all(made.companyId);
  const { row = 0, _id = "" } = rows[random(rows.length)] ?? {};
  expect([name, database.prepare(`DELETE FROM "${name}" WHERE row = ?`).run(row).changes]).toEqual([name, 1]);
  database.close();
  return `${name} ${String(_id)}`;
}

/**
 * A backup names what is lost, and a restore writes it down.
 * @param use gets the restored installation
 * @returns what verify then finds
 */
async function restoredFindings(
  config: Config,
  name: string,
  use: (restored: Config) => Promise<void> = async () => undefined,
): Promise<string[]> {
  const target = path.join(root, `${name}.gz`);
  await makeBackup({ config, clock, target, passphrase });
  expect((await checkBackup(target)).missing).not.toEqual([]);
  const restored = configOf(root, `${name}-restored`);
  await restoreInto(restored, target);
  const findings = await verifyAgainst(restored, target);
  await use(restored);
  for (const one of [config, restored]) rmSync(one.dataDir, { recursive: true });
  // a restore makes records of companies again
  return findings.filter((line) => !line.startsWith("backup: "));
}

/** Does what the daily check does. @returns the losses that stay known */
async function endedLosses(config: Config): Promise<string[]> {
  const db = openSqlite<Collections>(config.dataDir, declarations);
  try {
    await removeRecoveredLosses({ db, blobs: await openBlobs(config, db), clock, keys: readKeyring(config) });
    const value = await loadStoredLosses(db);
    return value === null ? [] : (parseSignedLosses(value, readKeyring(config)) ?? []).flatMap((one) => one.findings);
  } finally {
    await db.close();
  }
}

/** Puts back the row that was lost. @returns the losses that stay known, beside sums and facts that people review */
async function lossesAfterReturn(config: Config, name: Name): Promise<string[]> {
  const [from, to] = [whole, config.dataDir].map((folder) => new DatabaseSync(path.join(folder, "sopwright.db")));
  const bytes = declarations[name].binary === undefined ? "" : ", bytes";
  const stored = from?.prepare(`SELECT _id, doc${bytes} FROM "${name}" WHERE instr(doc, ?) ORDER BY row`);
  const row = stored?.get(made.companyId) ?? {};
  const marks = Object.keys(row).map(() => "?");
  to?.prepare(`INSERT OR IGNORE INTO "${name}" (_id, doc${bytes}) VALUES (${marks.join(", ")})`).run(
    ...Object.values(row),
  );
  for (const database of [from, to]) database?.close();
  return (await endedLosses(config)).filter(
    (line) => !/ but there are \d+$|: its (?:settings|plan limits) are missing$/.test(line),
  );
}

const named = (Object.keys(declarations) as Name[]).filter((name) => declarations[name].ifLost === undefined);

describe("one lost row", () => {
  test.each(named)("of %s", async (name) => {
    const config = copied(name);
    lose(config, name);
    const findings = await verified(config);
    expect(findings).not.toEqual([]);
    const afterReturn = async (restored: Config) => expect(await lossesAfterReturn(restored, name)).toEqual([]);
    expect(await restoredFindings(config, name, afterReturn)).toEqual([]);
  });
});

test("each lost record of an imported file is named, also where its SOP has another one", async () => {
  expect(sources.filter((key) => key.startsWith("id:"))).toHaveLength(sources.length / 2);
  const config = copied("sources");
  for (const at of sources.keys()) {
    lose(config, "sop_sources");
    const lost = sources.slice(0, at + 1);
    const named = lost.map((key) => `company ${made.companyId}: the record of the imported file ${key} is missing`);
    expect(await verified(config)).toEqual(expect.arrayContaining(named));
  }
  expect(await restoredFindings(config, "sources")).toEqual([]);
});

const references = named.flatMap((name) =>
  ["sopId", "userId", "authorId", "ownerId"].map((field) => [name, field] as const),
);

describe("a row that names an unknown SOP or user", () => {
  test("is named, in each collection", async () => {
    const changed: string[] = [];
    const unnamed: string[] = [];
    for (const [name, field] of references) {
      const config = copied(`names-${name}-${field}`);
      const database = new DatabaseSync(path.join(config.dataDir, "sopwright.db"));
      const isNamed = `instr(doc, ?) AND json_extract(doc, '$.${field}') IS NOT NULL`;
      const change = `UPDATE "${name}" SET doc = json_set(doc, '$.${field}', 'no-such-id') WHERE row = (SELECT min(row) FROM "${name}" WHERE ${isNamed})`;
      const { changes } = database.prepare(change).run(made.companyId);
      database.close();
      if (Number(changes) > 0) {
        changed.push(`${name}.${field}`);
        if ((await verified(config)).length === 0) unnamed.push(`${name}.${field}`);
      }
      rmSync(config.dataDir, { recursive: true });
    }
    expect(unnamed).toEqual([]);
    expect(changed).toEqual(
      expect.arrayContaining(["sop_sources.sopId", "approval_requests.sopId", "comments.userId"]),
    );
  });
});

describe("a known loss ends", () => {
  const lossesAfter = async (lost: Name, change: string) => {
    const config = copied(`ends-${lost}`);
    lose(config, lost);
    const left: string[] = [];
    const decide = async (restored: Config) => {
      const database = new DatabaseSync(path.join(restored.dataDir, "sopwright.db"));
      expect(Number(database.prepare(change).run().changes)).toBeGreaterThan(0);
      database.close();
      left.push(...(await endedLosses(restored)));
    };
    await restoredFindings(config, `ends-${lost}`, decide);
    return left;
  };

  test("of a membership when its user leaves the team", async () => {
    expect(await lossesAfter("team_members", "UPDATE users SET doc = json_set(doc, '$.teamIds', json('[]'))")).toEqual(
      [],
    );
  });

  test("of a period until now when its SOP is archived", async () => {
    const change = "UPDATE sops SET doc = json_set(doc, '$.hasPublished', json('false'))";
    const left = await lossesAfter("published_periods", change);
    expect(left.filter((line) => line.includes("until now"))).toEqual([]);
  });

  test("of an approval request when its SOP is submitted again", async () => {
    const change = "UPDATE sops SET doc = json_set(doc, '$.requestId', NULL)";
    const left = await lossesAfter("approval_requests", change);
    expect(left.filter((line) => line.includes("under review"))).toEqual([]);
  });
});

describe("several lost rows are known after a restore", () => {
  test("of all collections at once", async () => {
    const config = copied("all");
    for (const name of named) lose(config, name);
    expect(await restoredFindings(config, "all")).toEqual([]);
  });

  test.each(Array.from({ length: count({ usual: 6, proof: 100 }) }, (_, round) => round))("round %s", async (round) => {
    const random = seeded(round + 1);
    const config = copied(`round-${round}`);
    const lost = Array.from({ length: 2 + random(4) }, () => named[random(named.length)] as Name);
    const told = [...new Set(round % 2 === 0 ? [...lost, "categories" as const, "repo_events" as const] : lost)].map(
      (name) => lose(config, name, random),
    );
    expect([told, await restoredFindings(config, `round-${round}`)]).toEqual([told, []]);
  });
});
