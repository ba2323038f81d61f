import { beforeAll, describe, expect, test } from "vitest";
import { roles, type Role } from "#core/permissions/roles.ts";
import { ApiError } from "#core/api/client.ts";
import { describeServer, type TestUser } from "../../../test/server.ts";

describeServer("comparing versions", (server) => {
  const people = {} as Record<Role, TestUser>;
  let manager: TestUser;
  let id: string;

  beforeAll(async () => {
    const company = await server().company();
    for (const role of roles) people[role] = await company.user(role);
    manager = people.manager;
    const { client } = manager;
    const body = {
      title: "Kettle",
      description: "Tea",
      markdown: "1. Fill the kettle\n2. Boil the water\n",
      readTime: 3,
    };
    id = (await client.sops.create({ body })).id;
    const params = { id };
    await client.sops.publish({ params, body: {} });
    await client.sops.update({
      params,
      body: {
        title: "Big kettle",
        tags: ["tea", "hot"],
        markdown: "1. Fill the big kettle\n2. Boil the water\n3. canaryword\n",
      },
    });
    await client.sops.update({ params, body: { description: "Tea for all" } });
  });

  const diff = (user: TestUser, from?: number, to?: number) =>
    user.client.sops.diff({ params: { id }, query: { from, to } }).catch((error: unknown) => {
      if (error instanceof ApiError) return error.status;
      throw error;
    });

  test("returns facts, rendered blocks and lines, in either direction", async () => {
    expect(await diff(manager, 1, 2)).toEqual({
      from: 1,
      to: 2,
      facts: [
        { field: "title", from: "Kettle", to: "Big kettle" },
        { field: "tags", from: null, to: "tea, hot" },
      ],
      blocks: [
        { kind: "changed", html: '<ol start="1"><li>Fill the <ins>big </ins>kettle</li></ol>' },
        { kind: "same", html: '<ol start="2"><li>Boil the water</li></ol>' },
        { kind: "added", html: '<ol start="3"><li><ins>canaryword</ins></li></ol>' },
      ].map((block) => ({ ...block, html: expect.stringContaining(block.html.slice(0, 14)) as unknown })),
      markdown: [
        { kind: "removed", text: "1. Fill the kettle\n" },
        { kind: "added", text: "1. Fill the big kettle\n" },
        { kind: "same", text: "2. Boil the water\n" },
        { kind: "added", text: "3. canaryword\n" },
      ],
    });
    const back = await diff(manager, 2, 1);
    expect(back).toMatchObject({
      facts: [
        { from: "Big kettle", to: "Kettle" },
        { from: "tea, hot", to: null },
      ],
    });
    expect(JSON.stringify(back)).toContain("<del>canaryword</del>");
    expect(await diff(manager, 2, 2)).toMatchObject({ facts: [], markdown: [{ kind: "same" }] });
  });

  test("compares the published version with the latest by default", async () => {
    expect(await diff(manager)).toMatchObject({ from: 1, to: 3 });
    expect(await diff(manager, undefined, 2)).toMatchObject({ from: 1, to: 2 });
    const { id: draft } = await manager.client.sops.create({ body: { title: "T", description: "D", markdown: "A\n" } });
    expect(await manager.client.sops.diff({ params: { id: draft } })).toMatchObject({ from: 1, to: 1 });
    await manager.client.sops.update({ params: { id: draft }, body: { markdown: "B\n" } });
    expect(await manager.client.sops.diff({ params: { id: draft } })).toMatchObject({ from: 1, to: 2 });
  });

  test("answers 404 for a missing version, 400 for an invalid one", async () => {
    expect(await diff(manager, 1, 9)).toBe(404);
    for (const query of ["from=0", "from=x", "to=1.5", "from=-1", "to=99999999999"]) {
      expect([query, (await manager.send({ path: `/api/sops/${id}/diff?${query}` })).status]).toEqual([query, 400]);
    }
  });

  describe("answers by permission for", () => {
    const seesLatest: readonly Role[] = ["system_admin", "company_admin", "admin", "manager", "editor"];

    test.each(roles.map((role) => [role]))("%s", async (role) => {
      const user = people[role];
      const pairs = [
        [1, 2],
        [2, 1],
        [2, 2],
        [1, 3],
        [undefined, 2],
        [3, undefined],
      ] as const;
      for (const [from, to] of pairs) {
        const answer = await user.send({
          path: `/api/sops/${id}/diff?${from ? `from=${from}` : ""}${to ? `&to=${to}` : ""}`,
        });
        expect([role, from, to, answer.status]).toEqual([role, from, to, seesLatest.includes(role) ? 200 : 404]);
        if (!seesLatest.includes(role)) {
          const unknown = await user.send({ path: "/api/sops/unknown/diff" });
          expect(answer.body).toBe(unknown.body);
        }
      }
      // everyone gets the version they can read, and without anything of a draft
      for (const query of ["", "?from=1&to=1"]) {
        const answer = await user.send({ path: `/api/sops/${id}/diff${query}` });
        expect(answer.status).toBe(200);
        expect(answer.body.includes("canaryword")).toBe(seesLatest.includes(role) && query === "");
      }
    });

    test("people it was shared with, and no one of another company", async () => {
      const { id: userId } = people.viewer;
      const shared = await manager.client.sops.grant({ params: { id }, body: { userId, permission: "read" } });
      expect(await diff(people.viewer, 1, 2)).toMatchObject({ from: 1, to: 2 });
      const permissionId = shared.permissions[0]?.id ?? "";
      await manager.client.sops.revoke({ params: { id, permissionId } });
      expect(await diff(people.viewer, 1, 2)).toBe(404);
      const stranger = await (await server().company()).user("company_admin");
      expect(await diff(stranger, 1, 1)).toBe(404);
    });
  });

  test("keeps HTML in a text harmless", async () => {
    const params = {
      id: (await manager.client.sops.create({ body: { title: "X", description: "D", markdown: "A\n" } })).id,
    };
    const nasty = `A [b](/x "<ins><img src=x onerror=alert(1)>") <img src=x onerror=alert(1)> <script>alert(1)</script> <ins>c</ins>\n\n[d](javascript:alert(1))\n`;
    await manager.client.sops.update({ params, body: { markdown: nasty } });
    const { blocks } = await manager.client.sops.diff({ params, query: { from: 1, to: 2 } });
    const html = blocks.map((block) => block.html).join("");
    expect(html).toContain("<ins>b</ins>");
    expect(html.replace(/"[^"]*"/g, '""')).not.toMatch(/<script|<img|onerror|javascript:/i);
  });

  test("answers for large texts in time", async () => {
    const lines = (word: string) =>
      Array.from({ length: 2_500 }, (_, n) => `${n} ${word} the valve and wait ${n % 7} min.`);
    const create = { title: "Large", description: "D", markdown: `${lines("Open").join("\n\n")}\n` };
    const params = { id: (await manager.client.sops.create({ body: create })).id };
    await manager.client.sops.update({ params, body: { markdown: `${lines("Close").join("\n\n")}\n` } });
    const { blocks } = await manager.client.sops.diff({ params, query: { from: 1, to: 2 } });
    expect(blocks.length).toBeGreaterThanOrEqual(2_500);
  });
});
