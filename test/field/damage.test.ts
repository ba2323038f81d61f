/**
 * Tests that a damaged file costs only itself. Each round damages one place of a small company, serves the rest, checks and backs
 * it up. `bench field:damage` runs all rounds.
 */
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fixedClock } from "#core/clock.ts";
import { checkDataPart, parts } from "../../server/admin/verify-parts.ts";
import { makeBackup } from "../../server/backup/make.ts";
import { restoreInto } from "../restored-backup.ts";
import { readConfig, type Config } from "../../server/config.ts";
import { declarations } from "../../server/database/documents.ts";
import { damagedDocumentText } from "../../server/database/port.ts";
import type { Services } from "../../server/http/services.ts";
import { openDatabaseForReading } from "../../server/open-for-reading.ts";
import { serveRequests } from "../../server/serve.ts";
import { explainFailure } from "../../server/start-failure.ts";
import { seeded, type Random } from "../audit-tamper.ts";
import { damageDocument } from "../damage.ts";
import { count, recordFigure } from "../proof.ts";
import { startServer } from "../server.ts";
import { editAnswer } from "../ai-answers.ts";
import { startFakeProvider, type FakeProvider } from "../fake-provider.ts";
import { makeCompany, type Made } from "./damaged-company.ts";
import { useCompany } from "./use-company.ts";

const rounds = count({ usual: 14, proof: 100 });
const seed = 20_261_129;
const start = "2026-06-01T08:00:00.000Z";
/** A minute after the company was made. */
const clock = fixedClock("2026-06-01T08:01:00.000Z");
const root = mkdtempSync(path.join(tmpdir(), "sopwright-damage-"));
afterAll(async () => {
  await provider.stop();
  rmSync(root, { recursive: true, force: true });
});

const whole = path.join(root, "whole");
const key = "sk-global-Zq3vXw8LpR5tNc7mKd2y";
let provider: FakeProvider;
let made: Made;
interface DamagedRow {
  collection: string;
  id: string;
  /** Names the documents of a collection that have the same owner and whose ids begin alike. */
  kind: string;
  first: string;
  sopId: string | null;
  idle: boolean;
}
let rows: DamagedRow[] = [];

const ai = () => ({ OPENAI_API_KEY: key, OPENAI_MODEL: "small", OPENAI_BASE_URL: provider.url });

const configOf = (dataDir: string): Config =>
  readConfig({
    PORT: "0",
    DATA_DIR: dataDir,
    LOG_LEVEL: "warn",
    PASSWORD_BLOCKLIST: "off",
    REQUESTS_PER_MINUTE: "1000000",
    MIRROR_HOSTS: "http://127.0.0.1:9",
    ...ai(),
  });

beforeAll(async () => {
  provider = await startFakeProvider(key);
  provider.answerChat = () => editAnswer("b1", "Close the valve now.");
  const server = await startServer("sqlite", { env: ai(), start });
  made = await makeCompany(server);
  await server.running.stop();
  cpSync(server.dataDir, whole, { recursive: true });
  const database = new DatabaseSync(path.join(whole, "sopwright.db"));
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%doc TEXT NOT NULL%'")
    .all() as { name: string }[];
  rows = tables.flatMap(({ name }) =>
    (database.prepare(`SELECT _id, doc FROM "${name}"`).all() as { _id: string; doc: string }[])
      .filter(({ doc }) => !doc.includes(made.neighbor.companyId))
      .map(({ _id, doc }) => {
        const { sopId = null } = JSON.parse(doc) as { sopId?: string };
        const owner = doc.includes(made.companyId) ? "of a company" : "of the installation";
        return {
          collection: name,
          id: _id,
          kind: `${name} ${/^[a-z-]+(?=:)/.exec(_id)?.[0] ?? ""} ${owner}`,
          first: doc.slice(0, 120),
          sopId: name === "sops" ? _id : sopId,
          // strangers' failures before their network was known, and work that is done
          idle: _id.startsWith("failed-") || (name === "outbox" && doc.includes('"state":"done"')),
        };
      }),
  );
  database.close();
  rmSync(server.dataDir, { recursive: true, force: true });
});

