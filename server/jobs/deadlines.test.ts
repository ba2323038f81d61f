/** What time brings about happens once: with an injected clock, after a restart, with two servers on one database. */
import { expect, test } from "vitest";
import { printedName } from "#core/users/printed-name.ts";
import { describeServer, startServer, type Company, type TestServer, type TestUser } from "../../test/server.ts";
import { mongoUri } from "../../test/database/mongo-uri.ts";

const day = 24 * 3_600_000;
const text = { title: "Boiler check", description: "How the boiler is looked after", markdown: "Look at it." };

const dayAhead = (server: TestServer, days: number) =>
  new Date(server.clock.millis() + days * day).toISOString().slice(0, 10);

/** People return now and then, so that their sessions don't end. */
async function pass(server: TestServer, ms: number): Promise<void> {
  server.clock.advance(ms);
  await server.db.collection("sessions").updateMany({}, { $set: { lastSeenAt: server.clock.now() } });
}

async function people(company: Company) {
  const [manager, owner, reader] = [
    await company.user("manager", { name: "Mona Manager" }),
    await company.user("editor", { name: "Olga Owner" }),
    await company.user("viewer"),
  ];
  return { manager, owner, reader };
}

function noticesOf(server: TestServer, userId: string) {
  return server.db
    .collection("notifications")
    .find({ userId }, { sort: { createdAt: 1, _id: 1 } })
    .then((found) => found.map(({ kind, detail }) => [kind, detail["reviewBy"] ?? detail["version"]]));
}

const auditsOf = (server: TestServer, entityId: string, action: string) =>
  server.db.collection("audit_logs").countDocuments({ entityId, action });

/** Scheduled by the manager for a later day while version 1 is published. */
async function scheduled(server: TestServer, manager: TestUser, owner: TestUser, days: number) {
  const { id } = await manager.client.sops.create({ body: { ...text, status: "published", ownerId: owner.id } });
  const effectiveAt = dayAhead(server, days);
  const body = { markdown: "Look at it twice.", effectiveAt, status: "published" as const };
  const sop = await manager.client.sops.update({ params: { id }, body });
  expect(sop.scheduled).toEqual({ version: 2, effectiveAt: `${effectiveAt}T00:00:00.000Z` });
  return id;
}

const versionRead = async (reader: TestUser, id: string) => (await reader.client.sops.get({ params: { id } })).version;

