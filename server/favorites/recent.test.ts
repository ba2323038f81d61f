import { expect, test } from "vitest";
import type { RecentRange } from "#core/favorites/rules.ts";
import { describeServer, type TestUser } from "../../test/server.ts";

const dayMs = 24 * 3_600_000;

describeServer("recent SOPs", (server) => {
  const body = { description: "D", markdown: "M" };
  async function publish(user: TestUser, titles: readonly string[], fields: object = {}): Promise<string[]> {
    const ids: string[] = [];
    for (const title of titles) {
      server().clock.advance(1000);
      const made = await user.client.sops.create({ body: { title, ...body, status: "published", ...fields } });
      ids.push(made.id);
    }
    return ids;
  }
  async function open(user: TestUser, ...ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      server().clock.advance(1000);
      await user.client.sops.get({ params: { id } });
    }
  }
  const recent = async (user: TestUser, range: RecentRange = "week", more: object = {}) =>
    (await user.client.sops.list({ query: { recent: range, ...more } })).data.map(({ title }) => title);

  test("are the SOPs that the user opened or changed, last first, not those of others", async () => {
    const company = await server().company();
    const [ann, ben] = [await company.user("manager"), await company.user("viewer")];
    const [one = "", two = "", three = ""] = await publish(ann, ["one", "two", "three"]);
    expect(await recent(ann)).toEqual(["three", "two", "one"]);
    expect(await recent(ben)).toEqual([]);
    await open(ben, two, three);
    expect(await recent(ben)).toEqual(["three", "two"]);
    // in the list at once, without waiting for a batch
    await open(ben, two);
    expect(await recent(ben)).toEqual(["two", "three"]);
    server().clock.advance(1000);
    await ann.client.sops.update({ params: { id: one }, body: { title: "one again" } });
    expect(await recent(ann)).toEqual(["one again", "three", "two"]);
    expect(await recent(ben)).toEqual(["two", "three"]);
    server().clock.advance(1000);
    await ann.client.sops.archive({ params: { id: one }, body: {} });
    expect(await recent(ann)).toEqual(["three", "two"]);
    expect(await recent(ann, "week", { status: "archived" })).toEqual(["one again"]);
  });

  test("cover a day, a week, a month, a quarter or all time up to now", async () => {
    const company = await server().company();
    const [ann, ben] = [await company.user("manager"), await company.user("viewer")];
    const [id = ""] = await publish(ann, ["one"]);
    await open(ben, id);
    const inRange = async () => {
      // the session would end by then; this test is not about that
      const lastSeenAt = server().clock.now();
      await server().db.collection("sessions").updateMany({ userId: ben.id }, { $set: { lastSeenAt } });
      const found: RecentRange[] = [];
      for (const range of ["today", "week", "month", "quarter", "all"] as const)
        if ((await recent(ben, range)).length > 0) found.push(range);
      return found;
    };
    expect(await inRange()).toEqual(["today", "week", "month", "quarter", "all"]);
    server().clock.advance(dayMs);
    expect(await inRange()).toEqual(["today", "week", "month", "quarter", "all"]);
    server().clock.advance(1);
    expect(await inRange()).toEqual(["week", "month", "quarter", "all"]);
    server().clock.advance(6 * dayMs);
    expect(await inRange()).toEqual(["month", "quarter", "all"]);
    server().clock.advance(23 * dayMs);
    expect(await inRange()).toEqual(["quarter", "all"]);
    server().clock.advance(61 * dayMs);
    expect(await inRange()).toEqual(["all"]);
  });

  test("come in pages in a stable order to the end, also those of one moment, without hidden SOPs", async () => {
    const company = await server().company();
    const [ann, ben] = [await company.user("manager"), await company.user("contributor")];
    const ids = await publish(ann, ["1", "2", "3", "4", "5", "6", "7"]);
    await open(ben, ...ids.slice(0, 3));
    for (const id of ids.slice(3)) await ben.client.sops.get({ params: { id } });
    await ann.client.sops.unpublish({ params: { id: ids[1] ?? "" }, body: {} });
    await ann.client.sops.restrict({ params: { id: ids[5] ?? "" }, body: { restricted: true } });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await ben.client.sops.list({ query: { recent: "today", limit: 2, total: "true", cursor } });
      expect(page.total).toBe(5);
      seen.push(...page.data.map(({ title }) => title));
      cursor = page.nextCursor;
    } while (cursor);
    // 3 to 7 were opened at one moment
    expect(seen.slice(0, 4).sort()).toEqual(["3", "4", "5", "7"]);
    expect(seen.slice(4)).toEqual(["1"]);
    await expect(ben.client.sops.list({ query: { recent: "all", cursor: "x" } })).rejects.toMatchObject({
      status: 400,
    });
  });

  test("fill a page even if most opened SOPs are gone", async () => {
    const user = await (await server().company()).user("manager");
    const [first = ""] = await publish(user, ["first"]);
    const marks = server().db.forCompany(user.companyId).collection("sop_uses");
    const at = (minute: number) => new Date(server().clock.millis() + minute * 60_000).toISOString();
    await user.client.sops.list({ query: { recent: "all" } });
    await marks.insertMany(
      Array.from({ length: 250 }, (_, n) => ({
        _id: `${user.id}:gone-${n}`,
        companyId: user.companyId,
        userId: user.id,
        sopId: `gone-${n}`,
        favorite: n % 2 === 0,
        recentAt: at(n),
      })),
    );
    expect(await recent(user, "all", { limit: 1 })).toEqual(["first"]);
    await user.client.sops.favorite({ params: { id: first } });
    expect(await recent(user, "all", { favorite: "true" })).toEqual(["first"]);
  });

  test("can be narrowed by search, category and status", async () => {
    const company = await server().company();
    const user = await company.user("manager");
    const [hr, safety] = await user.client.categories.list();
    await publish(user, ["pump check"], { categoryId: hr?.id });
    await publish(user, ["pump repair", "valve"], { categoryId: safety?.id });
    await user.client.sops.create({ body: { title: "pump draft", ...body } });
    expect(await recent(user, "week", { search: "pump" })).toEqual(["pump draft", "pump repair", "pump check"]);
    expect(await recent(user, "week", { search: "pump", status: "published" })).toEqual(["pump repair", "pump check"]);
    expect(await recent(user, "week", { category: hr?.id })).toEqual(["pump check"]);
    const { total } = await user.client.sops.list({
      query: { recent: "week", search: "pump", total: "true", limit: 1 },
    });
    expect(total).toBe(3);
  });

  test("include SOPs opened just before a restart", async () => {
    const company = await server().company();
    const [ann, ben] = [await company.user("manager"), await company.user("viewer")];
    const [one = "", two = ""] = await publish(ann, ["one", "two"]);
    await open(ben, one, two);
    await ben.client.sops.favorite({ params: { id: one } });
    await server().restart();
    expect(await recent(ben)).toEqual(["two", "one"]);
    const { data } = await ben.client.sops.list({ query: { favorite: "true" } });
    expect(data.map(({ title }) => title)).toEqual(["one"]);
  });

  test("keep a later opening when another server writes an earlier one after it", async () => {
    const user = await (await server().company()).user("manager");
    const [one = "", two = ""] = await publish(user, ["one", "two"]);
    await user.client.sops.list({ query: { recent: "all" } });
    const marks = server().db.forCompany(user.companyId).collection("sop_uses");
    const later = new Date(server().clock.millis() + 60_000).toISOString();
    await marks.updateOne({ _id: `${user.id}:${one}` }, { $set: { recentAt: later } });
    await open(user, one);
    expect(await recent(user)).toEqual(["one", "two"]);
    expect((await marks.findOne({ _id: `${user.id}:${one}` }))?.recentAt).toBe(later);
    expect(await marks.countDocuments({ sopId: two })).toBe(1);
  });
});