interface Damage {
  kind: string;
  what: string;
  /** Ids and hashes that may be refused. */
  hits: string[];
  /** How verify names it. */
  named: string;
  /** What one company or the start needs: the rest of it can't be served. */
  costs?: "company" | "start";
  /** The server makes it again by itself. */
  heals?: boolean;
  /** No request and no job reads it in a round. */
  idle?: boolean;
}

const pick = <T>(random: Random, list: readonly T[]): T => {
  const one = list[random(list.length)];
  if (one === undefined) throw new Error("there is nothing to damage");
  return one;
};

/** One row of each collection in turn, and between them everything else. */
function damageOf(round: number, random: Random, dataDir: string): Damage {
  const database = path.join(dataDir, "sopwright.db");
  const [gitdir = ""] = globSync(path.join(dataDir, "repositories", `${made.companyId}.git`));
  const flip = (file: string, at: number, bytes = 4) => {
    const content = readFileSync(file);
    for (let n = 0; n < bytes; n += 1) content[at + n] = (content[at + n] ?? 0) ^ 0x5a;
    writeFileSync(file, content);
  };
  const inSql = (work: (db: DatabaseSync) => void) => {
    const db = new DatabaseSync(database);
    work(db);
    db.close();
  };
  const row = (): Damage => {
    const kinds = Object.values(Object.groupBy(rows, ({ kind }) => kind)).filter((kind) => kind !== undefined);
    // fewer rounds than kinds are spread over all of them
    const at = Math.floor(Math.floor(round / 2) * Math.max(1, (2 * kinds.length) / rounds));
    const one = pick(random, kinds[at % kinds.length] ?? []);
    const { collection } = one;
    damageDocument(database, one.id, random(8), one.first);
    const costs = { companies: "company", counters: "company", migrations: "start", system: "start" } as const;
    return {
      kind: "row",
      what: `${collection} ${one.id}`,
      hits: [
        one.id,
        ...(one.sopId === null ? [] : [one.sopId]),
        ...hashesOf(one.id),
        ...imagesOf(one.id),
        ...alsoOf(one),
      ],
      named: damagedDocumentText(collection, one.id),
      ...(collection in costs && { costs: costs[collection as keyof typeof costs] }),
      idle: one.idle,
    };
  };
  const others: (() => Damage)[] = [
    () => {
      const { sha256 } = pick(random, made.images);
      inSql((db) => {
        db.prepare("UPDATE assets SET bytes = zeroblob(length(bytes)) WHERE doc->>'$.sha256' = ?").run(sha256);
      });
      const named = `file ${sha256} of company ${made.companyId}: its bytes don't match its hash`;
      return { kind: "asset", what: sha256, hits: [sha256], named };
    },
    () => {
      const { id, versions } = pick(random, made.sops);
      const version = random(versions) + 1;
      inSql((db) => {
        const sql =
          "UPDATE sop_versions SET doc = json_set(doc, '$.markdown', ?) WHERE doc->>'$.sopId' = ? AND doc->>'$.version' = ?";
        db.prepare(sql).run("# Steps\n\n1. Lock at it.\n", id, version);
      });
      return {
        kind: "version text",
        what: id,
        hits: [id],
        named: `version ${version} of SOP ${id}: its text doesn't match its hash`,
      };
    },
    () => {
      const [pack] = packs(gitdir, "pack");
      if (pack) flip(pack, Math.floor(readFileSync(pack).length / 2));
      else writeFileSync(path.join(gitdir, "refs/heads/main"), "rotten\n");
      return { kind: "pack", what: pack ?? "ref", hits: [], named: made.slug, heals: true };
    },
    () => {
      const [index] = packs(gitdir, "idx");
      if (index) flip(index, Math.floor(readFileSync(index).length / 2), 64);
      else rmSync(path.join(gitdir, "HEAD"));
      return { kind: "index", what: index ?? "HEAD", hits: [], named: made.slug, heals: true };
    },
    () => {
      for (const name of ["main", "history"])
        writeFileSync(path.join(gitdir, "refs/heads", name), `${"0".repeat(39)}1\n`);
      return { kind: "refs", what: "heads", hits: [], named: made.slug, heals: true };
    },
    () => {
      const file = path.join(dataDir, "search", `${made.companyId}.db`);
      if (existsSync(file)) writeFileSync(file, "this is no index");
      return { kind: "search index", what: file, hits: [], named: "", heals: true };
    },
    () => {
      rmSync(gitdir, { recursive: true });
      inSql((db) => {
        db.prepare(
          "UPDATE repo_events SET doc = json_set(doc, '$.authorName', 'Mallory') WHERE doc->>'$.seq' = 2",
        ).run();
      });
      return { kind: "altered event, lost repository", what: "event 2", hits: [], named: "event 2" };
    },
    () => {
      const event = pick(
        random,
        rows.filter(({ collection }) => collection === "repo_events"),
      );
      rmSync(gitdir, { recursive: true });
      damageDocument(database, event.id, random(8));
      return {
        kind: "event, lost repository",
        what: event.id,
        hits: [],
        named: damagedDocumentText("repo_events", event.id),
      };
    },
  ];
  return round % 2 === 0 ? row() : (others[Math.floor(round / 2) % others.length] ?? row)();
}

