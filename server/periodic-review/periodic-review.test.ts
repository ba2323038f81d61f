/** The verdict of a periodic review: who may give it, what it changes, what remains of it. */
import { expect, test } from "vitest";
import { describeServer, json, type TestServer, type TestUser } from "../../test/server.ts";

const day = 24 * 3_600_000;
const text = { title: "Boiler check", description: "How the boiler is looked after", markdown: "Look at it." };

function ask(user: TestUser, id: string, body: object, headers: Record<string, string> = {}) {
  return user.send({
    method: "POST",
    path: `/api/sops/${id}/review`,
    headers: { ...json, ...headers },
    body: JSON.stringify(body),
  });
}

const dayAhead = (server: TestServer, days: number) =>
  new Date(server.clock.millis() + days * day).toISOString().slice(0, 10);

describeServer("periodic reviews", (server) => {
  async function stage(change: { reviewBy?: string } = {}) {
    const company = await server().company();
    const [manager, owner, viewer] = [
      await company.user("manager", { name: "Mona Manager" }),
      await company.user("contributor", { name: "Olga Owner" }),
      await company.user("viewer"),
    ];
    const body = { ...text, ...change, ownerId: owner.id, status: "published" as const };
    const { id } = await manager.client.sops.create({ body });
    return { company, manager, owner, viewer, id };
  }

  test("with the outcome keep move the date of the published version and the draft, without a new version", async () => {
    const { manager, owner, viewer, id } = await stage({ reviewBy: dayAhead(server(), 5) });
    await owner.client.sops.update({ params: { id }, body: { markdown: "A draft." } });
    const before = await viewer.client.sops.get({ params: { id } });
    const kept = await owner.client.sops.review({ params: { id }, body: { verdict: "keep", note: "Still right" } });
    expect(kept).toMatchObject({ version: 2, status: "draft", reviewBy: "2027-06-01" });
    const after = await viewer.client.sops.get({ params: { id } });
    const lastReview = { name: "Olga Owner", username: owner.username, at: server().clock.now(), verdict: "keep" };
    // views are counted beside the reads, whenever that is
    expect({ ...after, views: before.views }).toEqual({
      ...before,
      reviewBy: "2027-06-01",
      control: { ...before.control, lastReview },
    });
    // the file of the head names the old date: the next version does not bring it back
    const saved = await manager.client.sops.update({ params: { id }, body: { markdown: "Another draft." } });
    expect(saved.reviewBy).toBe("2027-06-01");
    const file = await manager.send({ path: `/api/sops/${id}/export` });
    expect(file.body).toMatch(/^review_by: "?2027-06-01"?$/m);
    const [review] = await manager.client.sops.reviews({ params: { id } });
    expect(review).toMatchObject({
      sopId: id,
      version: 1,
      verdict: "keep",
      note: "Still right",
      due: before.reviewBy,
      reviewBy: "2027-06-01",
      reviewedBy: { id: owner.id, name: "Olga Owner", username: owner.username },
    });
    const audit = await server().db.collection("audit_logs").findOne({ entityId: id, action: "sop.review" });
    expect(audit?.changes).toMatchObject({ verdict: "keep", reviewBy: { from: before.reviewBy, to: "2027-06-01" } });
    const ledger = await server()
      .db.collection("repo_events")
      .find({ companyId: manager.companyId }, { sort: { seq: 1 } });
    expect(ledger.map(({ type }) => type).slice(-4)).toEqual(["create", "publish", "save", "save"]);
  });

  test("get the requested next date, else after the category's months, else none", async () => {
    const { company, manager, id } = await stage();
    const keep = async (body: object = {}) =>
      (await manager.client.sops.review({ params: { id }, body: { verdict: "keep", ...body } })).reviewBy;
    expect(await keep({ reviewBy: "2026-07-01" })).toBe("2026-07-01");
    await company.set({ "settings.reviewMonths": 6 });
    expect(await keep()).toBe("2026-12-01");
    const category = await manager.client.categories.create({ body: { name: "Rare", reviewMonths: 36 } });
    await manager.client.sops.update({ params: { id }, body: { categoryId: category.id } });
    expect(await keep()).toBe("2029-06-01");
    await manager.client.sops.update({ params: { id }, body: { categoryId: null } });
    await company.set({ "settings.reviewMonths": null });
    expect(await keep()).toBeNull();
    for (const [body, message] of [
      [{ verdict: "keep", reviewBy: "2026-06-01" }, "Choose a future date for the next review"],
      [{ verdict: "revise", reviewBy: "2027-01-01" }, "Only an SOP that is kept has a next review"],
      [{ verdict: "keep", reviewBy: "2027-02-30" }, "Write the date as YYYY-MM-DD, from 1900 to 2999"],
    ] as const) {
      const answer = await ask(manager, id, body);
      expect([answer.status, answer.json()]).toMatchObject([400, { details: { reviewBy: message } }]);
    }
  });

  test("with the outcome revise change nothing; archive archives the SOP", async () => {
    const { manager, owner, viewer, id } = await stage();
    const before = await manager.client.sops.get({ params: { id } });
    const after = await owner.client.sops.review({ params: { id }, body: { verdict: "revise", note: "See draft" } });
    expect(after).toMatchObject({ status: "published", reviewBy: before.reviewBy, updatedAt: before.updatedAt });
    // a contributor can't archive, not even an own SOP
    expect((await ask(owner, id, { verdict: "archive" })).status).toBe(403);
    const archived = await manager.client.sops.review({ params: { id }, body: { verdict: "archive", note: "Sold" } });
    expect(archived).toMatchObject({ status: "archived", published: null, control: { lastInForce: 1 } });
    expect((await viewer.send({ path: `/api/sops/${id}` })).status).toBe(404);
    expect((await ask(manager, id, { verdict: "keep" })).status).toBe(409);
    const verdicts = await manager.client.sops.reviews({ params: { id } });
    expect(verdicts.map(({ verdict, note, reviewBy }) => [verdict, note, reviewBy])).toEqual([
      ["archive", "Sold", null],
      ["revise", "See draft", null],
    ]);
  });

  test("are refused for readers, without a published version, and from a stale page", async () => {
    const { manager, owner, viewer, id } = await stage();
    expect((await ask(viewer, id, { verdict: "keep" })).status).toBe(403);
    expect((await ask(manager, id, { verdict: "keep" }, { "if-match": '"v7"' })).status).toBe(412);
    const draft = await manager.client.sops.create({ body: text });
    const answer = await ask(manager, draft.id, { verdict: "keep" });
    expect([answer.status, answer.json()]).toMatchObject([409, { message: "This SOP has no published version" }]);
    expect((await ask(viewer, draft.id, { verdict: "keep" })).status).toBe(404);
    await owner.client.sops.review({ params: { id }, body: { verdict: "revise", note: "Hush" } });
    const seen = await viewer.client.sops.reviews({ params: { id } });
    expect(seen.map(({ verdict, note }) => [verdict, note])).toEqual([["revise", null]]);
  });

  test("restart their interval at a publication after the due date; a date ahead stays", async () => {
    const { manager, id } = await stage({ reviewBy: dayAhead(server(), 2) });
    const publish = async (markdown: string) =>
      (await manager.client.sops.update({ params: { id }, body: { markdown, status: "published" } })).reviewBy;
    const ahead = dayAhead(server(), 2);
    expect(await publish("Two.")).toBe(ahead);
    server().clock.advance(3 * day);
    await server()
      .db.collection("sessions")
      .updateMany({}, { $set: { lastSeenAt: server().clock.now() } });
    const expected = `2027${server().clock.now().slice(4, 10)}`;
    expect(await publish("Three.")).toBe(expected);
    expect(await publish("Four.")).toBe(expected);
  });

  test("are listed as due by the published version", async () => {
    const { company, manager, owner, viewer } = await stage();
    const admin = await company.user("company_admin");
    const make = async (days: number, more: object = {}) =>
      (
        await manager.client.sops.create({
          body: { ...text, status: "published", ownerId: owner.id, reviewBy: dayAhead(server(), days), ...more },
        })
      ).id;
    const [overdue, soon] = [await make(-3), await make(30)];
    await make(31);
    const [moved, archived] = [await make(10), await make(10)];
    await make(10, { status: "draft" });
    await manager.client.sops.update({ params: { id: moved }, body: { reviewBy: dayAhead(server(), 300) } });
    await manager.client.sops.archive({ params: { id: archived }, body: {} });
    for (const user of [admin, manager, owner, viewer]) {
      const { data, total } = await user.client.sops.list({ query: { review: "due", total: "true" } });
      // what is published with a date that has passed gets the next one
      expect([user.role, data.map(({ id }) => id).sort(), total]).toEqual([user.role, [soon, moved].sort(), 2]);
    }
    server().clock.advance(40 * day);
    await server()
      .db.collection("sessions")
      .updateMany({}, { $set: { lastSeenAt: server().clock.now() } });
    const later = await owner.client.sops.list({ query: { review: "due", mine: "true" } });
    expect(later.data.length).toBe(3);
    expect(later.data.map(({ id }) => id)).not.toContain(overdue);
  });
});
