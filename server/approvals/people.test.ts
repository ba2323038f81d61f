/** Who may be named: the author's own work, those who left, those who take their place. */
import { beforeAll, describe, expect, test } from "vitest";
import { ApiError } from "#core/api/client.ts";
import { cookieOf, describeServer, type Company, type TestUser } from "../../test/server.ts";

const draft = { title: "T", description: "D", markdown: "M\n" };

const refused = (error: unknown) => {
  if (error instanceof ApiError) return `${error.status} ${error.code}`;
  throw error;
};

describeServer("approvers", (server) => {
  let company: Company;
  let admin: TestUser;
  let editor: TestUser;
  let manager: TestUser;
  let viewer: TestUser;

  beforeAll(async () => {
    company = await server().company();
    await company.letApprove("viewer");
    admin = await company.user("company_admin", { name: "Ada Admin" });
    editor = await company.user("editor", { name: "Eve Editor" });
    manager = await company.user("manager", { name: "Max Manager" });
    viewer = await company.user("viewer", { name: "Vic Viewer" });
  });

  const newDraft = async (author = editor) => (await author.client.sops.create({ body: draft })).id;
  const ask = (id: string, approverIds: string[], author = editor) =>
    author.client.sops.requestApproval({ params: { id }, body: { approverIds } });
  const save = (user: TestUser, id: string, markdown: string) =>
    user.client.sops.update({ params: { id }, body: { markdown } });
  const detailsOf = async (request: Promise<unknown>) => {
    const error: unknown = await request.catch((refusal: unknown) => refusal);
    return error instanceof ApiError ? { code: error.code, ...(error.details as object) } : error;
  };
  const candidates = async (user: TestUser, id: string) =>
    Object.fromEntries(
      (await user.client.approvals.candidates({ params: { id } })).people.map((one) => [
        one.name,
        one.reason ?? one.eligible,
      ]),
    );
  const log = async (entityId: string, action: string) =>
    (
      await server()
        .db.collection("audit_logs")
        .find({ entityId, action }, { sort: { _id: 1 } })
    ).map(({ changes }) => changes);

  describe("a person who can't decide", () => {
    test("is refused at once, at the matching field of the request", async () => {
      const [denied, gone, suspended] = [
        await company.user("viewer"),
        await company.user("viewer"),
        await company.user("viewer"),
      ];
      const foreign = await (await server().company()).user("manager");
      const deny = { permission: "sop.read_head", granted: false } as const;
      await admin.client.companyPermissions.set({ params: { id: denied.id }, body: deny });
      await admin.client.companyUsers.remove({ params: { id: gone.id } });
      await admin.client.companyUsers.update({ params: { id: suspended.id }, body: { status: "suspended" } });
      const id = await newDraft();
      await save(manager, id, "By the manager\n");
      const ids = [editor.id, viewer.id, manager.id, denied.id, gone.id, suspended.id, foreign.id, "nobody"];
      const inactive = "This is not an active user of the company";
      expect(await detailsOf(ask(id, ids))).toEqual({
        code: "invalid_input",
        "approverIds.0": "The person who submits can't approve",
        "approverIds.2": "An author since the last published version can't approve",
        "approverIds.3": "This user can't read drafts",
        "approverIds.4": inactive,
        "approverIds.5": inactive,
        "approverIds.6": inactive,
        "approverIds.7": inactive,
      });
      const stored = await server().db.collection("sops").findOne({ _id: id });
      expect(stored).toMatchObject({ status: "draft", requestId: null });
      expect(await server().db.collection("approval_requests").countDocuments({ sopId: id })).toBe(0);
      const shown = await candidates(editor, id);
      expect(shown).toMatchObject({
        "Ada Admin": true,
        "Eve Editor": "requester",
        "Max Manager": "writer",
        "Vic Viewer": true,
        "Some viewer": "denied",
      });
      expect(await candidates(viewer, id).catch(refused)).toBe("404 not_found");
      expect(await candidates(await company.user("reviewer"), id).catch(refused)).toBe("404 not_found");
    });

    test("is an author of any version since the last published one, also after it is unpublished", async () => {
      const id = await newDraft(manager);
      await manager.client.sops.publish({ params: { id }, body: {} });
      await save(editor, id, "Next\n");
      expect(await candidates(editor, id)).toMatchObject({ "Max Manager": true, "Eve Editor": "requester" });
      expect(await candidates(admin, id)).toMatchObject({ "Max Manager": true, "Eve Editor": "writer" });
      await manager.client.sops.unpublish({ params: { id }, body: {} });
      expect(await candidates(admin, id)).toMatchObject({ "Max Manager": true, "Eve Editor": "writer" });
      // a published version that is unpublished needs approval itself: its author counts
      const again = await newDraft(manager);
      await manager.client.sops.publish({ params: { id: again }, body: {} });
      await manager.client.sops.unpublish({ params: { id: again }, body: {} });
      expect(await candidates(admin, again)).toMatchObject({ "Max Manager": "writer", "Eve Editor": true });
    });

    test("can approve their own work if alone in a company that allows it, and the log names each use", async () => {
      const alone = await server().company();
      const boss = await alone.user("company_admin", { name: "Olga Only" });
      await alone.set({ "settings.documentControl": "strict" });
      const id = await newDraft(boss);
      expect(await ask(id, [boss.id], boss).catch(refused)).toBe("400 invalid_input");
      await boss.client.company.update({ body: { settings: { allowSelfApproval: true } } });
      const request = await ask(id, [boss.id], boss);
      expect(request).toMatchObject({ mayDecide: true, needed: 1 });
      expect(await log(id, "sop.request_approval")).toMatchObject([
        { requestId: request.id, selfApproval: [{ userId: boss.id, name: "Olga Only" }] },
      ]);
      const params = { id: request.id };
      // the leave is asked for again when it is used
      await boss.client.company.update({ body: { settings: { allowSelfApproval: false } } });
      expect(await boss.client.approvals.approve({ params }).catch(refused)).toBe("403 forbidden");
      await boss.client.company.update({ body: { settings: { allowSelfApproval: true } } });
      expect(await boss.client.approvals.approve({ params })).toMatchObject({ status: "approved" });
      expect(await log(id, "sop.approve")).toMatchObject([{ selfApproval: true }]);
      expect(await log(request.sopId, "sop.publish")).toHaveLength(1);
    });

    test("can't approve their own work in a company of two; another person's approval is not logged as such", async () => {
      const two = await server().company();
      const boss = await two.user("company_admin");
      const turnOn = () => boss.client.company.update({ body: { settings: { allowSelfApproval: true } } });
      const other = await two.user("editor");
      await expect(turnOn()).rejects.toMatchObject({
        code: "conflict",
        details: { "settings.allowSelfApproval": expect.stringContaining("2 active users") },
      });
      await boss.client.companyUsers.update({ params: { id: other.id }, body: { status: "suspended" } });
      expect((await turnOn()).settings.allowSelfApproval).toBe(true);
      await boss.client.companyUsers.update({ params: { id: other.id }, body: { status: "active" } });
      // turned on, it may be saved again with the rest, and turned off
      expect((await turnOn()).settings.allowSelfApproval).toBe(true);
      const id = await newDraft(boss);
      const request = await ask(id, [(await two.user("manager")).id], boss);
      expect((await log(id, "sop.request_approval"))[0]).not.toHaveProperty("selfApproval");
      expect(request.approvers).toHaveLength(1);
    });
  });

  describe("another approver", () => {
    test("replaces one who has not decided, who keeps the entry and loses access", async () => {
      const other = await company.user("viewer", { name: "Nora New" });
      const id = await newDraft();
      const request = await ask(id, [viewer.id, manager.id]);
      const params = { id: request.id };
      await manager.client.approvals.approve({ params });
      const body = { replace: viewer.id, with: other.id };
      expect(await viewer.client.approvals.replaceApprover({ params, body }).catch(refused)).toBe("403 forbidden");
      const after = await editor.client.approvals.replaceApprover({ params, body });
      expect(after.needed).toBe(2);
      expect(after.approvers.map(({ user, status, replacedAt }) => [user.name, status, replacedAt !== null])).toEqual([
        ["Vic Viewer", "pending", true],
        ["Nora New", "pending", false],
        ["Max Manager", "approved", false],
      ]);
      expect(await viewer.client.sops.get({ params: { id } }).catch(refused)).toBe("404 not_found");
      expect(await viewer.client.approvals.approve({ params }).catch(refused)).toBe("404 not_found");
      expect(await log(id, "sop.replace_approver")).toMatchObject([
        {
          requestId: request.id,
          approver: {
            from: { userId: viewer.id, name: "Vic Viewer" },
            to: { userId: other.id, name: "Nora New" },
          },
        },
      ]);
      const told = await server().db.collection("notifications").find({ sopId: id, kind: "approver_replaced" });
      expect(told.map(({ userId }) => userId)).toEqual([viewer.id]);
      expect(await other.client.approvals.list({ query: { mine: "true" } })).toMatchObject([{ id: request.id }]);
      expect(await other.client.approvals.approve({ params })).toMatchObject({ status: "approved" });
    });

    test("is a person who can decide, in place of one who is still waited for", async () => {
      const request = await ask(await newDraft(), [viewer.id, manager.id]);
      const replace = (who: string, by: string) =>
        detailsOf(
          admin.client.approvals.replaceApprover({ params: { id: request.id }, body: { replace: who, with: by } }),
        );
      expect(await replace(viewer.id, editor.id)).toMatchObject({
        with: "The person who submits can't approve",
      });
      expect(await replace(viewer.id, "nobody")).toMatchObject({ with: "This is not an active user of the company" });
      expect(await replace(viewer.id, manager.id)).toMatchObject({
        with: "This user is an approver of this request already",
      });
      expect(await replace(admin.id, (await company.user("viewer")).id)).toMatchObject({
        replace: "This user isn't a pending approver",
      });
    });
  });

  describe("an approver who leaves", () => {
    test.each(["suspended", "deleted"] as const)(
      "(%s) stays with the stored name, can be replaced, and the requester is notified",
      async (status) => {
        const leaving = await company.user("viewer", { name: "Lea Leaving" });
        const request = await ask(await newDraft(), [leaving.id, manager.id]);
        await admin.client.companyUsers.update({ params: { id: leaving.id }, body: { status } });
        const params = { id: request.id };
        const told = await server()
          .db.collection("notifications")
          .find({ sopId: request.sopId, kind: "approver_unavailable" });
        expect(told.map(({ userId, detail }) => [userId, detail["name"], detail["requestId"]])).toEqual([
          [editor.id, `Lea Leaving (${leaving.username})`, request.id],
        ]);
        const [shown] = await editor.client.approvals.list({ query: { sopId: request.sopId } });
        expect(shown).toMatchObject({ status: "pending", needed: 2 });
        expect(shown?.approvers[0]).toMatchObject({ user: { name: "Lea Leaving", initials: "LL" }, status: "pending" });
        expect(shown?.approvers.map(({ active }) => active)).toEqual([false, true]);
        expect(await manager.client.approvals.approve({ params })).toMatchObject({ status: "pending" });
        const body = { replace: leaving.id, with: viewer.id };
        await manager.client.approvals.replaceApprover({ params, body });
        const after = await viewer.client.approvals.approve({ params });
        expect(after).toMatchObject({ status: "approved", endedBy: null });
        // approvers who decided or were replaced are not waited for: their permission doesn't matter
        expect(after.approvers.map(({ active }) => active)).toEqual([true, true, true]);
      },
    );

    test("and comes back finds the open request", async () => {
      const leaving = await company.user("viewer", { name: "Bea Back" });
      const request = await ask(await newDraft(), [leaving.id]);
      const set = (status: "active" | "deleted") =>
        admin.client.companyUsers.update({ params: { id: leaving.id }, body: { status } });
      await set("deleted");
      await set("active");
      const back = server().clientWith({ cookie: cookieOf(await server().signIn(leaving.username)) });
      const [again] = await back.approvals.list({ query: { mine: "true" } });
      expect(again?.approvers.map(({ active }) => active)).toEqual([true]);
      expect((await back.sops.list()).data.map(({ id }) => id)).toContain(request.sopId);
      expect(await back.approvals.approve({ params: { id: request.id } })).toMatchObject({ status: "approved" });
    });

    test("and has already decided keeps the decision", async () => {
      const leaving = await company.user("viewer", { name: "Dan Done" });
      const request = await ask(await newDraft(), [leaving.id, manager.id]);
      await leaving.client.approvals.approve({ params: { id: request.id } });
      await admin.client.companyUsers.remove({ params: { id: leaving.id } });
      expect(
        await server()
          .db.collection("notifications")
          .countDocuments({ sopId: request.sopId, kind: "approver_unavailable" }),
      ).toBe(0);
      const after = await manager.client.approvals.approve({ params: { id: request.id } });
      expect(after).toMatchObject({ status: "approved" });
      expect(after.approvers[0]).toMatchObject({ user: { name: "Dan Done" }, status: "approved" });
    });
  });
});