function packs(gitdir: string, ending: string): string[] {
  return globSync(path.join(gitdir, `objects/pack/*.${ending}`));
}

const figures = { served: 0, metAtOnce: 0, verified: 0, restored: 0, healed: 0, companies: 0, starts: 0 };

test("each collection of the embedded engine has a row to damage", () => {
  const used = new Set(rows.map(({ collection }) => collection));
  // MongoDB's alone
  const others = ["leases", "snapshots", "snapshot_parts"];
  expect(Object.keys(declarations).filter((name) => !used.has(name))).toEqual(expect.arrayContaining(others));
  expect(Object.keys(declarations).filter((name) => !used.has(name) && !others.includes(name))).toEqual([]);
});

describe("one damaged place", () => {
  test.each(Array.from({ length: rounds }, (_, round) => round))(
    "round %s: is named, and the rest is served",
    async (round) => {
      const dataDir = path.join(root, `round-${round}`);
      cpSync(whole, dataDir, { recursive: true });
      const damage = damageOf(round, seeded(seed + round), dataDir);
      const about = `${damage.kind} ${damage.what}`;
      const config = configOf(dataDir);

      const lines: string[] = [];
      const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
      const server = await serveRequests({ config, log, clock }).catch((error: unknown) => {
        // one line that names it, and no stack
        expect([about, damage.costs, explainFailure(error)?.exit]).toEqual([about, "start", 5]);
        expect([about, explainFailure(error)?.message]).toEqual([about, expect.stringContaining(damage.named)]);
        return null;
      });
      if (server === null) figures.starts += 1;
      else {
        const served = await useCompany(server.url, made, new Set(damage.hits));
        await server.deadlines.run();
        await server.sequencer.run();
        const { damage: met } = server.services;
        const known = [...(await met.lines()), ...lines];
        const readiness = (await (await fetch(`${server.url}/readyz`)).json()) as {
          ready: boolean;
          warnings?: string[];
        };
        // git couldn't read it, and it is made again
        const isMaking = known.some((line) => line.includes(`repository of company ${made.companyId}`));
        const { repositories } = server.services;
        if (isMaking) await expect.poll(async () => (await repositories.verify(made.companyId)).ok).toBe(true);
        const waiting = await pendingOf(server.services, made.neighbor.companyId);
        await server.stop();
        const isMet = known.some((line) =>
          damage.heals ? line.includes(made.companyId) && /damage/i.test(line) : line.includes(damage.named),
        );
        expect([about, waiting]).toEqual([about, 0]);
        const isCompany = damage.costs === "company";
        const refused = served.refused.filter((what) => !isCompany || what.startsWith("neighbor"));
        expect([about, refused]).toEqual([about, []]);
        if (isCompany) figures.companies += 1;
        else figures.served += 1;
        expect([about, readiness.ready]).toEqual([about, true]);
        if (!damage.heals && !damage.idle)
          expect([about, readiness.warnings]).toEqual([
            about,
            expect.arrayContaining(["stored data is damaged: run sop admin verify"]),
          ]);
        expect([about, isMet]).toEqual([about, !damage.idle]);
      }
      figures.metAtOnce += 1;

      const findings = await verified(config).catch((error: unknown) => [String(explainFailure(error)?.message)]);
      // damage that git reads over stays until a check
      if (damage.heals && findings.length === 0) {
        figures.healed += 1;
      } else {
        expect([about, findings]).toEqual([about, expect.arrayContaining([expect.stringContaining(damage.named)])]);
        figures.verified += 1;
      }
      const target = path.join(root, `round-${round}.ndjson.gz`);
      const { missing } = await makeBackup({ config, clock, target, passphrase: null });
      const isStored = ["row", "asset", "version text"].includes(damage.kind);
      const isSaved = !/^(?:sessions|presences|leases|idempotency|limiters) /.test(damage.what);
      if (isStored && isSaved) expect([about, missing]).toEqual([about, expect.arrayContaining([damage.named])]);
      const restored = configOf(path.join(root, `restored-${round}`));
      mkdirSync(restored.dataDir, { mode: 0o700 });
      cpSync(path.join(dataDir, "keys"), path.join(restored.dataDir, "keys"));
      await restoreInto(restored, target, null);
      const db = await openDatabaseForReading(restored);
      const report = await checkDataPart("backup", { config: restored, db, options: { backup: target } });
      await db.close();
      // a restore makes the record of a company again, and notes that its settings are lost
      const again = damage.costs === "company" ? /^(?:companies|counters|system) differs: / : null;
      expect([about, report.findings.filter((line) => !again?.test(line))]).toEqual([about, []]);
      // what the backup lacked is a known loss; what was altered stays damage
      if (missing.length > 0 && damage.costs === undefined) {
        const altered = missing.filter((line) => line.endsWith(" match its hash"));
        const things = altered.map((line) => / of SOP [^:]+|file \S+/.exec(line)?.[0] ?? line);
        const found = await verified(restored);
        const rest = found.filter((line) => !things.some((thing) => line.includes(thing)));
        expect([about, rest, altered.filter((line) => !found.includes(line))]).toEqual([about, [], []]);
      }
      figures.restored += 1;
      for (const one of [dataDir, restored.dataDir, target]) rmSync(one, { recursive: true, force: true });
    },
  );

  afterAll(() => {
    const goals = [
      ["served without loss", figures.served, rounds - figures.companies - figures.starts],
      ["named within its first use", figures.metAtOnce, rounds],
      ["named by verify, or healed", figures.verified + figures.healed, rounds],
      ["backed up and restored equal", figures.restored, rounds],
    ] as const;
    for (const [name, value, of] of goals)
      recordFigure({ name: `damage: ${name}`, value, unit: `of ${of}`, goal: `= ${of}` });
    recordFigure({ name: "damage: costs its company", value: figures.companies, unit: "rounds", goal: "shown" });
    recordFigure({ name: "damage: costs the start", value: figures.starts, unit: "rounds", goal: "shown" });
  });
});

