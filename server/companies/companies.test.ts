import { expect, test } from "vitest";
import { describeServer, json } from "../../test/server.ts";
import { pngOf } from "../../test/images.ts";

describeServer("companies", (server, engine) => {
  const rootOf = async () => (await server().company()).user("system_admin");

  test("are created with their defaults, found by name, slug and industry, and counted", async () => {
    const { client } = await rootOf();
    const slug = `harbour-${engine}`;
    const made = await client.companies.create({ body: { name: "Zürich Harbour", slug, industry: "Shipping" } });
    expect(made).toMatchObject({
      status: "active",
      subscription: "free",
      maxUsers: 10,
      maxSOPs: 100,
      userCount: 0,
      sopCount: 0,
    });
    await client.adminUsers.create({ body: { username: `h-${engine}`, name: "Harbour Head", companyId: made.id } });
    for (const search of ["zurich", slug, "SHIPP"]) {
      const { data } = await client.companies.list({ query: { search } });
      expect([search, data.map(({ id, userCount }) => [id, userCount])]).toEqual([search, [[made.id, 1]]]);
    }
    expect(await server().db.forCompany(made.id).collection("categories").countDocuments({})).toBe(4);
    await expect(client.companies.create({ body: { name: "Other", slug } })).rejects.toMatchObject({
      code: "conflict",
      details: { slug: "This slug is taken" },
    });
    const both = await Promise.allSettled(
      ["A one", "B one"].map((name) => client.companies.create({ body: { name, slug: `twin-${engine}` } })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("name the problem of each field", async () => {
    const root = await rootOf();
    const body = { name: "x", slug: "No Slug", website: "nowhere", maxUsers: 0, maxSOPs: 1.5, size: "huge" };
    const answer = await root.send({
      method: "POST",
      path: "/api/admin/companies",
      headers: json,
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(400);
    expect((answer.json() as { details: object }).details).toEqual({
      name: "Company name must be at least 2 characters",
      slug: "Slug must be lowercase with hyphens only",
      website: "Website must be a valid URL",
      maxUsers: "Max users must be at least 1",
      maxSOPs: "Max SOPs must be a whole number",
      size: "This size is not known",
    });
    for (const role of ["company_admin", "admin", "viewer"] as const) {
      const user = await (await server().company()).user(role);
      expect((await user.send({ path: "/api/admin/companies" })).status).toBe(403);
    }
  });

  test("never get quotas below their use", async () => {
    const { client } = await rootOf();
    const company = await server().company();
    await company.user("company_admin");
    const writer = await company.user("manager");
    await writer.client.sops.create({ body: { title: "T", description: "D", markdown: "M" } });
    await writer.client.sops.create({ body: { title: "T", description: "D", markdown: "M" } });
    const params = { id: company.id };
    await expect(client.companies.update({ params, body: { maxUsers: 1 } })).rejects.toMatchObject({
      code: "conflict",
      details: { maxUsers: "The company has 2 users: maxUsers can't be less" },
    });
    await expect(client.companies.update({ params, body: { maxSOPs: 1 } })).rejects.toMatchObject({ code: "conflict" });
    const done = await client.companies.update({ params, body: { maxUsers: 2, maxSOPs: 2, subscription: "starter" } });
    expect(done).toMatchObject({ maxUsers: 2, maxSOPs: 2, subscription: "starter" });
  });

  test("lose all access and keep their data when deleted; your own can't be deleted", async () => {
    const root = await rootOf();
    const company = await server().company();
    const user = await company.user("editor");
    await user.client.sops.create({ body: { title: "T", description: "D", markdown: "M" } });
    const { token } = await user.client.tokens.create({ body: { name: "ci" } });
    expect(await root.client.companies.remove({ params: { id: company.id } })).toEqual({ ok: true });
    expect((await user.send({ path: "/api/auth/me" })).status).toBe(401);
    const headers = { authorization: `Bearer ${token}` };
    expect((await server().send({ path: "/api/sops", headers })).status).toBe(401);
    expect((await server().signIn(user.username)).status).toBe(401);
    const mine = server().db.forCompany(company.id);
    expect(await mine.collection("sops").countDocuments({})).toBe(1);
    expect(await mine.collection("audit_logs").findOne({ action: "company.delete" })).toMatchObject({
      userId: root.id,
      changes: { status: { from: "active", to: "deleted" } },
    });
    for (const status of ["suspended", "deleted"] as const) {
      const params = { id: root.companyId };
      await expect(root.client.companies.update({ params, body: { status } })).rejects.toMatchObject({
        code: "conflict",
      });
    }
  });

  test("have a glossary with limits, changed by users who manage settings, audited and sent to browsers", async () => {
    const company = await server().company();
    const [boss, admin] = [await company.user("company_admin"), await company.user("admin")];
    expect((await boss.client.company.get()).settings.glossary).toEqual([]);
    const glossary = [["PPE", "protective equipment"]];
    const saved = await boss.client.company.update({ body: { settings: { glossary } } });
    expect(saved.settings.glossary).toEqual(glossary);
    expect((await admin.client.company.get()).settings.glossary).toEqual(glossary);
    const companyOnly = server().db.forCompany(boss.companyId);
    const [row] = await companyOnly.collection("audit_logs").find({ action: "company.update" }, { sort: { seq: -1 } });
    expect(row?.changes).toEqual({ "settings.glossary": { from: [], to: glossary } });
    const [event] = await companyOnly.collection("events").find({}, { sort: { seq: -1 }, limit: 1 });
    expect(event?.resources).toContain("company");
    await expect(admin.client.company.update({ body: { settings: { glossary: [] } } })).rejects.toMatchObject({
      status: 403,
    });
    // what other settings are sent without it stays
    await boss.client.company.update({ body: { settings: { reviewMonths: 6 } } });
    expect((await boss.client.company.get()).settings.glossary).toEqual(glossary);
    const tooMuch = [
      Array.from({ length: 201 }, (_, index) => [`a${index}`, `b${index}`]),
      [["alone"]],
      [Array.from({ length: 11 }, (_, index) => `w${index}`)],
      [["a", "x".repeat(61)]],
      [["a", "%%"]],
      ["PPE, safety gear"],
    ];
    for (const wrong of tooMuch) {
      const body = { settings: { glossary: wrong } } as never;
      await expect(boss.client.company.update({ body })).rejects.toMatchObject({ status: 400 });
    }
  });

  test("change their record and settings through their administrators, never plan and quotas", async () => {
    const company = await server().company();
    const boss = await company.user("company_admin");
    const before = await boss.client.company.get();
    const sent = { ...before, name: "Renamed", website: "", maxUsers: 5000, subscription: "enterprise", slug: "mine" };
    const after = await boss.client.company.update({
      body: {
        ...sent,
        settings: {
          documentControl: "strict",
          approvalRule: { kind: "n_of_m", count: 2 },
          reviewMonths: null,
          readingDays: 30,
        },
      } as never,
    });
    expect(after).toMatchObject({
      name: "Renamed",
      slug: before.slug,
      maxUsers: before.maxUsers,
      subscription: "free",
      settings: {
        documentControl: "strict",
        approvalRule: { kind: "n_of_m", count: 2 },
        reviewMonths: null,
        readingDays: 30,
        aiEnabled: true,
      },
    });
    expect((await boss.client.auth.me()).user.company).toMatchObject({
      name: "Renamed",
      documentControl: "strict",
      readingDays: 30,
    });
    const row = await server().db.forCompany(company.id).collection("audit_logs").findOne({ action: "company.update" });
    expect(row?.changes).toMatchObject({ "settings.documentControl": { from: "flexible", to: "strict" } });
    for (const settings of [
      { approvalRule: { kind: "n_of_m", count: 0 } },
      { passwordMinimum: 5 },
      { reviewMonths: 0 },
      { readingDays: 0 },
      { readingDays: 366 },
    ])
      await expect(boss.client.company.update({ body: { settings } as never })).rejects.toMatchObject({
        code: "invalid_input",
      });
    const [admin, manager] = [await company.user("admin"), await company.user("manager")];
    expect((await admin.client.company.get()).name).toBe("Renamed");
    await expect(admin.client.company.update({ body: { name: "Taken" } })).rejects.toMatchObject({ code: "forbidden" });
    await expect(manager.client.company.get()).rejects.toMatchObject({ code: "forbidden" });
  });

  test("have a logo from their own images, visible to all members", async () => {
    const company = await server().company();
    const [boss, viewer] = [await company.user("company_admin"), await company.user("viewer")];
    const png = pngOf("");
    const headers = { "content-type": "image/png" };
    const image = await boss.send({ method: "POST", path: "/api/assets", headers, body: png });
    const { url } = image.json() as { url: string };
    expect((await viewer.send({ path: url })).status).toBe(404);
    expect((await boss.client.company.update({ body: { logo: url } })).logo).toBe(url);
    expect((await viewer.send({ path: url })).status).toBe(200);
    const stranger = await (await server().company()).user("company_admin");
    await expect(stranger.client.company.update({ body: { logo: url } })).rejects.toMatchObject({
      code: "invalid_input",
    });
    expect((await boss.client.company.update({ body: { logo: "" } })).logo).toBeNull();
  });

  test("set a minimum password length for the users they add", async () => {
    const { client } = await (await server().company()).user("company_admin");
    await client.company.update({ body: { settings: { passwordMinimum: 12 } } });
    const body = { username: `short-${engine}`, name: "Short Password", password: "elevenchars" };
    await expect(client.companyUsers.create({ body })).rejects.toMatchObject({ code: "invalid_input" });
  });
});
