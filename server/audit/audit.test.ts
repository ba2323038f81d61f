import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import type { Client } from "#core/api/client.ts";
import type { Schemas } from "#core/api/schemas.ts";
import { createExportVerifier } from "#core/audit/export-file.ts";
import { describeServer, type Company, type Engine, type TestServer, type TestUser } from "../../test/server.ts";
import { seeded, sha256, verifySignature } from "../../test/audit-tamper.ts";
import type { AuditDocument, CompanyDocument } from "../database/documents.ts";
import type { Update } from "../database/port.ts";
import { createLeases } from "../jobs/leases.ts";
import { createJobWatch } from "../jobs/overdue.ts";
import { chainPendingRows } from "./chain.ts";
import { checkpointFilePath } from "./checkpoints.ts";
import { recordAudit, recordAudits, type AuditEntry } from "./record.ts";
import { startSequencer, type Sequencer } from "./sequencer.ts";
import { verifyCompanyAudit } from "./verify-company.ts";
import { loadLastVerification, readCheckpoints, verifyDueLogs } from "./verify-daily.ts";

const document = { title: "A", description: "B", markdown: "C\n" };

function entry(companyId: string, n: number): AuditEntry {
  return {
    companyId,
    userId: null,
    userName: `User ${n}`,
    action: "test.entry",
    entityType: "test",
    entityId: `e${n}`,
    changes: { n, text: { from: "ä", to: `${n / 3}` } },
    at: new Date(Date.UTC(2026, 5, 1) + n).toISOString(),
    origin: { requestId: randomUUID(), ipAddress: "10.0.0.1", userAgent: "test" },
  };
}

const rowsOf = (server: TestServer, companyId: string): Promise<AuditDocument[]> =>
  server.db
    .forCompany(companyId)
    .collection("audit_logs")
    .find({}, { sort: { seq: 1 } });

async function companyOf(server: TestServer, id: string): Promise<CompanyDocument> {
  const found = await server.db.collection("companies").findOne({ _id: id });
  if (!found) throw new Error("the company is gone");
  return found;
}

async function verified(server: TestServer, companyId: string) {
  const { keys } = server.running.services;
  return verifyCompanyAudit(server.db, await companyOf(server, companyId), { keys: keys.verifyKeys() });
}

/** On MongoDB the lease is the holder's from here on, until it lets go. */
async function take(server: TestServer, holder: string): Promise<void> {
  const leases = createLeases(server.db, holder);
  do await server.db.collection("leases").deleteOne({ _id: "audit" });
  while ((await leases.acquire("audit", 15_000)) === null);
}

function sequencerOf(server: TestServer, holder: string): Sequencer {
  const { db, clock, keys, log } = server.running.services;
  const leases = createLeases(db, holder);
  // the test says when it runs
  return startSequencer({
    db,
    clock,
    keys,
    leases,
    jobs: createJobWatch(log),
    dataDir: server.dataDir,
    announce: () => undefined,
    everyMs: 3_600_000,
  });
}

const said: string[] = [];

/** Twice: the first run may have begun before the last rows were written. */
async function chainNow(server: TestServer): Promise<void> {
  await server.running.sequencer.run();
  await server.running.sequencer.run();
}

