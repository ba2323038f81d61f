import { expect, test } from "vitest";
import { describeServer } from "../../test/server.ts";

describeServer("categories", (server) => {
  test("keep their slug permanently, and have unique names", async () => {
    const user = await (await server().company()).user("manager");
    const made = await user.client.categories.create({ body: { name: " Lab & Quality ", color: "accent" } });
    expect(made).toMatchObject({ name: "Lab & Quality", slug: "lab-and-quality", color: "accent", count: 0 });
    await expect(user.client.categories.create({ body: { name: "lab and quality" } })).rejects.toMatchObject({
      status: 409,
      details: { name: expect.any(String) },
    });
    const renamed = await user.client.categories.update({
      params: { id: made.id },
      body: { ...made, name: "Quality", slug: "other" },
    });
    expect(renamed).toMatchObject({ name: "Quality", slug: "lab-and-quality" });
    expect((await user.client.categories.list()).map(({ name }) => name)).toEqual([
      "HR Procedures",
      "Safety Protocols",
      "IT Operations",
      "Finance",
      "Quality",
    ]);
    const audit = await server()
      .db.forCompany(user.companyId)
      .collection("audit_logs")
      .find({ entityId: made.id }, { sort: { _id: 1 } });
    expect(audit.map(({ action, changes }) => [action, changes])).toEqual([
      ["category.create", { name: "Lab & Quality", color: "accent" }],
      ["category.update", { name: { from: "Lab & Quality", to: "Quality" } }],
    ]);
  });

  test("fit the trade chosen before the first SOP; changed ones stay, and SOPs keep theirs", async () => {
    const company = await server().company();
    const admin = await company.user("company_admin");
    const { client } = admin;
    const names = async () => (await client.categories.list()).map(({ name }) => name);
    const finance = (await client.categories.list()).find(({ name }) => name === "Finance");
    await client.categories.update({ params: { id: finance?.id ?? "" }, body: { name: "Money" } });
    await client.company.update({ body: { name: "Harbor Lane" } });
    expect(await names()).toEqual(["HR Procedures", "Safety Protocols", "IT Operations", "Money"]);
    await client.company.update({ body: { industry: "Laboratory" } });
    expect(await names()).toEqual(["Lab Methods", "Safety Protocols", "Quality", "HR Procedures", "Money"]);
    await client.company.update({ body: { industry: "Making and building" } });
    expect(await names()).toEqual(["Production", "Safety Protocols", "Quality", "HR Procedures", "Money"]);
    const audit = await server().db.forCompany(company.id).collection("audit_logs").find({ action: "company.update" });
    expect(audit.map(({ changes }) => (changes as Record<string, unknown>).categories)).toContainEqual({
      from: "Lab Methods, Safety Protocols, Quality, HR Procedures, Money",
      to: "Production, Safety Protocols, Quality, HR Procedures, Money",
    });
    await client.sops.create({ body: { title: "T", description: "D", markdown: "M" } });
    await client.company.update({ body: { industry: "Laboratory" } });
    expect((await names())[0]).toBe("Production");
    await server().running.services.repositories.drain(company.id);
    expect(await client.repository.get()).toMatchObject({ lag: 0 });
  });

  test("show their new name on every SOP at once, and in the repository", async () => {
    const company = await server().company();
    const [manager, viewer] = [await company.user("manager"), await company.user("viewer")];
    const [category] = await manager.client.categories.list();
    const { id } = await manager.client.sops.create({
      body: { title: "T", description: "D", markdown: "M", categoryId: category?.id, status: "published" },
    });
    await manager.client.categories.update({ params: { id: category?.id ?? "" }, body: { name: "People" } });
    for (const user of [manager, viewer])
      expect((await user.client.sops.get({ params: { id } })).category).toEqual({ name: "People" });
    await server().running.services.repositories.drain(company.id);
    expect(await manager.client.repository.get()).toMatchObject({ lag: 0, seq: 3 });
    await expect(viewer.client.categories.create({ body: { name: "X" } })).rejects.toMatchObject({ status: 403 });
    await expect(manager.client.categories.create({ body: { name: "X", teamId: "none" } })).rejects.toMatchObject({
      status: 400,
    });
  });

  test("list their SOPs with those of the categories inside them", async () => {
    const company = await server().company();
    const [manager, viewer] = [await company.user("manager"), await company.user("viewer")];
    const { categories, sops } = manager.client;
    const outer = await categories.create({ body: { name: "Production" } });
    const inner = await categories.create({ body: { name: "Cleaning", parentId: outer.id } });
    const titles = ["One", "Two", "Three", "Four"];
    for (const [index, title] of titles.entries()) {
      const categoryId = (index % 2 === 0 ? outer : inner).id;
      await sops.create({ body: { title, description: "D", markdown: "M", categoryId, status: "published" } });
    }
    await sops.create({ body: { title: "Hidden", description: "D", markdown: "M", categoryId: inner.id } });
    const listed = async ({ client }: typeof viewer, category: string) => {
      const pages = [await client.sops.list({ query: { category, limit: 3, total: "true", facets: "true" } })];
      const cursor = pages[0]?.nextCursor;
      if (cursor !== undefined) pages.push(await client.sops.list({ query: { category, limit: 3, cursor } }));
      return { found: pages.flatMap(({ data }) => data.map(({ title }) => title)), ...pages[0] };
    };
    const seen = await listed(viewer, outer.id);
    expect(seen.found).toEqual(titles.toReversed());
    expect(seen).toMatchObject({
      total: 4,
      facets: { status: expect.arrayContaining([expect.objectContaining({ value: "published", count: 4 })]) },
    });
    expect((await listed(manager, outer.id)).found).toEqual(["Hidden", ...titles.toReversed()]);
    expect((await listed(viewer, inner.id)).found).toEqual(["Four", "Two"]);
    const found = await viewer.client.sops.list({ query: { category: outer.id, search: "two" } });
    expect(found.data.map(({ title }) => title)).toContain("Two");
    const counts = async ({ client }: typeof viewer) =>
      (await client.categories.list()).filter(({ count }) => count > 0).map(({ name, count }) => [name, count]);
    expect(await counts(viewer)).toEqual([
      ["Production", 4],
      ["Cleaning", 2],
    ]);
    expect(await counts(manager)).toEqual([
      ["Production", 5],
      ["Cleaning", 3],
    ]);
  });

  test("take no name whose folder is that of SOPs without category", async () => {
    const { client } = await (await server().company()).user("manager");
    const { id } = await client.categories.create({ body: { name: "Cleaning" } });
    for (const name of ["Uncategorized", "UNCATEGORIZED!", "Ùncategorized"]) {
      const refused = {
        status: 400,
        details: { name: "This name means “no category”. Choose another one" },
      };
      await expect(client.categories.create({ body: { name } })).rejects.toMatchObject(refused);
      await expect(client.categories.update({ params: { id }, body: { name } })).rejects.toMatchObject(refused);
    }
    expect(await client.categories.create({ body: { name: "Uncategorized waste" } })).toMatchObject({
      slug: "uncategorized-waste",
    });
  });

  test("have two levels, and the repository knows them", async () => {
    const company = await server().company();
    const { client } = await company.user("manager");
    const other = await (await (await server().company()).user("manager")).client.categories.list();
    const outer = await client.categories.create({ body: { name: "Production" } });
    const inner = await client.categories.create({ body: { name: "Cleaning", parentId: outer.id } });
    expect((await client.categories.list()).map(({ name }) => name).slice(-2)).toEqual(["Production", "Cleaning"]);
    const refused = { status: 400, details: { parentId: expect.any(String) } };
    for (const parentId of [inner.id, "none", other[0]?.id ?? ""])
      await expect(client.categories.create({ body: { name: "Third", parentId } })).rejects.toMatchObject(refused);
    const [hr] = await client.categories.list();
    for (const parentId of [outer.id, hr?.id ?? ""])
      await expect(client.categories.update({ params: { id: outer.id }, body: { parentId } })).rejects.toMatchObject(
        refused,
      );
    const events = server().db.forCompany(company.id).collection("repo_events");
    const last = async () => (await events.find({}, { sort: { seq: -1 }, limit: 1 }))[0]?.categories?.at(-1);
    expect(await last()).toMatchObject({ slug: "cleaning", parent: "production" });
    const params = { id: inner.id };
    expect(await client.categories.update({ params, body: { name: "Care" } })).toMatchObject({ parentId: outer.id });
    expect(await client.categories.update({ params, body: { parentId: null } })).toMatchObject({ parentId: null });
    expect(await last()).toEqual({ slug: "cleaning", name: "Care", color: "primary", order: expect.any(Number) });
  });

  test("override the company's rules for approval and review", async () => {
    const company = await server().company();
    const [manager, editor] = [await company.user("manager"), await company.user("editor")];
    const made = await manager.client.categories.create({ body: { name: "Labs", requiresApproval: true } });
    expect(made).toMatchObject({ requiresApproval: true, approvalRule: null, reviewMonths: null });
    const params = { id: made.id };
    const events = server().db.forCompany(company.id).collection("repo_events");
    const stood = await events.countDocuments({});
    const body = { approvalRule: { kind: "n_of_m", count: 2 }, reviewMonths: 6 } as const;
    expect(await manager.client.categories.update({ params, body })).toMatchObject({ ...body, requiresApproval: true });
    // the repository holds names and colours alone
    expect(await events.countDocuments({})).toBe(stood);
    for (const wrong of [{ kind: "n_of_m", count: 0 }, { kind: "n_of_m" }, { kind: "some" }] as never[])
      await expect(manager.client.categories.update({ params, body: { approvalRule: wrong } })).rejects.toMatchObject({
        status: 400,
      });
    await expect(manager.client.categories.update({ params, body: { reviewMonths: 0 } })).rejects.toMatchObject({
      status: 400,
    });
    await expect(editor.client.categories.update({ params, body: { requiresApproval: false } })).rejects.toMatchObject({
      status: 403,
    });
    const draft = { title: "T", description: "D", markdown: "M", categoryId: made.id };
    await expect(manager.client.sops.create({ body: { ...draft, status: "published" } })).rejects.toMatchObject({
      status: 409,
      serverMessage: expect.stringMatching(/ category Labs /),
    });
    const left = { requiresApproval: false, approvalRule: null, reviewMonths: null };
    expect(await manager.client.categories.update({ params, body: left })).toMatchObject(left);
    expect(await manager.client.sops.create({ body: { ...draft, status: "published" } })).toMatchObject({
      status: "published",
    });
    const log = await server()
      .db.forCompany(company.id)
      .collection("audit_logs")
      .find({ entityId: made.id }, { sort: { _id: 1 } });
    expect(log.filter(({ action }) => action !== "access.denied").map(({ changes }) => changes)).toEqual([
      { name: "Labs", color: "primary", requiresApproval: true },
      {
        approvalRule: { from: null, to: { kind: "n_of_m", count: 2 } },
        reviewMonths: { from: null, to: 6 },
      },
      {
        requiresApproval: { from: true, to: false },
        approvalRule: { from: { kind: "n_of_m", count: 2 }, to: null },
        reviewMonths: { from: 6, to: null },
      },
    ]);
  });

  test("created by several people at once are all kept, without a gap in the ledger", async () => {
    const user = await (await server().company()).user("manager");
    await Promise.all(
      Array.from({ length: 6 }, (_, n) => user.client.categories.create({ body: { name: `Category ${n}` } })),
    );
    const stored = server().db.forCompany(user.companyId);
    expect(await stored.collection("categories").countDocuments({})).toBe(10);
    const events = await stored.collection("repo_events").find({ type: "category" }, { sort: { seq: 1 } });
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(events.at(-1)?.categories?.length).toBe(10);
    const orders = (await stored.collection("categories").find({}, { sort: { order: 1 } })).map(({ order }) => order);
    expect(new Set(orders).size).toBe(10);
  });
});
