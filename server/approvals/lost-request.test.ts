import { beforeEach, expect, test } from "vitest";
import type { Approval } from "#core/approvals/schema.ts";
import { describeServer, type TestUser } from "../../test/server.ts";
import { createReferencesCheck } from "../integrity/references.ts";
import { checkAllShares } from "../integrity/report.ts";

describeServer("an SOP under review without its request", (server) => {
  let [editor, manager] = [] as unknown as [TestUser, TestUser];
  let request: Approval;

  beforeEach(async () => {
    const company = await server().company();
    [editor, manager] = [await company.user("editor"), await company.user("manager")];
    const { id } = await editor.client.sops.create({ body: { title: "Wash", description: "D", markdown: "Soap\n" } });
    const body = { approverIds: [manager.id] };
    request = await editor.client.sops.requestApproval({ params: { id }, body });
  });
  const requests = () => server().db.collection("approval_requests");
  const ways: [string, () => Promise<unknown>][] = [
    ["lost", () => requests().deleteOne({ _id: request.id })],
    ["damaged", () => requests().updateOne({ _id: request.id }, { $unset: { approvers: "" } as never })],
  ];
  const status = async () => (await editor.client.sops.get({ params: { id: request.sopId } })).status;

  test.each(ways)("%s is submitted again, and approved", async (_, lose) => {
    await lose();
    const params = { id: request.sopId };
    expect(await editor.client.approvals.list({ query: { sopId: request.sopId } })).toEqual([]);
    expect((await editor.client.approvals.candidates({ params })).people.length).toBeGreaterThan(0);
    const again = await editor.client.sops.requestApproval({ params, body: { approverIds: [manager.id] } });
    await manager.client.approvals.approve({ params: { id: again.id } });
    expect(await status()).toBe("published");
  });

  test.each(ways)("%s becomes a draft when someone edits it", async (_, lose) => {
    await lose();
    await editor.client.sops.update({ params: { id: request.sopId }, body: { markdown: "More soap\n" } });
    expect(await status()).toBe("draft");
  });

  test("is refused another request while it has one", async () => {
    const again = editor.client.sops.requestApproval({
      params: { id: request.sopId },
      body: { approverIds: [manager.id] },
    });
    await expect(again).rejects.toMatchObject({ code: "conflict" });
  });

  test("is named with the way out", async () => {
    await requests().deleteOne({ _id: request.id });
    const { findings } = await checkAllShares(createReferencesCheck(server().db));
    expect(findings).toContain(
      `SOP ${request.sopId} is under review until it is edited or submitted again: its approval request ${request.id} is missing`,
    );
  });
});
