import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createExportVerifier } from "#core/audit/export-file.ts";
import { describeServer } from "../../test/server.ts";
import { sha256, verifySignature } from "../../test/audit-tamper.ts";
import { chainPendingRows } from "./chain.ts";
import { recordAudits } from "./record.ts";
import { redactRows, chainAndFindRowNumbersOfUser } from "./redact.ts";
import { verifyCompanyAudit } from "./verify-company.ts";

const origin = { requestId: "operator", ipAddress: null, userAgent: "test" };

describeServer("erasing audit entries", (server) => {
  async function madeLog() {
    const { id: companyId, user } = await server().company();
    const boss = await user("company_admin");
    const entries = Array.from({ length: 6 }, (_, n) => ({
      companyId,
      userId: n % 2 === 0 ? boss.id : null,
      userName: `Person ${n}`,
      action: "test.entry",
      entityType: "user",
      entityId: n === 5 ? boss.id : randomUUID(),
      changes: { phone: { from: null, to: `555-000${n}` } },
      at: server().clock.now(),
      origin: { requestId: randomUUID(), ipAddress: "10.9.8.7", userAgent: "Browser of a person" },
    }));
    await recordAudits(server().db, entries);
    await chainPendingRows(server().db, companyId, 100);
    const company = await server().db.collection("companies").findOne({ _id: companyId });
    if (!company) throw new Error("the company is gone");
    const { keys } = server().running.services;
    const verified = () => verifyCompanyAudit(server().db, company, { keys: keys.verifyKeys() });
    const logs = server().db.forCompany(companyId).collection("audit_logs");
    const redact = (rows: number[]) =>
      redactRows(server().db, { companyId, rows, reason: "asked for", at: server().clock.now(), origin });
    return { companyId, boss, verified, logs, redact };
  }

  test("leaves a valid chain, rows that record the erasure, and none of the erased text", async () => {
    const { companyId, boss, verified, logs, redact } = await madeLog();
    expect(await redact([2, 3, 2])).toEqual([2, 3]);
    const report = await verified();
    expect(report).toMatchObject({ ok: true, findings: [], seq: 8 });
    expect(report.notes.filter(({ verdict }) => verdict === "REDACTED").map(({ seq }) => seq)).toEqual([2, 3]);
    const [row] = await logs.find({ seq: 2 });
    expect(row).toMatchObject({
      userName: null,
      changes: null,
      ipAddress: null,
      userAgent: null,
      action: "test.entry",
    });
    expect(JSON.stringify(await logs.find({}))).not.toMatch(/555-000[12]|Person [12]/);
    const { data } = await boss.client.audit.list({ query: { action: "audit.redacted" } });
    expect(data.map(({ changes }) => changes)).toEqual([
      { seq: 3, reason: "asked for" },
      { seq: 2, reason: "asked for" },
    ]);
    // a second time is nothing to do
    expect(await redact([2])).toEqual([]);
    expect((await verified()).seq).toBe(8);
    const answer = await boss.send({ path: "/api/company/audit/export?format=ndjson" });
    const trusted = [server().running.services.keys.signing().publicKeyPem];
    const verifier = createExportVerifier({ sha256, verifySignature, trusted });
    for (const line of answer.body.trimEnd().split("\n")) verifier.line(line);
    expect(verifier.finish()).toMatchObject({ ok: true, companyId, notes: [{ seq: 2 }, { seq: 3 }] });
  });

  test("doesn't allow other text in their place", async () => {
    const { verified, logs, redact } = await madeLog();
    await redact([2]);
    await logs.updateOne({ seq: 2 }, { $set: { userName: "Somebody else" } });
    expect(await verified()).toMatchObject({ ok: false, findings: [{ verdict: "PAYLOAD_MISMATCH", seq: 2 }] });
    await logs.updateOne({ seq: 2 }, { $set: { userName: null } });
    expect(await verified()).toMatchObject({ ok: true });
    await logs.updateOne(
      { seq: 4 },
      { $set: { userName: null, changes: null, ipAddress: null, userAgent: null }, $unset: { salt: "" } },
    );
    expect(await verified()).toMatchObject({ ok: false, findings: [{ verdict: "PAYLOAD_MISMATCH", seq: 4 }] });
  });

  test("is all or nothing: missing rows and records of an erasure are refused", async () => {
    const { verified, redact } = await madeLog();
    await expect(redact([1, 99])).rejects.toMatchObject({ code: "not_found" });
    expect((await verified()).notes.filter(({ verdict }) => verdict === "REDACTED")).toEqual([]);
    await redact([1]);
    await expect(redact([2, 7])).rejects.toMatchObject({ code: "conflict" });
    expect((await verified()).seq).toBe(7);
  });

  test("of a user covers rows by and about that user", async () => {
    const { companyId, boss } = await madeLog();
    expect(await chainAndFindRowNumbersOfUser(server().db, companyId, boss.id)).toEqual([1, 3, 5, 6]);
  });
});
