import { expect, test } from "vitest";
import type { SopQuery } from "#core/sops/list-schema.ts";
import { unknownId } from "../../test/contract-rows.ts";
import { describeServer, json, type TestUser } from "../../test/server.ts";

describeServer("favorites", (server) => {
  const body = { description: "D", markdown: "M" };
  /** Published by `user`, each a second after the one before. */
  async function publish(user: TestUser, titles: readonly string[], fields: object = {}): Promise<string[]> {
    const ids: string[] = [];
    for (const title of titles) {
      server().clock.advance(1000);
      const made = await user.client.sops.create({ body: { title, ...body, status: "published", ...fields } });
      ids.push(made.id);
    }
    return ids;
  }
  const star = (user: TestUser, id: string) => user.client.sops.favorite({ params: { id } });
  const unstar = (user: TestUser, id: string) => user.client.sops.unfavorite({ params: { id } });
  const listed = async (user: TestUser, query: Partial<SopQuery> & Record<string, unknown> = {}) =>
    (await user.client.sops.list({ query: { favorite: "true", ...query } })).data.map(({ title }) => title);

  test("are the user's own: in rows, on the SOP, in the list; adding one twice has no effect", async () => {
    const company = await server().company();
    const [ann, ben] = [await company.user("manager"), await company.user("viewer")];
    const [one = "", two = ""] = await publish(ann, ["one", "two"]);
    expect(await listed(ann)).toEqual([]);
    expect(await star(ann, one)).toEqual({ favorite: true });
    expect(await star(ann, one)).toEqual({ favorite: true });
    expect(await star(ben, two)).toEqual({ favorite: true });

    // twice: the second answer may come from what the server kept
    for (const _ of [1, 2]) {
      const rows = async (user: TestUser) =>
        Object.fromEntries((await user.client.sops.list()).data.map(({ title, favorite }) => [title, favorite]));
      expect(await rows(ann)).toEqual({ one: true, two: false });
      expect(await rows(ben)).toEqual({ one: false, two: true });
    }
    expect(await listed(ann)).toEqual(["one"]);
    expect(await listed(ben)).toEqual(["two"]);
    expect((await ann.client.sops.get({ params: { id: one } })).favorite).toBe(true);
    expect((await ben.client.sops.get({ params: { id: one } })).favorite).toBe(false);
    expect((await ann.client.sops.update({ params: { id: one }, body: { title: "one again" } })).favorite).toBe(true);

    expect(await unstar(ann, one)).toEqual({ favorite: false });
    expect(await unstar(ann, one)).toEqual({ favorite: false });
    expect(await listed(ann)).toEqual([]);
    expect((await ann.client.sops.list()).data.some(({ favorite }) => favorite)).toBe(false);
    expect(await listed(ben)).toEqual(["two"]);
  });

  test("are logged once per change, and events reach only the user's own browsers", async () => {
    const company = await server().company();
    const [ann, ben] = [await company.user("manager"), await company.user("company_admin")];
    const [id = ""] = await publish(ann, ["one"]);
    await star(ben, id);
    await star(ben, id);
    await unstar(ben, id);
    await unstar(ben, id);
    await unstar(ann, id);
    const log = server().db.forCompany(company.id);
    const rows = await log.collection("audit_logs").find({ entityId: id }, { sort: { createdAt: -1, _id: -1 } });
    expect(rows.flatMap(({ action, userId }) => (action.includes("favorite") ? [[action, userId]] : []))).toEqual([
      ["sop.unfavorite", ben.id],
      ["sop.favorite", ben.id],
    ]);
    const events = await log.collection("events").find({}, { sort: { seq: 1 } });
    expect(events.slice(-2).map(({ resources, to, about }) => [resources, to, about])).toEqual([
      [["sops"], [ben.id], undefined],
      [["sops"], [ben.id], undefined],
    ]);
  });

  test("hide SOPs that the user can't see, until they are visible again", async () => {
    const company = await server().company();
    const [ann, ben] = [await company.user("manager"), await company.user("viewer")];
    const [id = "", other = ""] = await publish(ann, ["now and then", "always"]);
    const { id: draft } = await ann.client.sops.create({ body: { title: "a draft", ...body } });
    for (const hidden of [draft, unknownId]) {
      for (const method of ["PUT", "DELETE"]) {
        const answer = await ben.send({ method, path: `/api/sops/${hidden}/favorite`, headers: json, body: "{}" });
        expect([answer.status, answer.json()]).toEqual([404, { code: "not_found", message: "Not found" }]);
      }
    }
    await star(ben, id);
    await star(ben, other);
    const count = async () => (await ben.client.sops.list({ query: { favorite: "true", total: "true" } })).total;
    expect([await listed(ben), await count()]).toEqual([["always", "now and then"], 2]);
    await ann.client.sops.restrict({ params: { id }, body: { restricted: true } });
    expect([await listed(ben), await count()]).toEqual([["always"], 1]);
    await expect(unstar(ben, id)).rejects.toMatchObject({ status: 404 });
    await ann.client.sops.restrict({ params: { id }, body: { restricted: false } });
    await ann.client.sops.update({ params: { id }, body: { title: "a draft of it" } });
    expect([await listed(ben), await count()]).toEqual([["always", "now and then"], 2]);
    await ann.client.sops.unpublish({ params: { id }, body: {} });
    expect([await listed(ben), await count()]).toEqual([["always"], 1]);
    await ann.client.sops.archive({ params: { id: other }, body: {} });
    expect([await listed(ben), await count()]).toEqual([[], 0]);
  });

  test("can't be SOPs of another company", async () => {
    const [company, foreign] = [await server().company(), await server().company()];
    const [ann, stranger] = [await company.user("manager"), await foreign.user("company_admin")];
    const [id = ""] = await publish(ann, ["ours"]);
    await expect(star(stranger, id)).rejects.toMatchObject({ status: 404 });
    expect(await server().db.collection("sop_uses").countDocuments({ sopId: id, userId: stranger.id })).toBe(0);
  });

  test("come in pages, newest change first, with the other filters", async () => {
    const company = await server().company();
    const [ann, ben] = [await company.user("manager"), await company.user("contributor")];
    const [hr] = await ann.client.categories.list();
    const ids = await publish(ann, ["pump 1", "pump 2", "pump 3"], { categoryId: hr?.id });
    ids.push(...(await publish(ann, ["valve 4", "valve 5"])), ...(await publish(ann, ["not starred"])).slice(1));
    const { id: own } = await ben.client.sops.create({ body: { title: "own draft", ...body } });
    for (const id of [...ids].reverse()) await star(ben, id);
    await star(ben, own);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const query = { favorite: "true", limit: 2, total: "true", cursor } as const;
      const page = await ben.client.sops.list({ query });
      expect(page.total).toBe(6);
      expect(page.data.every(({ favorite }) => favorite)).toBe(true);
      seen.push(...page.data.map(({ title }) => title));
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen).toEqual(["own draft", "valve 5", "valve 4", "pump 3", "pump 2", "pump 1"]);
    expect(await listed(ben, { category: hr?.id })).toEqual(["pump 3", "pump 2", "pump 1"]);
    expect(await listed(ben, { status: "draft" })).toEqual(["own draft"]);
    // a search orders by relevance, and both are equally relevant
    expect((await listed(ben, { status: "published", search: "valv" })).toSorted()).toEqual(["valve 4", "valve 5"]);
    expect(await listed(ben, { mine: "true" })).toEqual(["own draft"]);
  });

  test("fit in one list by the hundred", async () => {
    const user = await (await server().company()).user("manager");
    const [id = ""] = await publish(user, ["the last"]);
    const marks = server().db.forCompany(user.companyId).collection("sop_uses");
    await star(user, id);
    await marks.insertMany(
      Array.from({ length: 400 }, (_, n) => ({
        _id: `${user.id}:gone-${n}`,
        companyId: user.companyId,
        userId: user.id,
        sopId: `gone-${n}`,
        favorite: true,
      })),
    );
    expect(await listed(user)).toEqual(["the last"]);
  });
});
