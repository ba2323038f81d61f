/** Who gets which notice to read, when, and how often: with an injected clock, after restarts, with hundreds of readers. */
import { expect, test } from "vitest";
import { newId } from "#core/ids.ts";
import { describeServer, startServer, type Company, type TestServer, type TestUser } from "../../test/server.ts";
import type { UserDocument } from "../database/documents.ts";
import { notifyReadersAtPublication } from "./notices.ts";
import { mongoUri } from "../../test/database/mongo-uri.ts";

const day = 24 * 3_600_000;
const text = { title: "Press", description: "How to start it", markdown: "Check the guard.\n" };

/** Sends the notices that writes have ordered. */
async function told(server: TestServer): Promise<void> {
  while (await server.db.collection("outbox").findOne({ kind: notifyReadersAtPublication.name, state: "pending" })) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** People return now and then, so that their sessions don't end. */
async function pass(server: TestServer, ms: number): Promise<void> {
  server.clock.advance(ms);
  await server.db.collection("sessions").updateMany({}, { $set: { lastSeenAt: server.clock.now() } });
  await server.running.deadlines.run();
}

async function noticesOf(server: TestServer, user: TestUser) {
  await told(server);
  const found = await server.db
    .collection("notifications")
    .find({ companyId: user.companyId, userId: user.id }, { sort: { _id: 1 } });
  return found.map(({ kind, detail }) => `${kind.slice("acknowledgement_".length)} v${detail["version"]}`);
}

async function people(company: Company) {
  const [boss, reader, other] = [
    await company.user("manager", { name: "Mona Manager" }),
    await company.user("viewer", { name: "Rita Reader" }),
    await company.user("viewer", { name: "Otto Other" }),
  ];
  const { id } = await boss.client.sops.create({ body: { ...text, status: "published" } });
  return { boss, reader, other, id };
}

const publish = (boss: TestUser, id: string, changeClass: "minor" | "major") =>
  boss.client.sops.update({
    params: { id },
    body: { markdown: `Check it. ${Math.random()}\n`, changeClass, status: "published" },
  });

describeServer("notices to confirm reading", (server, engine) => {
  test("go once to the people who have to confirm, when asked and when a version that asks takes effect", async () => {
    const { boss, reader, other, id } = await people(await server().company());
    const params = { id };
    await boss.client.acknowledgements.ask({ params, body: { userIds: [reader.id, boss.id], dueDays: 10 } });
    expect(await noticesOf(server(), reader)).toEqual(["requested v1"]);
    expect(await noticesOf(server(), other)).toEqual([]);
    // the person who asks gets no notice
    expect(await noticesOf(server(), boss)).toEqual([]);
    const [notice] = (await reader.client.notifications.list({})).data;
    expect(notice?.text).toMatch(
      /^Mona Manager \(manager-[\d-]+\) asks you to confirm that you have read SOP-\d+ Press, by Jun 11, 2026 \(UTC\)$/,
    );
    await boss.client.acknowledgements.ask({
      params,
      body: { userIds: [reader.id, other.id], dueDays: 10 },
    });
    expect(await noticesOf(server(), other)).toEqual(["requested v1"]);
    await reader.client.acknowledgements.confirm({ params, body: { version: 1 } });
    await publish(boss, id, "minor");
    expect([await noticesOf(server(), reader), await noticesOf(server(), other)]).toEqual([
      ["requested v1"],
      ["requested v1"],
    ]);
    server().clock.advance(day);
    await publish(boss, id, "major");
    expect(await noticesOf(server(), reader)).toEqual(["requested v1", "requested v3"]);
    expect(await noticesOf(server(), other)).toEqual(["requested v1", "requested v3"]);
  });

  test("remind three days before the due date and when overdue, each once, also after a restart", async () => {
    const { boss, reader, other, id } = await people(await server().company());
    const params = { id };
    await boss.client.acknowledgements.ask({ params, body: { userIds: [reader.id, other.id], dueDays: 10 } });
    await other.client.acknowledgements.confirm({ params, body: { version: 1 } });
    const asked = await noticesOf(server(), other);
    await pass(server(), 6 * day);
    expect(await noticesOf(server(), reader)).toEqual(["requested v1"]);
    await pass(server(), day);
    await pass(server(), day);
    await server().restart();
    await pass(server(), day);
    expect(await noticesOf(server(), reader)).toEqual(["requested v1", "due v1"]);
    await pass(server(), day);
    expect(await noticesOf(server(), reader)).toEqual(["requested v1", "due v1"]);
    for (let n = 0; n < 3; n++) await pass(server(), day);
    await server().restart();
    await pass(server(), day);
    expect(await noticesOf(server(), reader)).toEqual(["requested v1", "due v1", "due v1"]);
    const texts = (await reader.client.notifications.list({})).data.map((notice) => notice.text);
    expect(texts[0]).toMatch(/is overdue since/);
    expect(await noticesOf(server(), other)).toEqual(asked);
    // the new day of a longer time is reminded of again
    await boss.client.acknowledgements.ask({ params, body: { userIds: [reader.id], dueDays: 20 } });
    await pass(server(), 4 * day);
    expect(await noticesOf(server(), reader)).toEqual(["requested v1", "due v1", "due v1", "due v1"]);
  });

  test("reach people who join later, but no one who can't see the SOP", async () => {
    const company = await server().company();
    const { boss, other, id } = await people(company);
    const admin = await company.user("company_admin");
    await admin.client.sops.restrict({ params: { id }, body: { restricted: true } });
    await admin.client.acknowledgements.ask({ params: { id }, body: { everyone: true } });
    expect(await noticesOf(server(), other)).toEqual([]);
    await admin.client.sops.restrict({ params: { id }, body: { restricted: false } });
    const late = await company.user("viewer");
    await pass(server(), day);
    for (const user of [boss, other, late]) expect(await noticesOf(server(), user)).toEqual(["requested v1"]);
    const events = await server().db.collection("events").find({ companyId: company.id });
    expect(events.filter(({ resources }) => resources.includes("notifications")).every(({ to }) => to)).toBe(true);
  });

  test("go out on the effective date of a scheduled version", async () => {
    const { boss, reader, id } = await people(await server().company());
    const params = { id };
    await boss.client.acknowledgements.ask({ params, body: { userIds: [reader.id], dueDays: 10 } });
    await reader.client.acknowledgements.confirm({ params, body: { version: 1 } });
    const effectiveAt = new Date(server().clock.millis() + 2 * day).toISOString().slice(0, 10);
    await boss.client.sops.update({ params, body: { markdown: "Later.\n", effectiveAt, status: "published" } });
    expect(await noticesOf(server(), reader)).toEqual(["requested v1"]);
    await expect(reader.client.acknowledgements.confirm({ params, body: { version: 2 } })).rejects.toMatchObject({
      status: 409,
      details: { version: 1 },
    });
    await pass(server(), 2 * day);
    expect(await noticesOf(server(), reader)).toEqual(["requested v1", "requested v2"]);
  });

  test("reach each person once from two servers", async ({ skip }) => {
    if (engine !== "mongodb" || mongoUri() === null) return skip();
    const company = await server().company();
    const { boss, reader, other, id } = await people(company);
    const second = await startServer("mongodb", { beside: server() });
    try {
      await boss.client.acknowledgements.ask({ params: { id }, body: { everyone: true, dueDays: 10 } });
      await told(server());
      await pass(server(), 8 * day);
      await second.running.deadlines.run();
      await Promise.all([pass(server(), 4 * day), second.running.deadlines.run()]);
      for (const user of [reader, other])
        expect(await noticesOf(server(), user)).toEqual(["requested v1", "due v1", "due v1"]);
    } finally {
      await second.stop();
    }
  });

  test("reach hundreds of readers in batches, each reader once", async () => {
    const company = await server().company();
    const { boss, reader, id } = await people(company);
    const like = (await server().db.collection("users").findOne({ _id: reader.id })) as UserDocument;
    const many = Array.from({ length: 450 }, (_, n) => ({
      ...like,
      _id: newId(),
      username: `${like.username}-${n}`,
    }));
    await server().db.collection("users").insertMany(many);
    await boss.client.acknowledgements.ask({ params: { id }, body: { everyone: true, dueDays: 5 } });
    await told(server());
    await server().restart();
    await server().running.deadlines.run();
    const notices = await server().db.collection("notifications").find({ companyId: company.id });
    expect(notices).toHaveLength(452);
    expect(new Set(notices.map(({ userId }) => userId)).size).toBe(452);
    const { matrix } = await boss.client.acknowledgements.get({ params: { id }, query: {} });
    expect(matrix).toMatchObject({ counts: { asked: 453, confirmed: 0, overdue: 0 } });
    expect(matrix?.people).toHaveLength(50);
  });
});
