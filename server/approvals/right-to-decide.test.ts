/**
 * Tests who can be named as approver and who can decide: enough people for the rule, each with the permission to approve
 * at both times.
 */
import { beforeAll, describe, expect, test } from "vitest";
import type { ApprovalRule } from "#core/companies/settings.ts";
import { ApiError } from "#core/api/client.ts";
import { cookieOf, describeServer, password, type Company, type TestUser } from "../../test/server.ts";
import { announceExpiredPermissions } from "../permissions/permissions-end.ts";

const draft = { title: "Clean the slicer", description: "D", markdown: "Pull the plug\n" };
const refused = (error: unknown) => {
  if (error instanceof ApiError) return `${error.status} ${error.code}`;
  throw error;
};
const said = (error: unknown) => {
  if (error instanceof ApiError) return { status: error.status, message: error.serverMessage, details: error.details };
  throw error;
};

describeServer("the permission to approve", (server) => {
  let company: Company;
  let admin: TestUser;
  let editor: TestUser;
  let manager: TestUser;
  let reviewer: TestUser;
  let viewer: TestUser;

  beforeAll(async () => {
    company = await server().company();
    admin = await company.user("company_admin", { name: "Ada Admin" });
    editor = await company.user("editor", { name: "Eve Editor" });
    manager = await company.user("manager", { name: "Max Manager" });
    reviewer = await company.user("reviewer", { name: "Rita Reviewer" });
    viewer = await company.user("viewer", { name: "Vic Viewer" });
  });

  const rule = (approvalRule: ApprovalRule) => company.set({ "settings.approvalRule": approvalRule });
  const two: ApprovalRule = { kind: "n_of_m", count: 2 };
  const all: ApprovalRule = { kind: "all", count: null };
  const newDraft = async (more: object = {}) => (await editor.client.sops.create({ body: { ...draft, ...more } })).id;
  const ask = (id: string, ...approvers: TestUser[]) =>
    editor.client.sops.requestApproval({ params: { id }, body: { approverIds: approvers.map((one) => one.id) } });
  const approve = (user: TestUser, id: string) => user.client.approvals.approve({ params: { id } });
  const told = async (sopId: string) =>
    (await server().db.collection("notifications").find({ sopId, kind: "approver_unavailable" })).map(
      ({ userId, detail }) => [userId, detail["name"]],
    );

  describe("a rule of 2 approvals", () => {
    test("is refused with one approver named, once or twice, and nothing is stored", async () => {
      await rule(two);
      const id = await newDraft();
      const message = "The rule needs 2 approvers. Name 1 more.";
      const answer = { status: 400, message, details: { approverIds: message } };
      expect(await ask(id, manager).catch(said)).toMatchObject(answer);
      expect(await ask(id, manager, manager).catch(said)).toMatchObject(answer);
      expect(await server().db.collection("approval_requests").countDocuments({ sopId: id })).toBe(0);
      const request = await ask(id, manager, reviewer);
      expect(await approve(manager, request.id)).toMatchObject({ status: "pending", needed: 2 });
      expect((await editor.client.sops.get({ params: { id } })).published).toBeNull();
      expect(await approve(reviewer, request.id)).toMatchObject({ status: "approved", publishedVersion: 1 });
      await rule(all);
    });

    test("says who can change it where the company has too few people for it", async () => {
      const small = await server().company();
      const [boss, writer] = [await small.user("manager"), await small.user("editor")];
      await small.user("viewer");
      await small.set({ "settings.approvalRule": two });
      const askBoss = async (categoryId?: string) => {
        const { id } = await writer.client.sops.create({ body: { ...draft, categoryId } });
        const request = writer.client.sops.requestApproval({ params: { id }, body: { approverIds: [boss.id] } });
        return ((await request.catch(said)) as { message: string }).message;
      };
      const few = "The rule needs 2 approvers, but only 1 person can approve this SOP.";
      expect(await askBoss()).toBe(`${few} A company admin can change the rule.`);
      const { id } = await boss.client.categories.create({ body: { name: "Food safety", approvalRule: two } });
      expect(await askBoss(id)).toBe(`${few} A manager can change the rule of Food safety.`);
    });

    test("is shown with the people who can be named, before one is", async () => {
      const { id: categoryId } = await manager.client.categories.create({
        body: { name: "Food safety", approvalRule: two },
      });
      const params = { id: await newDraft({ categoryId }) };
      const choice = await editor.client.approvals.candidates({ params });
      expect(choice).toMatchObject({ rule: two, category: "Food safety", approversNeeded: 2 });
      const reasons = Object.fromEntries(choice.people.map(({ name, reason }) => [name, reason ?? "eligible"]));
      expect(reasons).toMatchObject({
        "Ada Admin": "eligible",
        "Max Manager": "eligible",
        "Rita Reviewer": "eligible",
        "Eve Editor": "requester",
        "Vic Viewer": "no_right",
      });
      expect(await editor.client.approvals.candidates({ params: { id: await newDraft() } })).toMatchObject({
        rule: all,
        category: null,
        approversNeeded: 1,
      });
    });

    test("never holds less than the request pinned, or the rule at that time", async () => {
      await rule({ kind: "any", count: null });
      const request = await ask(await newDraft(), manager, reviewer);
      await rule(two);
      expect(await approve(manager, request.id)).toMatchObject({ status: "pending", needed: 2, rule: two });
      await rule({ kind: "n_of_m", count: 3 });
      const answer = await approve(reviewer, request.id).catch(said);
      expect(answer).toMatchObject({
        status: 409,
        message:
          "The rule needs 3 approvals now, and this request names only 2 people. It must be withdrawn and submitted again",
      });
      // made looser again, the request keeps what it pinned
      await rule(two);
      const pinned = await ask(await newDraft(), manager, reviewer);
      await rule({ kind: "any", count: null });
      expect(await approve(manager, pinned.id)).toMatchObject({ status: "pending", needed: 2, rule: two });
      expect(await approve(reviewer, pinned.id)).toMatchObject({ status: "approved" });
      await rule(all);
    });
  });

  test("contributors and viewers can't be named, all of them listed; a company can give them the permission", async () => {
    const contributor = await company.user("contributor");
    const id = await newDraft();
    const noRight = "This user has no permission to approve";
    expect(await ask(id, viewer, manager, contributor).catch(said)).toMatchObject({
      status: 400,
      details: { "approverIds.0": noRight, "approverIds.2": noRight },
    });
    const request = await ask(id, reviewer);
    const replace = (by: TestUser) =>
      editor.client.approvals.replaceApprover({
        params: { id: request.id },
        body: { replace: reviewer.id, with: by.id },
      });
    expect(await replace(viewer).catch(said)).toMatchObject({ status: 400, details: { with: noRight } });
    const right = { permission: "sop.decide", granted: true } as const;
    await admin.client.companyPermissions.set({ params: { id: viewer.id }, body: right });
    await replace(viewer);
    // the permission alone shows no draft: being named does
    const other = await newDraft();
    expect(await viewer.client.sops.get({ params: { id: other } }).catch(refused)).toBe("404 not_found");
    expect(await approve(viewer, request.id)).toMatchObject({ status: "approved" });
    await manager.client.sops.grant({ params: { id: other }, body: { userId: contributor.id, permission: "approve" } });
    const granted = await ask(other, contributor);
    expect(await approve(contributor, granted.id)).toMatchObject({ status: "approved" });
    expect(await ask(await newDraft(), contributor).catch(refused)).toBe("400 invalid_input");
    await admin.client.roles.set({ body: { role: "contributor", ...right } });
    expect((await ask(await newDraft(), contributor)).approvers).toHaveLength(1);
    await admin.client.roles.set({ body: { role: "contributor", ...right, granted: null } });
    await company.set({ "settings.roleOverrides": {} });
  });

  describe("an approver who loses the permission", () => {
    const losses: Record<string, (who: TestUser, sopId: string) => Promise<unknown>> = {
      "by another role": (who) =>
        admin.client.companyUsers.update({ params: { id: who.id }, body: { role: "contributor" } }),
      "by a denial": (who) =>
        admin.client.companyPermissions.set({
          params: { id: who.id },
          body: { permission: "sop.decide", granted: false },
        }),
      "by a denial of drafts": (who) =>
        admin.client.companyPermissions.set({
          params: { id: who.id },
          body: { permission: "sop.read_head", granted: false },
        }),
      "by a change of the role": () =>
        admin.client.roles.set({ body: { role: "reviewer", permission: "sop.decide", granted: false } }),
    };

    test.each(Object.keys(losses))("%s can't decide, the requester is notified once and names another", async (how) => {
      const leaving = await company.user("reviewer", { name: "Lea Leaving" });
      const request = await ask(await newDraft(), leaving, manager);
      await losses[how]?.(leaving, request.sopId);
      // another role ends the session
      const { username } = leaving;
      const again = server().clientWith({ cookie: cookieOf(await server().signIn(username)) });
      for (const decide of [again.approvals.approve, again.approvals.reject])
        expect(await decide({ params: { id: request.id } }).catch(refused)).toMatch(/^40[34]/);
      await losses[how]?.(leaving, request.sopId);
      expect(await told(request.sopId)).toEqual([[editor.id, `Lea Leaving (${username})`]]);
      const [shown] = await editor.client.approvals.list({ query: { sopId: request.sopId } });
      expect(shown?.approvers.map(({ active }) => active)).toEqual([false, true]);
      expect(await again.approvals.list({ query: { mine: "true" } })).toEqual([]);
      expect(await approve(manager, request.id)).toMatchObject({ status: "pending" });
      const body = { replace: leaving.id, with: admin.id };
      await editor.client.approvals.replaceApprover({ params: { id: request.id }, body });
      expect(await approve(admin, request.id)).toMatchObject({ status: "approved" });
      await company.set({ "settings.roleOverrides": {} });
    });

    test("through an expired right, share or team notifies the requester too; an earlier decision counts", async () => {
      const { id: teamId } = await admin.client.teams.create({ body: { name: "Line 2" } });
      const [timed, granted, member] = [
        await company.user("viewer", { name: "Tim Timed" }),
        await company.user("viewer", { name: "Gus Granted" }),
        await company.user("viewer", { name: "Mia Member" }),
      ];
      const expiresAt = new Date(server().clock.millis() + 3_600_000).toISOString();
      await admin.client.companyPermissions.set({
        params: { id: timed.id },
        body: { permission: "sop.decide", granted: true, expiresAt },
      });
      await admin.client.teams.addMember({ params: { id: teamId }, body: { userId: member.id, role: "member" } });
      const params = { id: await newDraft() };
      await manager.client.sops.grant({ params, body: { userId: granted.id, permission: "approve" } });
      await manager.client.sops.grant({ params, body: { teamId, permission: "approve" } });
      const request = await ask(params.id, timed, granted, member, reviewer);
      await approve(reviewer, request.id);
      server().clock.advance(3_600_001);
      await announceExpiredPermissions.run(server().running.services, server().clock.now());
      expect(await told(params.id)).toEqual([[editor.id, `Tim Timed (${timed.username})`]]);
      const { permissions } = await manager.client.sops.permissions({ params });
      const own = permissions.find(({ userId }) => userId === granted.id)?.id ?? "";
      await manager.client.sops.revoke({ params: { ...params, permissionId: own } });
      await admin.client.teams.remove({ params: { id: teamId } });
      expect((await told(params.id)).map(([, name]) => name)).toEqual(
        [timed, granted, member].map(({ name, username }) => `${name} (${username})`),
      );
      for (const user of [timed, granted, member])
        expect(await approve(user, request.id).catch(refused)).toBe("403 forbidden");
      await admin.client.account.prove({ body: { currentPassword: password } });
      await admin.client.companyUsers.update({ params: { id: reviewer.id }, body: { role: "viewer" } });
      const [shown] = await editor.client.approvals.list({ query: { sopId: params.id } });
      expect(shown?.approvers.map(({ status, active }) => [status, active])).toEqual([
        ["pending", false],
        ["pending", false],
        ["pending", false],
        ["approved", true],
      ]);
    });
  });
});
