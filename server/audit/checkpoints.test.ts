import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { describeServer } from "../../test/server.ts";
import type { Collections } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import { rememberLostKeys } from "../keys/lost-keys.ts";
import { chainPendingRows } from "./chain.ts";
import { checkpointFilePath, makeCheckpoint } from "./checkpoints.ts";
import { recordAudit } from "./record.ts";
import { verifyCompanyAudit } from "./verify-company.ts";

describeServer("checkpoints", (server) => {
  test("stay one chain when a server that was paused signs after another took over", async () => {
    const { id: companyId } = await server().company();
    const { db, clock, keys } = server().running.services;
    const row = async () => {
      const who = { userId: null, userName: null, entityType: "test", entityId: null, origin: null };
      await recordAudit(db, { companyId, ...who, action: "test.entry", at: clock.now() });
      await chainPendingRows(db, companyId, 10);
    };
    const sign = (on: Database<Collections>) =>
      makeCheckpoint({ db: on, clock, keys, dataDir: server().dataDir, announce: () => undefined }, companyId);
    await row();
    await sign(db);
    await row();
    // pauses where it has read the last checkpoint, but not the head
    const paused: Database<Collections> = {
      ...db,
      collection: (name) => {
        const collection = db.collection(name);
        if (name !== "companies") return collection;
        return Object.assign(Object.create(collection) as typeof collection, {
          findOne: async (...asked: Parameters<typeof collection.findOne>) => {
            await sign(db);
            await row();
            return collection.findOne(...asked);
          },
        });
      },
    };
    await sign(paused);
    const stored = await db
      .forCompany(companyId)
      .collection("audit_checkpoints")
      .find({}, { sort: { seq: 1 } });
    const company = await db.collection("companies").findOne({ _id: companyId });
    if (!company) throw new Error("the company is gone");
    const outside = (await readFile(checkpointFilePath(server().dataDir), "utf8"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as (typeof stored)[number])
      .filter((one) => one.companyId === companyId);
    expect(outside.length).toBe(stored.length + 1);
    const verified = () => verifyCompanyAudit(db, company, { keys: keys.verifyKeys(), outside });
    expect(await verified()).toMatchObject({ ok: true, findings: [], notes: [] });
    await row();
    await sign(db);
    expect(await verified()).toMatchObject({ ok: true, findings: [] });
  });

  test("of a key that is lost prove nothing, and are no fault", async () => {
    const { id: companyId } = await server().company();
    const { db, clock, keys } = server().running.services;
    const who = { userId: null, userName: null, entityType: "test", entityId: null, origin: null };
    await recordAudit(db, { companyId, ...who, action: "test.entry", at: clock.now() });
    await chainPendingRows(db, companyId, 10);
    await makeCheckpoint({ db, clock, keys, dataDir: server().dataDir, announce: () => undefined }, companyId);
    const company = await db.collection("companies").findOne({ _id: companyId });
    if (!company) throw new Error("the company is gone");
    expect(await verifyCompanyAudit(db, company, { keys: [] })).toMatchObject({
      ok: false,
      findings: [{ verdict: "BAD_SIGNATURE" }],
    });
    const { kid } = keys.signing();
    await rememberLostKeys(db, [kid], clock.now());
    expect(await verifyCompanyAudit(db, company, { keys: [] })).toMatchObject({
      ok: true,
      findings: [],
      anchoredTo: 0,
      notes: [
        { message: expect.stringContaining(`the checkpoints of key ${kid}, up to row `) as unknown },
        { verdict: "NOT_ANCHORED" },
      ],
    });
    // found again, it proves as before
    const again = await verifyCompanyAudit(db, company, { keys: keys.verifyKeys() });
    expect(again.anchoredTo).toBeGreaterThan(0);
  });
});
