import { expect, test } from "vitest";
import { describeServer, type TestUser } from "../../test/server.ts";
import { checkShares } from "./daily.ts";
import { checkKeys } from "./keys.ts";
import { checkLedger } from "./ledger.ts";
import { checkAll } from "./report.ts";
import { checkAssets, checkSops, checkVersions } from "./stored.ts";

const png = (text: string) => Buffer.from(`\u0089PNG\r\n\u001a\n${text}`, "latin1");

describeServer("what is stored", (server) => {
  const store = async (user: TestUser, body: Buffer) => {
    const headers = { "content-type": "image/png" };
    const answer = await user.send({ method: "POST", path: "/api/assets", headers, body });
    return (answer.json() as { sha256: string }).sha256;
  };
  const written = async () => {
    const user = await (await server().company()).user("manager");
    const body = { title: "Valve", description: "D", markdown: "Open it." };
    const { id } = await user.client.sops.create({ body });
    await user.client.sops.publish({ params: { id }, body: {} });
    await user.client.sops.update({ params: { id }, body: { markdown: "Open it slowly." } });
    return { user, id };
  };

  test("is found whole after use: files, versions, SOPs, ledger, counters, keys, database", async () => {
    const { user } = await written();
    for (let n = 0; n < 9; n++) await store(user, png(`picture ${n}`));
    await user.client.settings.update({ body: { openaiApiKey: "sk-a-key-of-this-person" } });
    const { db, running } = server();
    expect(await checkAll(checkAssets(db))).toEqual({ checked: 9, findings: [] });
    expect(await checkAll(checkVersions(db))).toEqual({ checked: 2, findings: [] });
    expect(await checkAll(checkSops(db))).toEqual({ checked: 1, findings: [] });
    expect(await checkLedger(db, user.companyId)).toEqual({ checked: 4, findings: [] });
    expect(await checkAll(checkKeys(db, running.services.keys))).toEqual({ checked: 1, findings: [] });
    expect(await db.damage()).toEqual([]);
  });

  test("each damage is named: a file, a version, a SOP, an event, a counter, an encrypted value", async () => {
    const { user, id } = await written();
    const { db, running } = server();
    const company = db.forCompany(user.companyId);
    const sha256 = await store(user, png("chart"));
    await store(user, png("another"));
    await company.collection("assets").updateOne({ sha256 }, { $set: { bytes: new Uint8Array(png("chbrt")) } });
    await company.collection("sop_versions").updateOne({ sopId: id, version: 1 }, { $set: { markdown: "Close it." } });
    await company.collection("sops").updateOne({ _id: id }, { $set: { title: "Valwe" } });
    await company.collection("repo_events").deleteOne({ seq: 1 });
    await db.collection("counters").updateOne({ _id: user.companyId }, { $inc: { inForce: 1, repoSeq: 1 } });
    await user.client.settings.update({ body: { openaiApiKey: "sk-a-key-of-this-person" } });
    const sealed = (await db.collection("users").findOne({ _id: user.id }))?.openaiApiKey ?? "";
    await db
      .collection("users")
      .updateOne({ _id: user.id }, { $set: { openaiApiKey: sealed.replace(/^v1\.[^.]+/, "v1.gone") } });

    const found = async (check: Parameters<typeof checkAll>[0]) => (await checkAll(check)).findings;
    expect(await found(checkAssets(db))).toEqual([
      `file ${sha256} of company ${user.companyId}: its bytes don't match its hash`,
    ]);
    expect(await found(checkVersions(db))).toEqual([`version 1 of SOP ${id}: its text doesn't match its hash`]);
    expect(await found(checkSops(db))).toEqual([`version 2 of SOP ${id}: it differs from the SOP`]);
    expect((await checkLedger(db, user.companyId)).findings).toEqual([
      `company ${user.companyId}: event 1 is missing`,
      `company ${user.companyId}: the ledger ends at event 3, not at 4`,
      `company ${user.companyId}: the counter inForce is 2, but there are 1`,
    ]);
    expect(await found(checkKeys(db, running.services.keys))).toEqual([
      `AI key of user ${user.id}: key gone is not in the keyring`,
    ]);
  });

  test("is looked at share by share: damage is logged once, shown by /readyz, and gone when it is repaired", async () => {
    const user = await (await server().company()).user("manager");
    const logged: unknown[] = [];
    const log = { error: (details: object) => logged.push(details) } as never;
    const { db, clock, running } = server();
    const { keys } = running.services;
    const look = () => checkShares({ db, clock, log, keys });
    const ready = async () => (await server().send({ path: "/readyz" })).json() as { warnings?: string[] };
    // what the tests before left behind
    await db.collection("assets").deleteMany({});
    await db.collection("sops").deleteMany({});
    await db.collection("sop_versions").deleteMany({});
    await db.collection("users").updateMany({}, { $set: { openaiApiKey: null } });
    for (let n = 0; n < 50; n++) await store(user, png(`picture ${n}`));
    await look();
    expect([logged, (await ready()).warnings]).toEqual([[], undefined]);
    const [last] = await db.collection("assets").find({}, { sort: { _id: -1 }, limit: 1 });
    const sha256 = last?.sha256 ?? "";
    await db.collection("assets").updateOne({ sha256 }, { $set: { bytes: new Uint8Array(png("rotten")) } });
    for (let n = 0; n < 4; n++) await look();
    const line = `file ${sha256} of company ${user.companyId}: its bytes don't match its hash`;
    expect(logged).toEqual([{ check: "assets", findings: [line] }]);
    expect((await ready()).warnings).toEqual(["stored data is damaged: run sop admin verify"]);
    await store(user, png("picture 49"));
    for (let n = 0; n < 4; n++) await look();
    expect((await ready()).warnings).toBeUndefined();
  });
});
