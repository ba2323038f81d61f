import { appendFile, mkdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { describeServer } from "../../test/server.ts";
import { checkpointFilePath } from "./checkpoints.ts";
import { loadLastVerification, readCheckpoints, verifyDueLogs } from "./verify-daily.ts";

const dayMs = 24 * 3_600_000;

describeServer("the daily verification", (server) => {
  const due = () => {
    const { db, clock, keys, log, config } = server().running.services;
    return verifyDueLogs({ db, clock, log, keys, config });
  };

  test("checks the logs of suspended and deleted companies too", async () => {
    const [suspended, deleted] = [await server().company(), await server().company()];
    await suspended.set({ status: "suspended" });
    await deleted.set({ status: "deleted" });
    await due();
    for (const { id } of [suspended, deleted]) {
      expect(await loadLastVerification(server().db, id)).toMatchObject({ ok: true });
    }
  });

  test("is not delayed by a clock that was wrong", async () => {
    const { id } = await server().company();
    server().clock.advance(400 * dayMs);
    await due();
    server().clock.advance(-399 * dayMs);
    const now = server().clock.now();
    await due();
    expect((await loadLastVerification(server().db, id))?.at).toBe(now);
  });

  test("warns at /readyz for as long as a log is altered", async () => {
    const company = await server().company();
    const { client } = await company.user("manager");
    await client.sops.create({ body: { title: "Valve", description: "D", markdown: "Open it." } });
    const { sequencer } = server().running;
    await sequencer.run();
    // the clock moves by days, so a change of another test may look late
    const warnings = async () => {
      const { warnings: all = [] } = (await server().send({ path: "/readyz" })).json() as { warnings?: string[] };
      return all.filter((text) => !text.includes("waited for its commit"));
    };
    const logs = server().db.forCompany(company.id).collection("audit_logs");
    const [row] = await logs.find({ seq: { $gt: 0 } }, { sort: { seq: 1 }, limit: 1 });
    if (!row) throw new Error("the company has no log");
    await due();
    expect(await warnings()).toEqual([]);
    await logs.updateOne({ _id: row._id }, { $set: { action: "nothing" } });
    server().clock.advance(2 * dayMs);
    for (let n = 0; n < 2; n++) {
      await due();
      expect(await warnings()).toEqual(["stored data is damaged: run sop admin verify"]);
    }
    await logs.updateOne({ _id: row._id }, { $set: { action: row.action } });
    server().clock.advance(2 * dayMs);
    await due();
    expect(await warnings()).toEqual([]);
  });

  test("skips lines of the file that are not checkpoints", async () => {
    const file = checkpointFilePath(server().dataDir);
    await mkdir(server().dataDir, { recursive: true });
    const before = (await readCheckpoints(file)).length;
    await appendFile(file, 'null\n7\n"text"\n{"companyId": "cut');
    expect(await readCheckpoints(file)).toHaveLength(before);
    server().clock.advance(2 * dayMs);
    expect(await due()).toBeGreaterThan(0);
  });
});
