import { expect, test } from "vitest";
import { SopQuery } from "#core/sops/list-schema.ts";
import { printedName } from "#core/users/printed-name.ts";
import { describeServer, type TestUser } from "../../../test/server.ts";

describeServer("lists of SOPs", (server) => {
  const editor = async () => (await server().company()).user("manager");

  /** Each a second after the one before. */
  async function make(user: TestUser, titles: readonly string[], fields: object = {}): Promise<string[]> {
    const ids: string[] = [];
    for (const title of titles) {
      server().clock.advance(1000);
      ids.push((await user.client.sops.create({ body: { title, description: "D", markdown: "M", ...fields } })).id);
    }
    return ids;
  }
  const titles = async (user: TestUser, query: Partial<SopQuery> & Record<string, unknown> = {}) =>
    (await user.client.sops.list({ query })).data.map(({ title }) => title);

  test("tell people apart whose names look alike, in rows, on the page and in the filter", async () => {
    const company = await server().company();
    const [one, two, other] = [
      await company.user("manager", { name: "Mei Tanaka" }),
      await company.user("manager", { name: "Tanaka, Меi" }),
      await company.user("manager", { name: "Ola Nord" }),
    ];
    await (await server().company()).user("manager", { name: "Ola Nord" });
    for (const user of [one, two, other]) await make(user, [user.username]);
    const { data, facets } = await one.client.sops.list({ query: { facets: "true" } });
    const shown = data.map(({ owner, author }) => [owner?.username, owner?.hasNamesake, author?.hasNamesake]);
    expect(shown).toEqual([
      [other.username, false, false],
      [two.username, true, true],
      [one.username, true, true],
    ]);
    const page = await one.client.sops.get({ params: { id: data[1]?.id ?? "" } });
    expect(page.owner).toMatchObject({ username: two.username, hasNamesake: true });
    expect(facets?.owner.map(({ label }) => label).sort()).toEqual([one, two, other].map(printedName).sort());
    expect(await one.client.users.list()).toContainEqual({ id: two.id, name: two.name, username: two.username });

    // a new name counts at once
    await other.client.account.update({ body: { name: "Ola Nordmann" } });
    const renamed = await company.user("company_admin");
    await renamed.client.companyUsers.update({ params: { id: two.id }, body: { name: "Mia Tanaka" } });
    const after = (await one.client.sops.list()).data.map(({ owner }) => owner?.hasNamesake);
    expect(after).toEqual([false, false, false]);
  });

  test("have the newest change first, page by page, in a stable order to the end", async () => {
    const user = await editor();
    const [first = ""] = await make(user, ["1", "2", "3", "4", "5"]);
    server().clock.advance(1000);
    await user.client.sops.update({ params: { id: first }, body: { title: "1 again" } });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await user.client.sops.list({ query: { limit: 2, cursor, total: "true" } });
      expect(page.total).toBe(5);
      seen.push(...page.data.map(({ title }) => title));
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen).toEqual(["1 again", "5", "4", "3", "2"]);
    const rows = await user.client.sops.list();
    expect(rows).not.toHaveProperty("total");
    expect(rows).not.toHaveProperty("nextCursor");
    expect(rows.data.every((row) => !("markdown" in row) && !("content" in row))).toBe(true);
  });

  test("neither repeat nor skip a row when SOPs are created, and keep the order of rows of one moment", async () => {
    const user = await editor();
    const body = { description: "D", markdown: "M" };
    for (let n = 0; n < 7; n++) await user.client.sops.create({ body: { title: `same moment ${n}`, ...body } });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await user.client.sops.list({ query: { limit: 3, cursor } });
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.nextCursor;
      server().clock.advance(1000);
      await make(user, ["in between"]);
    } while (cursor);
    expect(seen.length).toBe(7);
    expect(new Set(seen).size).toBe(7);
  });

  test("combine published SOPs with a reader's own drafts in their pages", async () => {
    const company = await server().company();
    const [manager, contributor] = [await company.user("manager"), await company.user("contributor")];
    for (const n of [1, 2, 3]) {
      await make(manager, [`published ${n}`], { status: "published" });
      await make(contributor, [`own ${n}`]);
      await make(manager, [`hidden ${n}`]);
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await contributor.client.sops.list({ query: { limit: 1, cursor, total: "true" } });
      expect(page.total).toBe(6);
      seen.push(...page.data.map(({ title }) => title));
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen).toEqual(["own 3", "published 3", "own 2", "published 2", "own 1", "published 1"]);
    expect(await titles(contributor, { mine: "true" })).toEqual(["own 3", "own 2", "own 1"]);
    expect((await titles(manager, { mine: "true" })).length).toBe(6);
  });

  test("are filtered by category, status, template and time, alone and together", async () => {
    const user = await editor();
    const [hr, safety] = await user.client.categories.list();
    await make(user, ["old"], { categoryId: hr?.id });
    server().clock.advance(8 * 24 * 3_600_000);
    await make(user, ["week"], { categoryId: hr?.id, status: "published" });
    await make(user, ["safe"], { categoryId: safety?.id, isTemplate: true });
    await make(user, ["loose"]);
    expect(await titles(user, { category: hr?.id })).toEqual(["week", "old"]);
    expect(await titles(user, { category: "none" })).toEqual(["loose"]);
    expect(await titles(user, { category: "all", status: "all", time: "anytime" })).toEqual([
      "loose",
      "safe",
      "week",
      "old",
    ]);
    expect(await titles(user, { status: "published" })).toEqual(["week"]);
    expect(await titles(user, { status: "draft" })).toEqual(["loose", "safe", "old"]);
    expect(await titles(user, { template: "true" })).toEqual(["safe"]);
    expect(await titles(user, { template: "false" })).toEqual(["loose", "week", "old"]);
    expect(await titles(user, { time: "7d" })).toEqual(["loose", "safe", "week"]);
    expect(await titles(user, { time: "30d" })).toEqual(["loose", "safe", "week", "old"]);
    expect(await titles(user, { category: hr?.id, status: "draft", time: "30d" })).toEqual(["old"]);
    expect(await titles(user, { category: hr?.id, status: "draft", time: "7d" })).toEqual([]);
  });

  test("are filtered by tag, owner, team and language, with names and ids", async () => {
    const company = await server().company();
    const [user, admin] = [await company.user("manager"), await company.user("company_admin")];
    const other = await company.user("editor");
    const team = await admin.client.teams.create({ body: { name: "Front of house" } });
    await make(user, ["tea"], { tags: ["hot", "daily"], lang: "de-AT", teamId: team.id });
    await make(user, ["coffee"], { tags: ["hot"], lang: "de", ownerId: other.id, status: "published" });
    await make(user, ["water"], { lang: "den", ownerId: null });
    expect(await titles(user, { tag: "hot" })).toEqual(["coffee", "tea"]);
    expect(await titles(user, { tag: "hot", owner: other.id })).toEqual(["coffee"]);
    expect(await titles(user, { owner: other.username })).toEqual(["coffee"]);
    expect(await titles(user, { owner: "none" })).toEqual(["water"]);
    expect(await titles(user, { owner: "no such name" })).toEqual([]);
    for (const name of [team.id, team.slug]) expect(await titles(user, { team: name })).toEqual(["tea"]);
    expect(await titles(user, { team: "none" })).toEqual(["water", "coffee"]);
    expect(await titles(user, { lang: "de" })).toEqual(["coffee", "tea"]);
    expect(await titles(user, { lang: "de-AT" })).toEqual(["tea"]);
    expect((await user.client.search.find({ query: { q: "tea", tag: "daily" } })).data.length).toBe(1);
    expect((await user.client.search.find({ query: { q: "tea", lang: "en" } })).data).toEqual([]);
  });

  test("are sorted by each field in both directions, page by page", async () => {
    const company = await server().company();
    const [user, other] = [
      await company.user("manager", { name: "Zoe" }),
      await company.user("editor", { name: "Ann" }),
    ];
    const [hr, safety] = await user.client.categories.list();
    await make(user, ["Step 10"], { categoryId: safety?.id, status: "published" });
    await make(user, ["step 9"], { categoryId: hr?.id, ownerId: other.id });
    await make(user, ["Äpfel"], { ownerId: null });
    const sorted = async (sort: SopQuery["sort"]) => {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await user.client.sops.list({ query: { limit: 1, cursor, sort, total: "true" } });
        expect(page.total).toBe(3);
        seen.push(...page.data.map(({ title }) => title));
        cursor = page.nextCursor;
      } while (cursor);
      return seen;
    };
    const [ten, nine, apples] = ["Step 10", "step 9", "Äpfel"];
    expect(await sorted("title")).toEqual([apples, nine, ten]);
    expect(await sorted("-title")).toEqual([ten, nine, apples]);
    expect(await sorted("number")).toEqual([ten, nine, apples]);
    expect(await sorted("-number")).toEqual([apples, nine, ten]);
    expect(await sorted("updated")).toEqual([ten, nine, apples]);
    expect(await sorted("-updated")).toEqual([apples, nine, ten]);
    expect(await sorted("status")).toEqual([nine, apples, ten]);
    // those without one are last, in both directions
    expect(await sorted("category")).toEqual([nine, ten, apples]);
    expect(await sorted("-category")).toEqual([ten, nine, apples]);
    expect(await sorted("owner")).toEqual([nine, ten, apples]);
    expect(await sorted("-owner")).toEqual([ten, nine, apples]);
    await expect(user.client.sops.list({ query: { sort: "title", cursor: "x" } })).rejects.toMatchObject({
      status: 400,
    });
  });

  test("are sorted and filtered for readers by the published version alone", async () => {
    const company = await server().company();
    const [manager, viewer] = [await company.user("manager"), await company.user("viewer")];
    const [id = ""] = await make(manager, ["B"], { status: "published", tags: ["old"], lang: "de" });
    await make(manager, ["C"], { status: "published" });
    await make(manager, ["hidden"], { tags: ["secret"] });
    const draft = { title: "Z", tags: ["secret"], lang: "fr", ownerId: null };
    await manager.client.sops.update({ params: { id }, body: { ...draft, status: "draft" } });
    expect(await titles(manager, { sort: "-title" })).toEqual(["Z", "hidden", "C"]);
    expect(await titles(viewer, { sort: "-title" })).toEqual(["C", "B"]);
    expect(await titles(viewer, { sort: "title", total: "true" })).toEqual(["B", "C"]);
    expect([await titles(viewer, { tag: "secret" }), await titles(viewer, { tag: "old" })]).toEqual([[], ["B"]]);
    expect([await titles(viewer, { lang: "fr" }), await titles(viewer, { lang: "de" })]).toEqual([[], ["B"]]);
    expect(await titles(viewer, { owner: "none" })).toEqual([]);
  });

  test("with status=published show the version that readers have, in rows, order, filters and counts", async () => {
    const company = await server().company();
    const [user, contributor] = [await company.user("manager"), await company.user("contributor")];
    const old = { status: "published" as const, tags: ["old"] };
    const next = { description: "Later", tags: ["new"] };
    const [drafted = ""] = await make(user, ["Pump B"], old);
    const [waiting = ""] = await make(user, ["Pump A"], old);
    const [own = ""] = await make(contributor, ["Pump C"], { tags: ["old"] });
    await user.client.sops.publish({ params: { id: own }, body: {} });
    await make(user, ["Pump D"]);
    const later = { ...next, status: "published" as const, effectiveAt: "2099-01-01" };
    await user.client.sops.update({ params: { id: drafted }, body: { ...next, title: "Pump Y", status: "draft" } });
    await user.client.sops.update({ params: { id: waiting }, body: { ...later, title: "Pump Z" } });
    await contributor.client.sops.update({ params: { id: own }, body: { ...next, title: "Pump X" } });
    for (const who of [user, contributor]) {
      for (const search of [undefined, "pump"]) {
        const query = { status: "published" as const, search, sort: "title" as const };
        const { data, total, facets } = await who.client.sops.list({
          query: { ...query, total: "true", facets: "true" },
        });
        expect(total).toBe(3);
        expect(
          data.map((row) => [row.title, row.description, row.tags, row.version, row.status, row.scheduled]),
        ).toEqual(["Pump A", "Pump B", "Pump C"].map((title) => [title, "D", ["old"], 1, "published", null]));
        expect(facets?.tag).toEqual([{ value: "old", label: "old", count: 3 }]);
        const counts = new Map(facets?.status.map(({ value, count }) => [value, count]));
        expect([counts.get("published"), counts.get("draft")]).toEqual(who === user ? [3, 3] : [3, 1]);
        expect(await titles(who, { ...query, tag: "new" })).toEqual([]);
        expect(await titles(who, { ...query, tag: "old" })).toEqual(["Pump A", "Pump B", "Pump C"]);
        const tagged = await who.client.sops.list({ query: { search, tag: "old", facets: "true" } });
        expect(tagged.facets?.status.find(({ value }) => value === "published")?.count).toBe(3);
      }
      expect(await titles(who, { status: "published", search: "later" })).toEqual([]);
    }
    expect((await titles(contributor, { status: "published", recent: "all" })).toSorted()).toEqual(["Pump C"]);
    expect((await titles(user, { status: "draft" })).toSorted()).toEqual(["Pump D", "Pump X", "Pump Y"]);
    expect(await titles(user, { status: "scheduled" })).toEqual(["Pump Z"]);
  });

  test("take three months as 91 days", async () => {
    const company = await server().company();
    await make(await company.user("manager"), ["long ago"]);
    server().clock.advance(91 * 24 * 3_600_000);
    const user = await company.user("manager");
    expect(await titles(user, { time: "3m" })).toEqual(["long ago"]);
    server().clock.advance(1);
    expect(await titles(user, { time: "3m" })).toEqual([]);
  });

  test("leave out archived SOPs by default", async () => {
    const user = await editor();
    await make(user, ["gone"], { status: "archived" });
    expect(await titles(user)).toEqual([]);
    expect(await titles(user, { status: "archived" })).toEqual(["gone"]);
    expect(await titles(user, { search: "gone" })).toEqual([]);
    expect(await user.client.stats.get()).toMatchObject({ totalSOPs: 0 });
  });

  test("are searched by each word as a prefix, in title, description, tags and text, ignoring case and accents", async () => {
    const user = await editor();
    await make(user, ["Crème brûlée for two"], {
      markdown: "Heat the **torch**.",
      tags: ["dessert"],
      description: "Sugar on top",
    });
    await make(user, ["Cream tea"], { markdown: "Scones." });
    for (const search of ["creme", "CRÈME", "brul", "torch", "dess", "sugar", "creme torch", "two cre des"]) {
      expect([search, await titles(user, { search })]).toEqual([search, ["Crème brûlée for two"]]);
    }
    expect(await titles(user, { search: "cre" })).toEqual(["Cream tea", "Crème brûlée for two"]);
    for (const search of ["reme", "%", "$", ".*"]) {
      expect([search, await titles(user, { search })]).toEqual([search, []]);
    }
    // what no text has is left out, as the search leaves it out
    expect(await titles(user, { search: "brulee!!!x" })).toEqual(["Crème brûlée for two"]);
    expect((await titles(user, { search: "   " })).length).toBe(2);
    expect((await user.client.sops.list({ query: { search: "cre", total: "true", limit: 1 } })).total).toBe(2);
  });

  test("refuse an invalid cursor", async () => {
    const user = await editor();
    for (const cursor of ["x", Buffer.from("2026 nothing").toString("base64url"), "%00"]) {
      await expect(user.client.sops.list({ query: { cursor } })).rejects.toMatchObject({
        status: 400,
        details: { cursor: expect.any(String) },
      });
    }
  });

  test("count views once per user, SOP and hour, and keep them after a restart", async () => {
    const company = await server().company();
    const [author, reader] = [await company.user("manager"), await company.user("viewer")];
    const [id = ""] = await make(author, ["watched"], { status: "published" });
    for (const user of [author, reader, reader]) await user.client.sops.get({ params: { id } });
    await server().restart();
    expect((await author.client.sops.get({ params: { id } })).views).toBe(2);
    server().clock.advance(3_600_000);
    await reader.client.sops.get({ params: { id } });
    await server().restart();
    const { data } = await reader.client.sops.list();
    // the author's second reading came after the restart, which forgets who has read this hour
    expect(data.map(({ views }) => views)).toEqual([4]);
  });
});
