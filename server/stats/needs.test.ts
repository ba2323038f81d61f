/** What waits for one user: sent back, to read, to review; over HTTP on both engines. */
import { beforeAll, expect, test } from "vitest";
import { describeServer, type Company, type TestUser } from "../../test/server.ts";

const text = { title: "Press", description: "How to start it", markdown: "Check the guard.\n" };

describeServer("the work list of a user", (server) => {
  let company: Company;
  let author: TestUser;
  let boss: TestUser;
  let reader: TestUser;
  beforeAll(async () => {
    company = await server().company();
    await company.letApprove("viewer");
    boss = await company.user("manager", { name: "Mona Manager" });
    author = await company.user("editor", { name: "Eve Editor" });
    reader = await company.user("viewer", { name: "Rita Reader" });
  });

  const needs = (user: TestUser) => user.client.stats.needs();
  const draft = async (title: string) => (await author.client.sops.create({ body: { ...text, title } })).id;
  const send = (id: string) =>
    author.client.sops.requestApproval({ params: { id }, body: { approverIds: [boss.id, reader.id] } });
  const titles = async (user: TestUser) => (await needs(user)).returned.map(({ sop }) => sop.title);

  test("shows a requester what was not approved, until the text changes or is submitted again", async () => {
    const [changed, rejected, withdrawn] = [await draft("Changed"), await draft("Rejected"), await draft("Withdrawn")];
    const params = { id: (await send(changed)).id };
    server().clock.advance(1000);
    await reader.client.approvals.requestChanges({ params, body: { comment: "Name the valve" } });
    expect(await needs(author)).toEqual({
      returned: [
        {
          sop: { id: changed, number: expect.stringMatching(/^SOP-/), title: "Changed" },
          version: 1,
          outcome: "changes_requested",
          by: "Rita Reader",
          comment: "Name the valve",
          at: expect.any(String),
        },
      ],
      toRead: [],
      reviews: [],
    });
    server().clock.advance(1000);
    await boss.client.approvals.reject({ params: { id: (await send(rejected)).id }, body: { comment: "No" } });
    await author.client.approvals.withdraw({ params: { id: (await send(withdrawn)).id } });
    expect(await titles(author)).toEqual(["Rejected", "Changed"]);
    // no one else's
    expect([await titles(boss), await titles(reader)]).toEqual([[], []]);
    await author.client.sops.update({
      params: { id: changed },
      body: { markdown: "Check the guard and the valve.\n" },
    });
    expect(await titles(author)).toEqual(["Rejected"]);
    const again = await send(rejected);
    expect(await titles(author)).toEqual([]);
    await author.client.approvals.withdraw({ params: { id: again.id } });
    expect(await titles(author)).toEqual([]);
  });

  test("shows open requests to their approvers, and owners their due reviews, overdue first", async () => {
    const day = (days: number) => new Date(server().clock.millis() + days * 86_400_000).toISOString().slice(0, 10);
    const publish = (title: string, days: number, more: object = {}) =>
      boss.client.sops.create({ body: { ...text, title, reviewBy: day(days), status: "published", ...more } });
    await publish("Later", 60);
    await publish("Given away", 12, { ownerId: author.id });
    await publish("Soon", 20);
    const overdue = await publish("Due first", 5);
    const read = await publish("To read", 90);
    await boss.client.acknowledgements.ask({
      params: { id: read.id },
      body: { userIds: [reader.id], teamIds: [], dueDays: 5 },
    });
    const reviews = async (user: TestUser) =>
      (await needs(user)).reviews.map((one) => [one.sop.title, one.reviewBy, one.overdue]);
    expect(await reviews(boss)).toEqual([
      ["Due first", day(5), false],
      ["Soon", day(20), false],
    ]);
    expect(await reviews(author)).toEqual([["Given away", day(12), false]]);
    expect(await reviews(reader)).toEqual([]);
    expect((await needs(reader)).toRead).toMatchObject([{ sop: { title: "To read" }, dueBy: day(5), overdue: false }]);
    const dates = [day(5), day(20)];
    server().clock.advance(6 * 86_400_000);
    await server()
      .db.collection("sessions")
      .updateMany({}, { $set: { lastSeenAt: server().clock.now() } });
    expect(await reviews(boss)).toEqual([
      ["Due first", dates[0], true],
      ["Soon", dates[1], false],
    ]);
    expect((await needs(reader)).toRead).toMatchObject([{ overdue: true }]);
    await boss.client.sops.review({ params: { id: overdue.id }, body: { verdict: "keep" } });
    expect((await reviews(boss)).map(([title]) => title)).toEqual(["Soon"]);
    await boss.client.sops.archive({ params: { id: read.id }, body: {} });
    expect((await needs(reader)).toRead).toEqual([]);
  });
});
