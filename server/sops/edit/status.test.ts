import { beforeAll, expect, test } from "vitest";
import type { Role } from "#core/permissions/roles.ts";
import { ApiError } from "#core/api/client.ts";
import type { Sop } from "#core/sops/schema.ts";
import type { SopStatus } from "#core/sops/statuses.ts";
import { describeServer, type Company, type TestUser } from "../../../test/server.ts";

const states = ["draft", "published", "draft in work", "under review", "archived"] as const;
type State = (typeof states)[number];
const asked = [undefined, "draft", "under_review", "published", "archived"] as const;

const refusal = (error: unknown) => {
  if (error instanceof ApiError) return `${error.status}`;
  throw error;
};
/** `draft v2, 1 published` */
const shown = ({ status, version, published }: Sop) =>
  `${status} v${version}${published ? `, ${published.version} published` : ""}`;

describeServer("the status of an SOP", (server) => {
  let company: Company;
  let manager: TestUser;

  beforeAll(async () => {
    company = await server().company();
    manager = await company.user("manager");
  });

  async function sopIn(state: State, author = manager): Promise<string> {
    const { id } = await author.client.sops.create({ body: { title: "Title", description: "D", markdown: "Text" } });
    const publish = () => manager.client.sops.publish({ params: { id }, body: {} });
    if (state === "published") await publish();
    if (state === "draft in work") {
      await publish();
      await author.client.sops.update({ params: { id }, body: { title: "Next" } });
    }
    if (state === "archived") await manager.client.sops.archive({ params: { id }, body: {} });
    // asking for approval is another story; its state is not
    if (state === "under review")
      await server()
        .db.collection("sops")
        .updateOne({ _id: id }, { $set: { status: "under_review" } });
    return id;
  }

  /** A save with each status, without and with another text: the state afterwards, or the refusal. */
  async function saves(user: TestUser, author = user, statuses: readonly (SopStatus | undefined)[] = asked) {
    const table: Record<string, string[]> = {};
    for (const state of states) {
      const row: string[] = [];
      for (const status of statuses) {
        const cell: string[] = [];
        for (const changed of [false, true]) {
          const id = await sopIn(state, author);
          const before = await user.client.sops.get({ params: { id } });
          const body = { ...(status ? { status } : {}), ...(changed ? { markdown: "Other" } : {}) };
          const answer = await user.client.sops.update({ params: { id }, body }).then(shown, refusal);
          const after = await user.client.sops.get({ params: { id } });
          // the answer is what is stored, and a refusal saves nothing; reads count as views a little later
          if (/^\d/.test(answer)) expect(after).toEqual({ ...before, views: after.views });
          else expect(shown(after)).toBe(answer);
          cell.push(answer);
        }
        row.push(cell.join(" | "));
      }
      table[state] = row;
    }
    return table;
  }

  test("follows the table in a manager's save", async () => {
    expect(await saves(manager)).toEqual({
      draft: [
        "draft v1 | draft v2",
        "draft v1 | draft v2",
        "409 | 409",
        "published v1, 1 published | published v2, 2 published",
        "archived v1 | archived v2",
      ],
      published: [
        "published v1, 1 published | draft v2, 1 published",
        "409 | draft v2, 1 published",
        "409 | 409",
        "published v1, 1 published | published v2, 2 published",
        "archived v1 | archived v2",
      ],
      "draft in work": [
        "draft v2, 1 published | draft v3, 1 published",
        "draft v2, 1 published | draft v3, 1 published",
        "409 | 409",
        "published v2, 2 published | published v3, 3 published",
        "archived v2 | archived v3",
      ],
      "under review": [
        "under_review v1 | draft v2",
        "409 | draft v2",
        "under_review v1 | draft v2",
        "409 | 409",
        "archived v1 | archived v2",
      ],
      archived: ["archived v1 | 409", "draft v1 | draft v2", "409 | 409", "409 | 409", "archived v1 | 409"],
    });
  }, 60_000);

  test("isn't set to published by an editor's save, and to archived only for the editor's own SOP", async () => {
    const editor = await company.user("editor");
    expect(await saves(editor, manager, ["published", "archived"])).toEqual({
      draft: ["403 | 403", "403 | 403"],
      published: ["published v1, 1 published | draft v2, 1 published", "403 | 403"],
      "draft in work": ["403 | 403", "403 | 403"],
      "under review": ["403 | 403", "403 | 403"],
      archived: ["403 | 403", "archived v1 | 409"],
    });
    expect((await saves(editor, editor, ["archived"])).published).toEqual(["archived v1 | archived v2"]);
  }, 60_000);

  test("isn't set to published by any save if approval is required", async () => {
    const strict = await server().company();
    const admin = await strict.user("company_admin");
    const made = await admin.client.sops.create({
      body: { title: "T", description: "D", markdown: "M", status: "published" },
    });
    await strict.set({ "settings.documentControl": "strict" });
    const { id } = await admin.client.sops.create({ body: { title: "T", description: "D", markdown: "M" } });
    const publish = { title: "T", description: "D", markdown: "M", status: "published" } as const;
    expect(await admin.client.sops.create({ body: publish }).catch(refusal)).toBe("409");
    expect(await admin.client.sops.update({ params: { id }, body: { status: "published" } }).catch(refusal)).toBe(
      "409",
    );
    expect(await admin.client.sops.publish({ params: { id }, body: {} }).catch(refusal)).toBe("409");
    const next = await admin.client.sops.update({ params: { id: made.id }, body: { ...made, markdown: "New" } });
    expect(shown(next)).toBe("draft v2, 1 published");
    expect((await admin.client.sops.list({ query: { total: "true" } })).total).toBe(2);
  });

  const verbs = ["publish", "unpublish", "archive", "unarchive"] as const;

  test("changes through actions as the table says", async () => {
    const table: Record<string, string[]> = {};
    for (const state of states) {
      table[state] = [];
      for (const verb of verbs) {
        const id = await sopIn(state);
        table[state].push(await manager.client.sops[verb]({ params: { id }, body: {} }).then(shown, refusal));
      }
    }
    expect(table).toEqual({
      draft: ["published v1, 1 published", "409", "archived v1", "409"],
      published: ["409", "draft v1", "archived v1", "409"],
      "draft in work": ["published v2, 2 published", "draft v2", "archived v2", "409"],
      "under review": ["409", "409", "archived v1", "409"],
      archived: ["409", "409", "409", "draft v1"],
    });
  }, 60_000);

  test("changes for each role as the matrix allows", async () => {
    const table: Record<string, string> = {};
    const roles: Role[] = [
      "system_admin",
      "company_admin",
      "admin",
      "manager",
      "editor",
      "reviewer",
      "contributor",
      "viewer",
    ];
    for (const role of roles) {
      const user = await company.user(role);
      const own = (
        await user.client.sops.create({ body: { title: "T", description: "D", markdown: "M" } }).catch(() => null)
      )?.id;
      const cells: string[] = [];
      for (const verb of ["update", ...verbs, "remove"] as const) {
        // all of them see a published SOP; only forbidden actions are refused
        const foreign = await sopIn("published");
        const input = (id: string) => ({ params: { id }, body: verb === "update" ? { title: "New" } : {} });
        const call = (id: string) => user.client.sops[verb](input(id)).then(() => "yes", refusal);
        cells.push(`${verb} ${await call(foreign)}${own ? `/${await call(own)}` : ""}`);
        if (own && verb === "archive")
          await server()
            .db.collection("sops")
            .updateOne({ _id: own }, { $set: { status: "archived" } });
        if (own && verb === "unarchive")
          await server()
            .db.collection("sops")
            .updateOne({ _id: own }, { $set: { status: "draft", published: null } });
      }
      table[role] = cells.join(", ");
    }
    const managers = "update yes/yes, publish 409/yes, unpublish yes/yes, archive yes/yes, unarchive 409/yes, ";
    expect(table).toEqual({
      system_admin: `${managers}remove yes/yes`,
      company_admin: `${managers}remove yes/yes`,
      admin: `${managers}remove yes/yes`,
      manager: `${managers}remove 403/yes`,
      editor: "update yes/yes, publish 403/403, unpublish 403/403, archive 403/yes, unarchive 403/yes, remove 403/yes",
      reviewer: "update 403, publish 403, unpublish 403, archive 403, unarchive 403, remove 403",
      contributor:
        "update 403/yes, publish 403/403, unpublish 403/403, archive 403/403, unarchive 403/403, remove 403/yes",
      viewer: "update 403, publish 403, unpublish 403, archive 403, unarchive 403, remove 403",
    });
  }, 60_000);

  test("of a published SOP after archive and unarchive is a draft that no one else reads", async () => {
    const reader = await company.user("viewer");
    const id = await sopIn("published");
    await manager.client.sops.archive({ params: { id }, body: {} });
    const archived = await server().db.collection("sops").findOne({ _id: id });
    expect(archived?.lastPublished).toMatchObject({ version: 1, title: "Title" });
    const back = await manager.client.sops.unarchive({ params: { id }, body: {} });
    expect(back).toMatchObject({ status: "draft", published: null });
    expect(await reader.client.sops.get({ params: { id } }).catch(refusal)).toBe("404");
  });
});
