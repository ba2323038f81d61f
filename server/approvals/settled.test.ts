import { beforeAll, expect, test } from "vitest";
import type { Approval } from "#core/approvals/schema.ts";
import { describeServer, type Company, type TestUser } from "../../test/server.ts";

/** The notice 'asks you to approve' becomes read once its reader has answered or the request has ended. */
describeServer("the notice that asks for an approval", (server) => {
  let company: Company;
  let [editor, one, two] = [] as unknown as [TestUser, TestUser, TestUser];

  beforeAll(async () => {
    company = await server().company();
    await company.letApprove("viewer");
    await company.set({ "settings.approvalRule": { kind: "all", count: null } });
    [editor, one, two] = [await company.user("editor"), await company.user("manager"), await company.user("manager")];
  });

  async function asked(...approvers: TestUser[]): Promise<Approval> {
    const { id } = await editor.client.sops.create({ body: { title: "Wash", description: "D", markdown: "Soap\n" } });
    for (const user of [editor, one, two]) await user.client.notifications.readAll({});
    const body = { approverIds: approvers.map((user) => user.id) };
    return editor.client.sops.requestApproval({ params: { id }, body });
  }
  const unread = async (user: TestUser) =>
    (await user.client.notifications.list({ query: { unread: "true" } })).data.map(({ kind }) => kind);
  const told = async (user: TestUser) =>
    (await server().db.collection("events").find({ companyId: company.id })).filter(
      ({ resources, to }) => resources.includes("notifications") && to?.includes(user.id),
    ).length;

  test("becomes read once its reader decides, in all of the reader's browsers", async () => {
    const { id } = await asked(one, two);
    expect([await unread(one), await unread(two)]).toEqual([["approval_requested"], ["approval_requested"]]);
    const before = [await told(one), await told(two)] as const;
    await one.client.approvals.approve({ params: { id } });
    expect([await unread(one), await unread(two)]).toEqual([[], ["approval_requested"]]);
    expect([await told(one), await told(two)]).toEqual([before[0] + 1, before[1]]);
    expect(await one.client.notifications.count()).toEqual({ unread: 0 });
  });

  test("becomes read when another person ends the request", async () => {
    const rejected = await asked(one, two);
    await one.client.approvals.reject({ params: { id: rejected.id }, body: { comment: "No" } });
    expect([await unread(one), await unread(two)]).toEqual([[], ["approval_rejected"]]);
    const withdrawn = await asked(one, two);
    await editor.client.approvals.withdraw({ params: { id: withdrawn.id } });
    expect([await unread(one), await unread(two)]).toEqual([["approval_withdrawn"], ["approval_withdrawn"]]);
    const voided = await asked(one);
    await editor.client.sops.update({ params: { id: voided.sopId }, body: { markdown: "More soap\n" } });
    expect(await unread(one)).toEqual(["approval_voided"]);
  });

  test("becomes read for a replaced approver, and goes to the new one", async () => {
    const { id } = await asked(one);
    await editor.client.approvals.replaceApprover({ params: { id }, body: { replace: one.id, with: two.id } });
    expect([await unread(one), await unread(two)]).toEqual([["approver_replaced"], ["approval_requested"]]);
  });

  test("stays unread for another request", async () => {
    const [first, second] = [await asked(one), await asked(two)];
    await two.client.approvals.approve({ params: { id: second.id } });
    const { id: sopId } = await editor.client.sops.create({
      body: { title: "Dry", description: "D", markdown: "Towel\n" },
    });
    const third = await editor.client.sops.requestApproval({ params: { id: sopId }, body: { approverIds: [one.id] } });
    await one.client.approvals.approve({ params: { id: first.id } });
    expect(await unread(one)).toEqual(["approval_requested"]);
    await one.client.approvals.approve({ params: { id: third.id } });
    expect(await unread(one)).toEqual([]);
  });
});