describeServer("deadlines", (server, engine) => {
  const due = () => server().running.deadlines.run();
  const twoServers = engine === "mongodb" && mongoUri() !== null;

  test("keep an unapproved version from taking effect in a company that became strict, and notify its people", async () => {
    const company = await server().company();
    const { manager, owner, reader } = await people(company);
    const id = await scheduled(server(), manager, owner, 1);
    await company.set({ "settings.documentControl": "strict" });
    await pass(server(), day);
    await due();
    await due();
    expect(await versionRead(reader, id)).toBe(1);
    expect(await owner.client.sops.get({ params: { id } })).toMatchObject({
      version: 2,
      status: "draft",
      scheduled: null,
    });
    expect(await noticesOf(server(), owner.id)).toEqual([["not_in_force", 2]]);
    expect(await auditsOf(server(), id, "sop.lapse")).toBe(1);
    expect(await auditsOf(server(), id, "sop.publish")).toBe(1);
  });

  test("put a version into effect on its day, once, in the name of its publisher", async () => {
    const { manager, owner, reader } = await people(await server().company());
    const id = await scheduled(server(), manager, owner, 2);
    await pass(server(), day);
    await due();
    expect(await versionRead(reader, id)).toBe(1);
    expect(await noticesOf(server(), owner.id)).toEqual([]);
    await pass(server(), day);
    await due();
    await due();
    await server().restart();
    await due();
    expect(await versionRead(reader, id)).toBe(2);
    expect(await noticesOf(server(), owner.id)).toEqual([["published", 2]]);
    expect(await auditsOf(server(), id, "sop.publish")).toBe(2);
    const events = await server()
      .db.collection("repo_events")
      .find({ companyId: manager.companyId }, { sort: { seq: 1 } });
    expect(events.map(({ type, authorName }) => [type, authorName]).at(-1)).toEqual(["publish", printedName(manager)]);
    const stored = await server().db.collection("sops").findOne({ _id: id });
    expect(stored).toMatchObject({ scheduled: null, published: { version: 2 }, status: "published" });
    const periods = await server()
      .db.collection("published_periods")
      .find({ sopId: id }, { sort: { from: 1 } });
    expect(periods.map(({ version, until }) => [version, until !== null])).toEqual([
      [1, true],
      [2, false],
    ]);
  });

  test("skip versions that were withdrawn, archived or deleted before their day", async () => {
    const company = await server().company();
    const { manager, owner, reader } = await people(company);
    const ids = [
      await scheduled(server(), manager, owner, 1),
      await scheduled(server(), manager, owner, 1),
      await scheduled(server(), manager, owner, 1),
    ] as const;
    const admin = await company.user("company_admin");
    await manager.client.sops.unpublish({ params: { id: ids[0] }, body: {} });
    await manager.client.sops.archive({ params: { id: ids[1] }, body: {} });
    await admin.client.sops.remove({ params: { id: ids[2] } });
    await pass(server(), 2 * day);
    await due();
    for (const id of ids) {
      expect((await reader.send({ path: `/api/sops/${id}` })).status).toBe(404);
      expect(await auditsOf(server(), id, "sop.publish")).toBe(1);
    }
    expect(await noticesOf(server(), owner.id)).toEqual([]);
    await admin.client.sops.undelete({ params: { id: ids[2] } });
    await due();
    expect(await versionRead(reader, ids[2])).toBe(2);
  });

  test("leave a draft after the scheduled version a draft", async () => {
    const { manager, owner, reader } = await people(await server().company());
    const id = await scheduled(server(), manager, owner, 1);
    await owner.client.sops.update({ params: { id }, body: { markdown: "Look at it three times." } });
    await pass(server(), day);
    await due();
    expect(await versionRead(reader, id)).toBe(2);
    expect(await manager.client.sops.get({ params: { id } })).toMatchObject({
      version: 3,
      status: "draft",
      published: { version: 2 },
    });
  });

  test("remind of a review 30 and 7 days before and when it is overdue, each once", async () => {
    const { manager, owner } = await people(await server().company());
    const reviewBy = dayAhead(server(), 40);
    const body = { ...text, status: "published" as const, ownerId: owner.id, reviewBy };
    const { id } = await manager.client.sops.create({ body });
    const seen: string[][] = [];
    let days = 0;
    for (const next of [0, 9, 10, 11, 32, 33, 34, 40, 41, 45]) {
      await pass(server(), (next - days) * day);
      days = next;
      await due();
      if (days === 11) await server().restart();
      const kinds = (await noticesOf(server(), owner.id)).map(([kind]) => String(kind));
      if (kinds.length > seen.length) seen.push([String(40 - days), kinds.at(-1) ?? ""]);
    }
    expect(seen).toEqual([
      ["30", "review_due"],
      ["7", "review_due"],
      ["-1", "review_overdue"],
    ]);
    expect(await noticesOf(server(), manager.id)).toEqual([]);
    const kept = await manager.client.sops.review({ params: { id }, body: { verdict: "keep" } });
    expect(kept.reviewBy).toBe(`${Number(reviewBy.slice(0, 4)) + 1}${server().clock.now().slice(4, 10)}`);
    await due();
    expect((await noticesOf(server(), owner.id)).length).toBe(3);
  });

  test("send one reminder if the review is soon, and none for drafts and archived SOPs", async () => {
    const { manager, owner } = await people(await server().company());
    const reviewBy = dayAhead(server(), 3);
    const made = { ...text, ownerId: owner.id, reviewBy };
    await manager.client.sops.create({ body: { ...made, status: "published" } });
    await manager.client.sops.create({ body: made });
    const { id } = await manager.client.sops.create({ body: { ...made, status: "published" } });
    await manager.client.sops.archive({ params: { id }, body: {} });
    await pass(server(), 3_600_000);
    await due();
    expect(await noticesOf(server(), owner.id)).toEqual([["review_due", reviewBy]]);
  });

  test("remind the author of an SOP without an owner, and the managers when both are gone", async () => {
    const company = await server().company();
    const { manager, owner, reader } = await people(company);
    const [author, other] = [await company.user("editor"), await company.user("editor")];
    const reviewBy = dayAhead(server(), 3);
    const make = async (writer: TestUser, ownerId: string) => {
      const { id } = await writer.client.sops.create({ body: { ...text, ownerId, reviewBy } });
      await manager.client.sops.publish({ params: { id }, body: {} });
    };
    await make(author, owner.id);
    await make(owner, owner.id);
    await make(other, other.id);
    await server()
      .db.collection("users")
      .updateOne({ _id: owner.id }, { $set: { status: "suspended" } });
    await pass(server(), 3_600_000);
    await due();
    const told = async (user: TestUser) => (await noticesOf(server(), user.id)).length;
    expect([await told(owner), await told(author), await told(other), await told(manager), await told(reader)]).toEqual(
      [0, 1, 1, 1, 0],
    );
  });

  test("notify the browsers of a user whose right expires, once", async () => {
    const company = await server().company();
    const { reader } = await people(company);
    const admin = await company.user("company_admin");
    const give = (permission: "sop.edit" | "sop.publish", hours: number) =>
      admin.client.companyPermissions.set({
        params: { id: reader.id },
        body: {
          permission,
          granted: true,
          expiresAt: new Date(server().clock.millis() + hours * 3_600_000).toISOString(),
        },
      });
    await give("sop.edit", 2);
    await give("sop.publish", 5);
    const told = async () =>
      (
        await server()
          .db.collection("events")
          .find({ companyId: company.id }, { sort: { seq: 1 } })
      )
        .filter(({ to }) => to !== undefined)
        .map(({ to, resources }) => [to, resources.includes("me")]);
    const steps = [];
    for (let hour = 0; hour < 7; hour++) {
      await due();
      if (hour === 3) await server().restart();
      steps.push((await told()).length);
      await pass(server(), 3_600_000);
    }
    expect(steps).toEqual([0, 0, 1, 1, 1, 2, 2]);
    expect(await told()).toEqual([
      [[reader.id], true],
      [[reader.id], true],
    ]);
  });

  test.skipIf(!twoServers)("are met once by two servers on one database", async () => {
    const second = await startServer(engine, { beside: server() });
    try {
      const company = await server().company();
      const { manager, owner, reader } = await people(company);
      const admin = await company.user("company_admin");
      const ids: string[] = [];
      for (let n = 0; n < 3; n++) ids.push(await scheduled(server(), manager, owner, 1));
      const expiresAt = new Date(server().clock.millis() + day / 2).toISOString();
      await admin.client.companyPermissions.set({
        params: { id: reader.id },
        body: { permission: "sop.comment", granted: true, expiresAt },
      });
      await pass(server(), day);
      await Promise.all([due(), second.running.deadlines.run(), due(), second.running.deadlines.run()]);
      const events = await server().db.forCompany(company.id).collection("events").find({});
      const told = events.filter(
        ({ to, resources, at }) => to?.includes(reader.id) && resources.includes("me") && at > expiresAt,
      );
      expect(told).toHaveLength(1);
      for (const id of ids) {
        expect(await versionRead(reader, id)).toBe(2);
        expect(await auditsOf(server(), id, "sop.publish")).toBe(2);
      }
      expect((await noticesOf(server(), owner.id)).filter(([kind]) => kind === "published").length).toBe(ids.length);
      await pass(server(), 360 * day);
      await Promise.all([due(), second.running.deadlines.run()]);
      expect((await noticesOf(server(), owner.id)).filter(([kind]) => kind === "review_due").length).toBe(ids.length);
    } finally {
      await second.stop();
    }
  });
});