/** What asks for exactly this document, and is refused. */
function alsoOf({ collection, id }: (typeof rows)[number]): string[] {
  const whole: Record<string, string> = {
    idempotency: "a repeated request",
    mirrors: "a mirror",
    sop_sources: "an import",
    reserved_numbers: "an import",
  };
  // `user:<id>`
  if (collection === "ai_meters") return [id.slice(id.indexOf(":") + 1)];
  const known = whole[collection];
  return known === undefined ? [] : [known];
}

function imagesOf(sopId: string): string[] {
  const at = made.sops.findIndex(({ id }) => id === sopId);
  return (at < 0 ? [] : made.images.slice(at, at + 1)).map(({ sha256 }) => sha256);
}

/** Hashes of the files whose document this is. */
function hashesOf(id: string): string[] {
  const database = new DatabaseSync(path.join(whole, "sopwright.db"), { readOnly: true });
  const found = database.prepare("SELECT doc->>'$.sha256' AS sha256 FROM assets WHERE _id = ?").get(id);
  database.close();
  return found ? [String(found["sha256"])] : [];
}

/** Entries of the audit log that aren't chained. */
function pendingOf({ db }: Pick<Services, "db">, companyId: string): Promise<number> {
  return db.forCompany(companyId).collection("audit_logs").countDocuments({ pending: true });
}

/** As `sop admin verify` does. */
async function verified(config: Config): Promise<string[]> {
  const damaged: string[] = [];
  const onDamage = (collection: string, id: string) => void damaged.push(damagedDocumentText(collection, id));
  const db = await openDatabaseForReading(config, { onDamage });
  try {
    const findings: string[] = [];
    for (const part of parts)
      findings.push(...(await checkDataPart(part, { config, db, options: {}, damaged })).findings);
    return findings;
  } finally {
    await db.close();
  }
}
