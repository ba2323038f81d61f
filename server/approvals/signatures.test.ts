/** A signature names its signer by name and username of that moment: a rename before or after lends no other identity. */
import { expect, test } from "vitest";
import { describeServer } from "../../test/server.ts";

describeServer("signatures", (server) => {
  test("keep name and username of the decision on screen, in exports, in git and in the audit log", async () => {
    const company = await server().company();
    const [editor, signer] = [await company.user("editor", { name: "Eve" }), await company.user("manager")];
    const rename = (name: string) => signer.client.account.update({ body: { name } });
    const made = await editor.client.sops.create({ body: { title: "Rinse", description: "D", markdown: "One\n" } });
    const params = { id: made.id };
    const request = await editor.client.sops.requestApproval({ params, body: { approverIds: [signer.id] } });
    await rename("Ada Signs");
    const approved = await signer.client.approvals.approve({ params: { id: request.id } });
    await rename("Someone Else");

    const { username } = signer;
    const user = { name: "Ada Signs", username, initials: "AS" };
    expect(approved.approvers[0]?.user).toEqual(user);
    const [kept] = await editor.client.approvals.list({ query: { sopId: made.id } });
    expect(kept?.approvers[0]?.user).toEqual(user);
    const sop = await editor.client.sops.get({ params });
    expect(sop.control.approvedBy).toEqual([{ name: "Ada Signs", username, at: expect.any(String) }]);
    expect(sop.control.changedBy).toMatchObject({ name: "Eve", username: editor.username });
    const [version] = await editor.client.sops.versions({ params });
    expect(version?.approvedBy).toMatchObject([{ name: "Ada Signs", username }]);
    const printed = `Ada Signs (${username})`;
    const exported = async (format: string) =>
      (await editor.send({ path: `/api/sops/${made.id}/export?format=${format}` })).body;
    expect(await exported("html")).toContain(printed);
    await server().running.services.repositories.drain(company.id);
    const event = await server().db.collection("repo_events").findOne({ companyId: company.id, type: "publish" });
    expect(event?.approvals).toMatchObject([{ name: "Ada Signs", username }]);
    const log = await server()
      .db.collection("audit_logs")
      .find({ entityId: made.id, action: { $ne: "sop.export" } }, { sort: { _id: 1 } });
    expect(log.map(({ action, userName }) => `${action} by ${userName}`)).toEqual([
      `sop.create by Eve (${editor.username})`,
      `sop.request_approval by Eve (${editor.username})`,
      `sop.approve by ${printed}`,
      `sop.publish by ${printed}`,
    ]);

    await rename("Rita Reviews");
    await signer.client.sops.review({ params, body: { verdict: "keep" } });
    await rename("Ada Again");
    const after = await editor.client.sops.get({ params });
    expect(after.control.lastReview).toMatchObject({ name: "Rita Reviews", username });
  });

  test.each(["reject", "requestChanges"] as const)("(%s) have the initials of that moment too", async (decision) => {
    const company = await server().company();
    const [editor, signer] = [await company.user("editor"), await company.user("manager", { name: "Max Muster" })];
    const body = { title: "Rinse", description: "D", markdown: "One\n" };
    const { id: sopId } = await editor.client.sops.create({ body });
    const request = await editor.client.sops.requestApproval({
      params: { id: sopId },
      body: { approverIds: [signer.id] },
    });
    await signer.client.account.update({ body: { name: "Ada Signs", initials: "AX" } });
    const params = { id: request.id };
    await signer.client.approvals[decision]({ params, body: { comment: "No" } });
    await signer.client.account.update({ body: { name: "Someone Else", initials: "ZZ" } });
    const [kept] = await editor.client.approvals.list({ query: { sopId } });
    expect(kept?.approvers[0]?.user).toEqual({ name: "Ada Signs", username: signer.username, initials: "AX" });
  });

  test("of records from before usernames were kept have only the name", async () => {
    const company = await server().company();
    const manager = await company.user("manager", { name: "Max" });
    const made = await manager.client.sops.create({ body: { title: "Rinse", description: "D", markdown: "One\n" } });
    const versions = server().db.forCompany(company.id).collection("sop_versions");
    await versions.updateMany({ sopId: made.id }, { $unset: { changedByUsername: "" } });
    const sop = await manager.client.sops.get({ params: { id: made.id } });
    expect(sop.control.changedBy).toEqual({ name: "Max", at: expect.any(String) });
    const file = await manager.send({ path: `/api/sops/${made.id}/export?format=html` });
    expect(file.body).toMatch(/Max, \d/);
  });
});
