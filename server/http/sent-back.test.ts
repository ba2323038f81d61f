/** A whole record that is sent back as it was read changes nothing (`docs/spec/calls.md`). */
import { expect, test } from "vitest";
import { valuesByFieldName, sopFields } from "#core/sop-fields.ts";
import { describeServer, json, type TestUser } from "../../test/server.ts";

type Row = Record<string, unknown>;

const settingsKey = "settings.roleOverrides";

/** A write sets them by itself. */
const moving = ["updatedAt", "version", "contentHash", "control", "views"];
const without = (record: Row, names: readonly string[]) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

describeServer("a record that is sent back", (server) => {
  const read = async (user: TestUser, path: string) => (await user.send({ path })).json() as Row;
  const put = async (user: TestUser, path: string, body: unknown, publishes = false) => {
    const answer = await user.send({ method: "PUT", path, headers: json, body: JSON.stringify(body) });
    expect([path, answer.status, answer.body.slice(0, answer.status === 200 ? 0 : 300)]).toEqual([path, 200, ""]);
    if (!publishes) expect([path, answer.headers.get("x-ignored-fields")]).toEqual([path, null]);
    return answer.json() as Row;
  };

  test("keeps every field of an SOP, whichever is set", async () => {
    const company = await server().company();
    const boss = await company.user("company_admin");
    const [category] = await boss.client.categories.list();
    const team = await boss.client.teams.create({ body: { name: "Team" } });
    const values: Row = {
      ...valuesByFieldName(sopFields, { flag: true, text: "de" }),
      number: "SOP-0777",
      content: "<p>New text</p>",
      markdown: "New *text*<br>and more\n\n| A |\n|---|\n| b |\n",
      categoryId: category?.id,
      readTime: 77,
      ownerId: (await company.user("editor")).id,
      teamId: team.id,
      tags: ["new", "a"],
      effectiveAt: "2031-10-01",
      reviewBy: "2032-10-01",
    };
    const dates = [{}, { effectiveAt: "2020-03-01" }, { effectiveAt: "2031-10-01" }];
    const fields = Object.entries(values).map(([name, value]) => ({ [name]: value }));
    const states = dates.flatMap((date) =>
      (["draft", "published", "archived"] as const).map((status) => ({ ...date, status })),
    );
    for (const given of [...fields, ...states]) {
      const text = { title: "T", description: "D", ...(!("content" in given) && { markdown: "Text\n" }) };
      const { id } = await boss.client.sops.create({ body: { ...text, ...given } });
      const path = `/api/sops/${id}`;
      const before = await read(boss, path);
      await put(boss, path, before);
      expect([given, without(await read(boss, path), ["views"])]).toEqual([given, without(before, ["views"])]);
      if (before["status"] === "archived") continue;
      await put(boss, path, { ...before, description: "typo" }, before["status"] === "published");
      const after = await read(boss, path);
      const changed = ["description", "published", "scheduled", ...moving];
      expect([given, without(after, changed)]).toEqual([given, without(before, changed)]);
      expect([given, after["description"], after["version"]]).toEqual([given, "typo", 2]);
    }
  });

  test("keeps the day of an SOP that waits for it: readers get it then, and not before", async () => {
    const company = await server().company();
    const [boss, editor, viewer] = [
      await company.user("company_admin"),
      await company.user("editor"),
      await company.user("viewer"),
    ];
    const body = { title: "T", description: "D", markdown: "Text\n", effectiveAt: "2027-06-01" };
    const { id } = await editor.client.sops.create({ body });
    const path = `/api/sops/${id}`;
    await put(editor, path, { ...(await read(editor, path)), description: "typo" });
    const asked = await editor.client.sops.requestApproval({ params: { id }, body: { approverIds: [boss.id] } });
    await boss.client.approvals.approve({ params: { id: asked.id } });
    await expect(viewer.client.sops.get({ params: { id } })).rejects.toMatchObject({ status: 404 });
    await put(editor, path, { ...(await read(editor, path)), description: "typos" });
    expect(await read(boss, path)).toMatchObject({ version: 3, effectiveAt: "2027-06-01", published: null });
    await put(editor, path, { ...(await read(editor, path)), effectiveAt: null });
    expect(await read(boss, path)).toMatchObject({ version: 4, effectiveAt: null });
  });

  test("is what it was: users, companies, categories, teams and settings", async () => {
    const company = await server().company();
    const boss = await company.user("company_admin");
    const root = await company.user("system_admin");
    const [category] = await boss.client.categories.list();
    const team = await boss.client.teams.create({ body: { name: "Team", description: "D" } });
    const person = await company.user("viewer", { teamIds: [team.id] });
    await company.set({ [settingsKey]: { viewer: { "sop.create": true } } });
    const inList = async (user: TestUser, path: string, id: unknown) => {
      const found = await read(user, path);
      const rows = (Array.isArray(found) ? found : found["data"]) as Row[];
      return rows.find((row) => row["id"] === id) ?? {};
    };
    const listed = [
      [boss, "/api/categories", category?.id],
      [boss, "/api/teams", team.id],
      [boss, "/api/company/users", person.id],
      [root, "/api/admin/users", person.id],
      [root, "/api/admin/companies", company.id],
    ] as const;
    for (const [user, path, id] of listed) {
      const before = await inList(user, path, id);
      expect(before).toMatchObject({ id });
      await put(user, `${path}/${String(id)}`, before);
      expect(without(await inList(user, path, id), moving)).toEqual(without(before, moving));
    }
    for (const path of ["/api/company", "/api/user/settings"]) {
      const before = await read(boss, path);
      await put(boss, path, before);
      expect(without(await read(boss, path), moving)).toEqual(without(before, moving));
    }
  });

  test("names what is ignored inside of it too", async () => {
    const boss = await (await server().company()).user("company_admin");
    const settings = { roleOverrides: { viewer: { "user.manage": true } } };
    const answer = await boss.send({
      method: "PUT",
      path: "/api/company",
      headers: json,
      body: JSON.stringify({ settings }),
    });
    expect([answer.status, answer.headers.get("x-ignored-fields")]).toEqual([200, settingsKey]);
  });
});
