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
    expect(await needs(author)).toMatchObject({
      returned: [
        {
          sop: { id: changed, number: expect.stringMatching(/^SOP-/), title: "Changed" },
          version: 1,
          outcome: "changes_requested",
          by: `Rita Reader (${reader.username})`,
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

  test("shows threads that wait for an answer, until one comes or the thread is resolved", async () => {
    const asker = await company.user("editor", { name: "Ada Asker" });
    const id = await draft("Discussed");
    const say = (user: TestUser, content: string, parentId: string | null = null) =>
      user.client.comments.create({ params: { id }, body: { content, parentId } });
    const waiting = async (user: TestUser) => (await needs(user)).replies.map(({ comment, by }) => [by, comment]);
    const thread = await say(asker, "Which valve?");
    expect((await needs(author)).replies).toEqual([
      {
        sop: { id, number: expect.stringMatching(/^SOP-/), title: "Discussed" },
        commentId: thread.id,
        by: `Ada Asker (${asker.username})`,
        comment: "Which valve?",
        at: expect.any(String),
      },
    ]);
    expect(await waiting(asker)).toEqual([]);
    server().clock.advance(1000);
    await say(author, "The red one.", thread.id);
    expect([await waiting(author), await waiting(asker)]).toEqual([
      [],
      [[`Eve Editor (${author.username})`, "The red one."]],
    ]);
    await asker.client.comments.resolve({ params: { id, commentId: thread.id }, body: { resolved: true } });
    expect(await waiting(asker)).toEqual([]);
  });

  test("shows writers their unpublished drafts, and no one else's", async () => {
    const writer = await company.user("contributor", { name: "Wim Writer" });
    const own = (title: string) => writer.client.sops.create({ body: { ...text, title } });
    await own("First");
    server().clock.advance(1000);
    await own("Second");
    const drafts = async (user: TestUser) => (await needs(user)).drafts.map(({ sop }) => sop.title);
    expect(await drafts(writer)).toEqual(["Second", "First"]);
    expect(await drafts(reader)).toEqual([]);
    expect(await drafts(boss)).toEqual([]);
  });

  test("shows what is late and missing only to people who see every draft", async () => {
    const chief = await company.user("company_admin", { name: "Cora Chief" });
    const gone = await company.user("editor", { name: "Gus Gone" });
    const day = (days: number) => new Date(server().clock.millis() + days * 86_400_000).toISOString().slice(0, 10);
    const late = await chief.client.sops.create({
      body: { ...text, title: "Left alone", ownerId: gone.id, reviewBy: day(3), status: "published" },
    });
    await chief.client.acknowledgements.ask({
      params: { id: late.id },
      body: { userIds: [reader.id, author.id], teamIds: [], dueDays: 2 },
    });
    await chief.client.companyUsers.update({ params: { id: gone.id }, body: { status: "suspended" } });
    server().clock.advance(4 * 86_400_000);
    await server()
      .db.collection("sessions")
      .updateMany({}, { $set: { lastSeenAt: server().clock.now() } });
    const seen = await needs(boss);
    const sop = { id: late.id, number: late.number, title: "Left alone" };
    expect(seen.late.readings).toEqual({ people: 2, count: 2, most: sop });
    expect(seen.late.reviews).toContainEqual({
      sop,
      reviewBy: expect.any(String),
      owner: `Gus Gone (${gone.username})`,
    });
    expect(seen.gaps.ownerless).toEqual([{ sop, was: `Gus Gone (${gone.username})` }]);
    for (const user of [reader, await company.user("contributor", { name: "Con" })]) {
      const { late: theirs, gaps } = await needs(user);
      expect({ theirs, gaps }).toEqual({
        theirs: { readings: null, reviews: [] },
        gaps: { searches: [], ownerless: [] },
      });
    }
  });

  test("counts the first steps of a new company for its administrators, until all are done", async () => {
    const young = await server().company();
    const founder = await young.user("company_admin", { name: "Fay Founder" });
    const steps = async (user: TestUser) => (await needs(user)).firstSteps;
    expect(await steps(founder)).toEqual({
      sops: 0,
      invited: 0,
      joined: 0,
      published: false,
      waits: false,
      effectiveAt: null,
      asked: false,
      next: null,
    });
    const first = await founder.client.sops.create({ body: { ...text, title: "First" } });
    await founder.client.invitations.create({ body: { role: "viewer", email: "vi@journey.test" } });
    const next = { id: first.id, number: first.number, title: "First" };
    expect(await steps(founder)).toMatchObject({ sops: 1, invited: 1, joined: 0, published: false, next });
    const member = await young.user("manager", { name: "Max Member" });
    expect(await steps(member)).toBeNull();
    await founder.client.sops.create({ body: { ...text, title: "Later" } });
    const asking = { params: { id: first.id }, body: { approverIds: [member.id] } };
    const { id: request } = await founder.client.sops.requestApproval(asking);
    expect(await steps(founder)).toMatchObject({ sops: 2, published: false, waits: true, next });
    await founder.client.approvals.withdraw({ params: { id: request } });
    await founder.client.sops.publish({ params: { id: first.id }, body: {} });
    expect(await steps(founder)).toMatchObject({ joined: 1, published: true, asked: false, next });
    await founder.client.acknowledgements.ask({
      params: { id: first.id },
      body: { userIds: [member.id], teamIds: [] },
    });
    expect(await steps(founder)).toBeNull();
  });

  test("counts who was added by hand beside open invitations, and no expired one", async () => {
    const young = await server().company();
    const founder = await young.user("company_admin");
    const invite = (email: string, expiresInDays: number) =>
      founder.client.invitations.create({ body: { role: "viewer", email, expiresInDays } });
    await young.user("viewer");
    await invite("soon@journey.test", 1);
    await invite("later@journey.test", 30);
    const steps = async () => (await needs(founder)).firstSteps;
    expect(await steps()).toMatchObject({ invited: 3, joined: 1 });
    server().clock.advance(2 * 86_400_000);
    await server()
      .db.collection("sessions")
      .updateMany({}, { $set: { lastSeenAt: server().clock.now() } });
    expect(await steps()).toMatchObject({ invited: 2, joined: 1 });
  });

  test("says that the first SOP takes effect later, instead of naming a draft", async () => {
    const young = await server().company();
    const founder = await young.user("company_admin");
    const effectiveAt = new Date(server().clock.millis() + 5 * 86_400_000).toISOString().slice(0, 10);
    const body = { ...text, title: "First", effectiveAt, status: "published" as const };
    const first = await founder.client.sops.create({ body });
    server().clock.advance(1000);
    await founder.client.sops.create({ body: { ...text, title: "Draft" } });
    const { firstSteps } = await needs(founder);
    expect(firstSteps).toMatchObject({ published: false, waits: false, next: { id: first.id, title: "First" } });
    expect(firstSteps?.effectiveAt?.slice(0, 10)).toBe(effectiveAt);
  });
});
