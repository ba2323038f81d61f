import { beforeAll, expect, test } from "vitest";
import { describeServer, type Company, type TestUser } from "../../test/server.ts";

const draft = { title: "T", description: "D", markdown: "M" };

describeServer("approvals", (server) => {
  let company: Company;
  let editor: TestUser;
  let manager: TestUser;
  let viewer: TestUser;

  beforeAll(async () => {
    company = await server().company();
    [editor, manager, viewer] = [
      await company.user("editor"),
      await company.user("manager"),
      await company.user("viewer"),
    ];
  });

  test("a request that all approve puts the pinned version in force", async () => {
    const { id } = await editor.client.sops.create({ body: draft });
    const asked = await editor.client.sops.requestApproval({
      params: { id },
      body: { requestNote: " Please ", approverIds: [manager.id, viewer.id] },
    });
    expect(asked).toMatchObject({
      status: "pending",
      requestNote: "Please",
      needed: 2,
      mayDecide: false,
      mayWithdraw: true,
    });
    expect(await viewer.client.approvals.list({ query: { mine: "true" } })).toMatchObject([
      { id: asked.id, mayDecide: true },
    ]);
    const half = await viewer.client.approvals.approve({ params: { id: asked.id }, body: { comment: "Good" } });
    expect(half).toMatchObject({ status: "pending", mayDecide: false });
    const whole = await manager.client.approvals.approve({ params: { id: asked.id } });
    expect(whole).toMatchObject({ status: "approved", outcome: "approved", publishedVersion: 1 });
    expect(await viewer.client.sops.get({ params: { id } })).toMatchObject({ status: "published", version: 1 });
  });
});
