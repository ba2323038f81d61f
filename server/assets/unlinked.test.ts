import { AsyncResource } from "node:async_hooks";
import { expect, test } from "vitest";
import { describeServer, type TestUser } from "../../test/server.ts";
import type { Collections } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import { removeUnlinkedAssets } from "./unlinked.ts";
import { pngOf as png } from "../../test/images.ts";

const day = 24 * 3_600_000;

describeServer("images and PDFs that nothing links", (server, engine) => {
  const upload = async (user: TestUser, name: string) => {
    const answer = await user.send({
      method: "POST",
      path: "/api/assets",
      headers: { "content-type": "image/png" },
      body: png(name),
    });
    return answer.json() as { sha256: string; url: string; size: number };
  };
  const linking = (url: string) => ({ title: "T", description: "D", markdown: `![Valve](${url})` });
  const later = () => server().clock.advance(day + 1);
  const run = (db: Database<Collections> = server().db) =>
    removeUnlinkedAssets(db, server().running.services.blobs, server().clock);
  const stored = async (companyId: string) =>
    (
      await server()
        .db.forCompany(companyId)
        .collection("assets")
        .find({}, { sort: { createdAt: 1 } })
    ).map(({ sha256 }) => sha256);
  /** The count equals the bytes that are stored. */
  const counted = async (companyId: string) => {
    const company = await server().db.collection("companies").findOne({ _id: companyId });
    const assets = await server().db.forCompany(companyId).collection("assets").find({});
    expect(company?.assetBytes).toBe(assets.reduce((sum, { size }) => sum + size, 0));
  };

  test("are removed a day after their upload, and their bytes can be used again", async () => {
    const user = await (await server().company()).user("editor");
    await upload(user, "unused");
    await run();
    expect(await stored(user.companyId)).toHaveLength(1);
    later();
    const young = await upload(user, "young");
    await run();
    expect(await stored(user.companyId)).toEqual([young.sha256]);
    await counted(user.companyId);
    const rows = await server().db.forCompany(user.companyId).collection("audit_logs").find({ action: "asset.sweep" });
    expect(rows).toHaveLength(1);
  });

  test("exclude those of drafts, old versions and deleted SOPs, also where no record links them", async () => {
    const company = await server().company();
    const user = await company.user("company_admin");
    const draft = await upload(user, "draft");
    await user.client.sops.create({ body: linking(draft.url) });
    const old = await upload(user, "old");
    const { id } = await user.client.sops.create({ body: linking(old.url) });
    await user.client.sops.update({ params: { id }, body: { markdown: "No image any longer" } });
    const deleted = await upload(user, "deleted");
    const gone = await user.client.sops.create({ body: linking(deleted.url) });
    await user.client.sops.remove({ params: { id: gone.id } });
    const assets = server().db.forCompany(company.id).collection("assets");
    expect(await assets.countDocuments({ linkedAt: null })).toBe(0);
    // as an earlier version of the server left them
    await assets.updateMany({}, { $unset: { linkedAt: "" } });
    later();
    await run();
    expect(await stored(company.id)).toHaveLength(3);
    expect(await assets.countDocuments({ linkedAt: null })).toBe(0);
    await counted(company.id);
  });

  test("exclude profile pictures and logos until they are replaced", async () => {
    const company = await server().company();
    const user = await company.user("company_admin");
    const [avatar, logo, next] = [await upload(user, "avatar"), await upload(user, "logo"), await upload(user, "next")];
    await user.client.account.update({ body: { avatar: avatar.url } });
    await user.client.company.update({ body: { logo: logo.url } });
    later();
    await user.client.account.update({ body: { avatar: next.url } });
    await run();
    expect((await stored(company.id)).toSorted()).toEqual([logo.sha256, next.sha256].toSorted());
    await counted(company.id);
  });

  test("stay another day when they are uploaded again", async () => {
    const user = await (await server().company()).user("editor");
    const { sha256 } = await upload(user, "twice");
    later();
    await upload(user, "twice");
    await run();
    expect(await stored(user.companyId)).toEqual([sha256]);
    await counted(user.companyId);
  });

  test("stay when a save links one after the sweep chose it", async () => {
    const user = await (await server().company()).user("editor");
    const image = await upload(user, "chosen");
    later();
    let saved = 0;
    await run(
      before(server().db, async () => {
        saved += 1;
        await user.client.sops.create({ body: linking(image.url) });
      }),
    );
    expect(saved).toBe(1);
    expect(await stored(user.companyId)).toEqual([image.sha256]);
    await counted(user.companyId);
  });

  test.runIf(engine === "mongodb")("stay when a save links one while the removal is under way", async () => {
    const user = await (await server().company()).user("editor");
    const image = await upload(user, "under way");
    later();
    const { db } = server();
    let runs = 0;
    // writes of another server, as far as the transaction knows
    const outside = new AsyncResource("another server");
    const racing = withTransaction(db, (work) =>
      db.transaction(async (tx) => {
        runs += 1;
        // the transaction's snapshot is taken: no version links the asset
        await tx.forCompany(user.companyId).collection("assets").findOne({ sha256: image.sha256 });
        if (runs === 1) await outside.runInAsyncScope(() => linkFromOutside(image.sha256, user.companyId));
        return work(tx);
      }),
    );
    await run(racing);
    expect(runs).toBeGreaterThan(1);
    expect(await stored(user.companyId)).toEqual([image.sha256]);
    await counted(user.companyId);
  });

  test("can be removed before a save that links them: the save succeeds, and another upload restores them", async () => {
    const user = await (await server().company()).user("manager");
    const image = await upload(user, "too late");
    later();
    await run();
    await user.client.sops.create({ body: linking(image.url) });
    await server().running.services.repositories.drain(user.companyId);
    expect(await user.client.repository.get()).toMatchObject({ lag: 0 });
    // uploaded again, the saved version shows it
    await upload(user, "too late");
    expect((await user.send({ path: image.url })).status).toBe(200);
    later();
    await run();
    expect(await stored(user.companyId)).toEqual([image.sha256]);
    await counted(user.companyId);
  });

  /** What a save on another server commits. */
  async function linkFromOutside(sha256: string, companyId: string): Promise<void> {
    const { db } = server();
    const version = { _id: `v-${sha256}`, companyId, sopId: `s-${sha256}`, version: 1, assets: [sha256] };
    await db.transaction(async (tx) => {
      const company = tx.forCompany(companyId);
      await company.collection("assets").updateMany({ sha256 }, { $set: { linkedAt: server().clock.now() } });
      await company.collection("sop_versions").insertOne(version as unknown as Collections["sop_versions"]);
    });
  }
});

/** Does something once, before the next transaction. */
function before(db: Database<Collections>, first: () => Promise<void>): Database<Collections> {
  let done = false;
  return withTransaction(db, async (work) => {
    if (!done) {
      done = true;
      await first();
    }
    return db.transaction(work);
  });
}

function withTransaction(
  db: Database<Collections>,
  transaction: Database<Collections>["transaction"],
): Database<Collections> {
  return new Proxy(db, {
    get: (target, name) => (name === "transaction" ? transaction : (Reflect.get(target, name, target) as unknown)),
  });
}