function define(current: () => TestServer, engine: Engine): void {
  let company: Company;
  let boss: TestUser;

  beforeAll(async () => {
    company = await current().company();
    boss = await company.user("company_admin");
  });

  describe("its list", () => {
    let editor: TestUser;
    let sopId: string;

    beforeAll(async () => {
      editor = await company.user("editor");
      for (let n = 0; n < 5; n++) {
        sopId = (await editor.client.sops.create({ body: { ...document, title: `Number ${n}` } })).id;
        current().clock.advance(60_000);
      }
      await boss.client.sops.update({ params: { id: sopId }, body: { title: "Another" } });
    });

    async function all(client: Client<Schemas>, query: Record<string, string>) {
      const rows = [];
      let cursor: string | undefined;
      do {
        const page = await client.audit.list({ query: { limit: 2, ...query, ...(cursor ? { cursor } : {}) } });
        rows.push(...page.data);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return rows;
    }

    test("is newest first, in pages without gap or repeat, with the changes", async () => {
      const rows = await all(boss.client, {});
      const stored = await rowsOf(current(), company.id);
      expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(stored.map(({ _id }) => _id)));
      expect(rows.map(({ createdAt }) => createdAt)).toEqual(
        rows
          .map(({ createdAt }) => createdAt)
          .toSorted()
          .reverse(),
      );
      const update = rows.find(({ action, userId }) => action.startsWith("sop.") && userId === boss.id);
      expect(update).toMatchObject({ entityId: sopId, changes: { title: { from: "Number 4", to: "Another" } } });
    });

    test.each([
      [{ entityId: "sop" }, 2],
      [{ userId: "editor" }, 5],
      [{ userId: "editor", search: "Nümber 3" }, 1],
      [{ entityType: "sop" }, 6],
      [{ from: "2026-06-01T08:01:00.000Z", to: "2026-06-01T08:02:59.999Z", entityType: "sop" }, 2],
      [{ from: "2026-06-01", to: "2026-06-01", entityType: "sop" }, 6],
      [{ from: "2026-06-02" }, 0],
      [{ search: "nothing like it" }, 0],
    ])("filters by %o", async (asked, expected) => {
      const query = Object.fromEntries(
        Object.entries(asked).map(([name, value]) => [
          name,
          value === "sop" && name === "entityId" ? sopId : value === "editor" ? editor.id : value,
        ]),
      );
      const rows = await all(boss.client, query as Record<string, string>);
      expect(rows).toHaveLength(expected);
    });

    test("is for administrators; managers see their teams' SOPs", async () => {
      const foreign = await (await current().company()).user("company_admin");
      expect((await all(foreign.client, {})).filter(({ entityType }) => entityType === "sop")).toEqual([]);
      expect((await (await company.user("admin")).send({ path: "/api/company/audit" })).status).toBe(200);
      for (const role of ["editor", "reviewer", "contributor", "viewer"] as const) {
        expect([role, (await (await company.user(role)).send({ path: "/api/company/audit" })).status]).toEqual([
          role,
          403,
        ]);
      }
      const manager = await company.user("manager", { teamIds: ["team-1"] });
      expect(await all(manager.client, {})).toEqual([]);
      await current()
        .db.collection("sops")
        .updateOne({ _id: sopId }, { $set: { teamId: "team-1" } });
      const seen = await all(manager.client, {});
      expect(seen.map(({ entityId }) => entityId)).toEqual([sopId, sopId]);
    });

    test("records a system administrator who reads it from outside", async () => {
      const root = await (await current().company()).user("system_admin");
      const { data } = await root.client.audit.adminList({ query: { companyId: company.id, entityType: "sop" } });
      expect(data).toHaveLength(6);
      const [row] = await all(boss.client, { action: "audit.read_from_outside" });
      expect(row).toMatchObject({ userId: root.id, changes: { entityType: "sop" } });
      expect((await root.send({ path: `/api/admin/audit?companyId=${randomUUID()}` })).status).toBe(404);
      expect((await boss.send({ path: `/api/admin/audit?companyId=${company.id}` })).status).toBe(403);
    });
  });

  describe("the chain", () => {
    test("includes every row, late ones too, and two servers give each position once", async () => {
      const { id } = await current().company();
      const { db } = current();
      await current().running.sequencer.close();
      for (let n = 0; n < 6; n++) await recordAudit(db, entry(id, n));
      const [late] = (await db
        .forCompany(id)
        .collection("audit_logs")
        .find({}, { sort: { _id: 1 }, limit: 1 })) as [AuditDocument];
      await db.collection("audit_logs").deleteOne({ _id: late._id });
      await chainPendingRows(db, id, 3);
      await db.collection("audit_logs").insertOne(late);
      await Promise.all([chainPendingRows(db, id, 100), chainPendingRows(db, id, 100), chainPendingRows(db, id, 100)]);
      const rows = await rowsOf(current(), id);
      expect(rows.every(({ pending, seq }) => pending === undefined && seq !== undefined)).toBe(true);
      expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
      expect(rows.findIndex(({ _id }) => _id === late._id)).toBe(3);
      expect(await verified(current(), id)).toMatchObject({ ok: true, anchoredTo: 0 });
      await current().restart();
    });

    test("gets a checkpoint every 256 rows and after five minutes: stored, in the file, and logged", async () => {
      const { id } = await current().company();
      const { db, clock } = current();
      await recordAudits(
        db,
        Array.from({ length: 300 }, (_, n) => entry(id, n)),
      );
      await chainNow(current());
      const stored = () =>
        db
          .forCompany(id)
          .collection("audit_checkpoints")
          .find({}, { sort: { seq: 1 } });
      const first = await stored();
      expect(first.map(({ seq }) => seq)).toEqual([expect.any(Number)]);
      expect(first[0]?.seq).toBeGreaterThanOrEqual(256);
      await recordAudits(
        db,
        Array.from({ length: 10 }, (_, n) => entry(id, n)),
      );
      await chainNow(current());
      const { seq: last } = await chainPendingRows(db, id, 0);
      expect(await stored()).toHaveLength(1);
      clock.advance(5 * 60_000);
      await chainNow(current());
      const now = await stored();
      expect(now.map(({ seq }) => seq)).toEqual([first[0]?.seq, last]);
      const kept = (await readCheckpoints(checkpointFilePath(current().dataDir))).filter(
        ({ companyId }) => companyId === id,
      );
      expect(kept.map(({ seq }) => seq)).toEqual([first[0]?.seq, last]);
      expect(said.filter((line) => line.includes(id))).toEqual(
        kept.map((one) => `audit checkpoint ${JSON.stringify(one)}`),
      );
      expect(await verified(current(), id)).toMatchObject({ ok: true, anchoredTo: last, findings: [] });
      const [key] = await db.forCompany(id).collection("audit_logs").find({ action: "audit.key" });
      expect(key?.changes).toEqual({ publicKey: current().running.services.keys.signing().publicKeyPem });
    });

    test.skipIf(engine === "sqlite")("is extended by one server at a time, and another takes over", async () => {
      const { id } = await current().company();
      const { db } = current();
      await take(current(), "first");
      const [first, second] = [sequencerOf(current(), "first"), sequencerOf(current(), "second")];
      await recordAudit(db, entry(id, 1));
      await first.run();
      await recordAudit(db, entry(id, 2));
      await second.run();
      const waiting = () => db.forCompany(id).collection("audit_logs").countDocuments({ pending: true });
      expect(await waiting()).toBe(1);
      await first.close();
      await second.run();
      // the server itself may have been the one to take over
      await expect.poll(waiting).toBe(0);
      await second.close();
    });
  });

  test("shows all of 40 random alterations in the database at or before the last checkpoint", async () => {
    const { id } = await current().company();
    const { db, clock } = current();
    await recordAudits(
      db,
      Array.from({ length: 40 }, (_, n) => entry(id, n)),
    );
    await chainNow(current());
    clock.advance(5 * 60_000);
    await chainNow(current());
    const logs = db.forCompany(id).collection("audit_logs");
    const rows = await rowsOf(current(), id);
    const random = seeded(42);
    const edits: Update<AuditDocument>[] = [
      { $set: { action: "other.action" } },
      { $set: { userId: "somebody" } },
      { $set: { userName: "Somebody" } },
      { $set: { "changes.n": -1 } },
      { $set: { changes: null } },
      { $set: { createdAt: "2020-01-01T00:00:00.000Z" } },
      { $set: { ipAddress: "1.2.3.4" } },
      { $set: { entityId: "other" } },
      { $set: { hash: "0".repeat(64) } },
      { $set: { salt: "0".repeat(32) } },
      { $unset: { salt: "" } },
      { $unset: { salt: "" }, $set: { userName: "Somebody" } },
      { $unset: { seq: "", hash: "" } },
      { $set: { seq: 4_000 } },
    ];
    for (let round = 0; round < 40; round++) {
      const row = rows[random(rows.length)];
      if (!row) throw new Error("the log is empty");
      const edit = edits[random(edits.length + 1)];
      if (edit) await logs.updateOne({ _id: row._id }, edit);
      else await logs.deleteOne({ _id: row._id });
      const report = await verified(current(), id);
      expect([round, edit, report.ok, report.findings.length > 0]).toEqual([round, edit, false, true]);
      await logs.deleteOne({ _id: row._id });
      await logs.insertOne(row);
    }
    expect(await verified(current(), id)).toMatchObject({ ok: true });
    await logs.deleteMany({ seq: { $gt: 30 } });
    expect((await verified(current(), id)).findings.map(({ verdict }) => verdict)).toContain("TRUNCATED");
  }, 60_000);

  test("shows a row added outside it", async () => {
    const { id } = await current().company();
    const { db } = current();
    await current().running.sequencer.close();
    await recordAudits(db, [entry(id, 1), entry(id, 2)]);
    await chainPendingRows(db, id, 10);
    await recordAudit(db, entry(id, 3));
    expect(await verified(current(), id)).toMatchObject({ ok: true, rows: 2, notes: [{}, { verdict: "UNCHAINED" }] });
    const logs = db.forCompany(id).collection("audit_logs");
    const [row] = await rowsOf(current(), id);
    if (!row) throw new Error("the log is empty");
    for (const place of [{}, { seq: 0 }, { seq: -3 }]) {
      const { pending: _, seq: __, ...rest } = row;
      await logs.insertOne({ ...rest, ...place, _id: randomUUID(), action: "made.up" });
      expect([place, (await verified(current(), id)).findings]).toEqual([
        place,
        [{ verdict: "ROW_ALTERED", seq: null, message: expect.stringContaining("1 row is beside the chain") }],
      ]);
      await logs.deleteOne({ action: "made.up" });
    }
    await current().restart();
  });

  describe("its export", () => {
    test("as NDJSON can be verified offline, including the export's own entry", async () => {
      const answer = await boss.send({ path: "/api/company/audit/export?format=ndjson" });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="audit-2026-.*\.ndjson"$/);
      const lines = answer.body.trimEnd().split("\n");
      const trusted = [current().running.services.keys.signing().publicKeyPem];
      const verify = (some: readonly string[]) => {
        const verifier = createExportVerifier({ sha256, verifySignature, trusted });
        for (const line of some) verifier.line(line);
        return verifier.finish();
      };
      const report = verify(lines);
      expect(report).toMatchObject({ ok: true, findings: [], notes: [], companyId: company.id });
      expect(report.seq).toBe(report.anchoredTo);
      expect(lines.at(-1)).toContain('"audit.export"');
      expect(verify(lines.slice(0, -1)).findings).toMatchObject([{ verdict: "TRUNCATED" }]);
    });

    test("as CSV holds the filtered rows, and no formula", async () => {
      await recordAudit(current().db, {
        ...entry(company.id, 1),
        userName: "=cmd|' /C calc'!A0",
        action: "test.csv",
      });
      const answer = await boss.send({ path: "/api/company/audit/export?action=test.csv" });
      const [head, row, ...rest] = answer.body.split("\r\n");
      expect(head).toBe(
        "time,seq,user,userId,action,entityType,entityId,entityName,changes,ipAddress,userAgent,requestId,hash",
      );
      expect(row).toContain(",'=cmd|' /C calc'!A0,,test.csv,test,e1,");
      expect(rest).toEqual([""]);
      expect((await boss.send({ path: "/api/company/audit/export?format=ndjson&action=a" })).status).toBe(400);
      for (const wrong of ["0000-01-01", "2026-02-30", "1899-12-31T00:00:00Z"])
        expect((await boss.send({ path: `/api/company/audit?from=${wrong}` })).status).toBe(400);
    });

    test("is for company administrators only", async () => {
      const other = await current().company();
      for (const role of ["admin", "manager", "viewer"] as const) {
        const { status } = await (await other.user(role)).send({ path: "/api/company/audit/export" });
        expect([role, status]).toEqual([role, 403]);
      }
      const root = await (await current().company()).user("system_admin");
      const answer = await root.send({ path: `/api/admin/audit/export?companyId=${company.id}` });
      expect(answer.body).toContain("audit.export");
      const { data } = await boss.client.audit.list({ query: { action: "audit.export", userId: root.id } });
      expect(data).toHaveLength(1);
    });
  });

  test("is chained by the server within a second", async () => {
    await recordAudit(current().db, entry((await current().company()).id, 1));
    await expect.poll(() => current().db.collection("audit_logs").countDocuments({ pending: true })).toBe(0);
    expect(await readFile(checkpointFilePath(current().dataDir), "utf8")).toContain('"signature"');
  });

  test("is verified once a day, and problems are shown", async () => {
    const { db, clock, keys, log, config } = current().running.services;
    const { id } = await current().company();
    const admin = await (async () => {
      const made = await current().company();
      return { made, user: await made.user("company_admin") };
    })();
    await recordAudit(db, entry(id, 1));
    await chainPendingRows(db, id, 10);
    await verifyDueLogs({ db, clock, log, keys, config });
    expect(await loadLastVerification(db, id)).toMatchObject({ ok: true, rows: expect.any(Number) });
    expect(await verifyDueLogs({ db, clock, log, keys, config })).toBe(0);
    await chainPendingRows(db, admin.made.id, 100);
    const state = await admin.user.client.audit.state();
    expect(state).toMatchObject({ waiting: 0, checkpoint: null, key: { kid: keys.signing().kid } });
    await db
      .forCompany(id)
      .collection("audit_logs")
      .updateOne({ seq: 1 }, { $set: { action: "x" } });
    current().clock.advance(25 * 3_600_000);
    await verifyDueLogs({ db, clock, log, keys, config });
    expect(await loadLastVerification(db, id)).toMatchObject({
      ok: false,
      findings: [{ verdict: "ROW_ALTERED", seq: 1 }],
    });
  });
}

describeServer("the audit log", define, { announce: (line) => void said.push(line) });
