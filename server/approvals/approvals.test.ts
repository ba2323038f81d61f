/** Requests and what becomes of them: each rule, each outcome, what is stored, said and committed. */
import { execFileSync } from "node:child_process";
import { beforeAll, describe, expect, test } from "vitest";
import type { Approval } from "#core/approvals/schema.ts";
import type { ApprovalRule } from "#core/companies/settings.ts";
import { ApiError } from "#core/api/client.ts";
import { printedName } from "#core/users/printed-name.ts";
import { describeServer, type Company, type TestUser } from "../../test/server.ts";

const draft = { title: "Wash hands", description: "D", markdown: "Use soap\n" };

const refused = (error: unknown) => {
  if (error instanceof ApiError) return `${error.status} ${error.code}`;
  throw error;
};
const done = () => "done";

describeServer("approvals", (server) => {
  let company: Company;
  let editor: TestUser;
  let manager: TestUser;
  let viewer: TestUser;
  let reviewer: TestUser;

  beforeAll(async () => {
    company = await server().company();
    await company.letApprove("viewer");
    editor = await company.user("editor", { name: "Eve Editor" });
    manager = await company.user("manager", { name: "Max Manager" });
    viewer = await company.user("viewer", { name: "Vic Viewer" });
    reviewer = await company.user("reviewer", { name: "Rita Reviewer" });
  });

  const rule = (approvalRule: ApprovalRule) => company.set({ "settings.approvalRule": approvalRule });
  const newDraft = async (author = editor) => (await author.client.sops.create({ body: draft })).id;
  const ask = (id: string, approvers: readonly TestUser[], author = editor) =>
    author.client.sops.requestApproval({ params: { id }, body: { approverIds: approvers.map((one) => one.id) } });
  const asked = async (...approvers: TestUser[]) => ask(await newDraft(), approvers);
  const decide = (
    user: TestUser,
    verb: "approve" | "reject" | "requestChanges" | "withdraw",
    { id }: Approval,
    comment?: string,
  ) => {
    const params = { id };
    if (verb === "requestChanges")
      return user.client.approvals.requestChanges({ params, body: { comment: comment ?? "Name the valve" } });
    return user.client.approvals[verb]({ params, body: comment === undefined ? {} : { comment } });
  };
  const sopOf = async ({ sopId }: Approval) => {
    const sop = await server().db.collection("sops").findOne({ _id: sopId });
    if (!sop) throw new Error("the SOP is gone");
    return sop;
  };
  const log = async ({ sopId }: Approval) => {
    const rows = await server()
      .db.collection("audit_logs")
      .find({ entityId: sopId }, { sort: { _id: 1 } });
    return rows.map(({ action, userName, changes }) => ({ action, userName, changes }));
  };
  const told = async (request: Approval) => {
    const names = new Map([editor, manager, viewer, reviewer].map(({ id, name }) => [id, name.split(" ")[0]]));
    const notices = await server()
      .db.collection("notifications")
      .find({ sopId: request.sopId }, { sort: { _id: 1 } });
    return notices.map(({ kind, userId }) => `${kind} ${names.get(userId)}`).sort();
  };

  describe("a request", () => {
    test("pins the latest version, puts it under review, and shows it to its approvers until it is resolved", async () => {
      await rule({ kind: "all", count: null });
      const id = await newDraft();
      const before = await editor.client.sops.get({ params: { id } });
      expect(await viewer.client.sops.get({ params: { id } }).catch(refused)).toBe("404 not_found");
      const body = { requestNote: "  Please look ", approverIds: [manager.id, viewer.id, manager.id] };
      const request = await editor.client.sops.requestApproval({ params: { id }, body });
      expect(request).toEqual({
        id: expect.any(String),
        sopId: id,
        sop: { id, number: before.number, title: draft.title, version: 1, contentHash: before.contentHash },
        version: 1,
        contentHash: before.contentHash,
        status: "pending",
        outcome: null,
        requestNote: "Please look",
        requestedBy: { id: editor.id, name: "Eve Editor", username: editor.username },
        rule: { kind: "all", count: null },
        needed: 2,
        createdAt: expect.any(String),
        resolvedAt: null,
        endedBy: null,
        approvers: [manager, viewer].map(({ id: userId, name, username }) => ({
          id: expect.any(String),
          userId,
          user: { name, username, initials: name === "Max Manager" ? "MM" : "VV" },
          status: "pending",
          comment: null,
          respondedAt: null,
          replacedAt: null,
          active: true,
        })),
        mayDecide: false,
        mayWithdraw: true,
        mayReplace: true,
        publishedVersion: null,
      });
      expect(await viewer.client.sops.get({ params: { id } })).toMatchObject({
        status: "under_review",
        approvers: [viewer.id],
        waitsForMe: true,
      });
      expect((await viewer.client.sops.list()).data.map((row) => row.id)).toContain(id);
      // one who has decided still sees what the others decide about
      await decide(viewer, "approve", request);
      expect(await viewer.client.sops.get({ params: { id } })).toMatchObject({
        approvers: [viewer.id],
        waitsForMe: false,
      });
      expect((await manager.client.sops.list()).data.find((row) => row.id === id)).toMatchObject({ waitsForMe: true });
      await decide(manager, "reject", request);
      expect(await viewer.client.sops.get({ params: { id } }).catch(refused)).toBe("404 not_found");
      expect((await viewer.client.sops.list()).data.map((row) => row.id)).not.toContain(id);
      expect(await sopOf(request)).toMatchObject({ approvers: [], grantees: [], requestId: null, status: "draft" });
    });

    test("is for a draft without an open request, by a user with the permission", async () => {
      const id = await newDraft();
      expect(await ask(id, [manager], viewer).catch(refused)).toBe("404 not_found");
      expect(await ask(id, [manager], reviewer).catch(refused)).toBe("404 not_found");
      await ask(id, [manager]);
      expect(await ask(id, [manager]).catch(refused)).toBe("409 conflict");
      expect(await ask(id, [manager], reviewer).catch(refused)).toBe("403 forbidden");
      expect(await editor.client.sops.update({ params: { id }, body: { status: "published" } }).catch(refused)).toMatch(
        /^40[39]/,
      );
      for (const status of ["published", "archived"] as const) {
        const other = await manager.client.sops.create({ body: { ...draft, status } });
        expect(await ask(other.id, [viewer], manager).catch(refused)).toBe("409 conflict");
      }
      const stale = editor.client.sops.requestApproval({
        params: { id: await newDraft() },
        body: { approverIds: [manager.id] },
        ifMatch: 7,
      });
      expect(await stale.catch(refused)).toBe("412 stale");
      const nobody = editor.client.sops.requestApproval({
        params: { id: await newDraft() },
        body: { approverIds: [] },
      });
      await expect(nobody).rejects.toMatchObject({
        status: 400,
        details: { approverIds: "Select at least one approver" },
      });
    });
  });

  describe("the rule", () => {
    test('"all" publishes with the last approval and keeps every decision', async () => {
      await rule({ kind: "all", count: null });
      const request = await asked(manager, viewer);
      // the rule is the one of the moment it was asked by
      await rule({ kind: "any", count: null });
      const half = await decide(viewer, "approve", request, " Reads well ");
      expect(half).toMatchObject({ status: "pending", outcome: null, mayDecide: false, resolvedAt: null });
      expect(await sopOf(request)).toMatchObject({ status: "under_review", published: null });
      const whole = await decide(manager, "approve", request);
      expect(whole).toMatchObject({ status: "approved", outcome: "approved", publishedVersion: 1 });
      expect(whole.approvers.map(({ user, status, comment }) => [user.name, status, comment])).toEqual([
        ["Max Manager", "approved", null],
        ["Vic Viewer", "approved", "Reads well"],
      ]);
      expect(await viewer.client.sops.get({ params: { id: request.sopId } })).toMatchObject({
        status: "published",
        published: { version: 1 },
      });
      expect(await told(request)).toEqual([
        "approval_approved Eve",
        "approval_approved Eve",
        "approval_approved Vic",
        "approval_requested Max",
        "approval_requested Vic",
      ]);
      expect((await log(request)).map(({ action, userName }) => `${action} ${userName}`)).toEqual([
        `sop.create ${printedName(editor)}`,
        `sop.request_approval ${printedName(editor)}`,
        `sop.approve ${printedName(viewer)}`,
        `sop.approve ${printedName(manager)}`,
        `sop.publish ${printedName(manager)}`,
      ]);
      expect((await log(request))[2]?.changes).toMatchObject({
        requestId: request.id,
        outcome: null,
        note: "Reads well",
        version: 1,
        contentHash: request.contentHash,
      });
      expect((await log(request))[4]?.changes).toMatchObject({
        approvedBy: [
          { userId: manager.id, name: "Max Manager" },
          { userId: viewer.id, name: "Vic Viewer" },
        ],
      });
    });

    test('"any" publishes with the first approval', async () => {
      await rule({ kind: "any", count: null });
      const request = await asked(manager, viewer, reviewer);
      expect(request.needed).toBe(1);
      const after = await decide(reviewer, "approve", request);
      expect(after.approvers.map(({ status, respondedAt }) => [status, respondedAt !== null])).toEqual([
        ["pending", false],
        ["pending", false],
        ["approved", true],
      ]);
      expect(after).toMatchObject({ status: "approved", publishedVersion: 1 });
      expect(await decide(manager, "approve", request).catch(refused)).toBe("409 conflict");
    });

    test('"n of m" publishes with that many approvals', async () => {
      await rule({ kind: "n_of_m", count: 2 });
      const request = await asked(manager, viewer, reviewer);
      expect(request.needed).toBe(2);
      expect(await decide(manager, "approve", request)).toMatchObject({ status: "pending" });
      expect(await decide(viewer, "approve", request)).toMatchObject({ status: "approved" });
    });

    test("of the category overrides the company's, also in strict companies", async () => {
      const strict = await server().company();
      await strict.set({ "settings.documentControl": "strict", "settings.approvalRule": { kind: "all", count: null } });
      const [boss, one, two] = [
        await strict.user("manager"),
        await strict.user("reviewer"),
        await strict.user("reviewer"),
      ];
      const category = await boss.client.categories.create({
        body: { name: "Labs", approvalRule: { kind: "any", count: null } },
      });
      const { id } = await boss.client.sops.create({ body: { ...draft, categoryId: category.id } });
      expect(await boss.client.sops.publish({ params: { id }, body: {} }).catch(refused)).toBe("409 conflict");
      const request = await ask(id, [one, two], boss);
      expect(await decide(two, "approve", request)).toMatchObject({ status: "approved", rule: { kind: "any" } });
      const stored = await server().db.collection("sops").findOne({ _id: id });
      expect(stored?.published).toMatchObject({ version: 1, contentHash: request.contentHash });
    });
  });

  describe("the outcome", () => {
    beforeAll(() => rule({ kind: "all", count: null }));

    test.each([
      ["reject", "rejected", "sop.reject", "approval_rejected"],
      ["requestChanges", "changes_requested", "sop.request_changes", "approval_changes_requested"],
    ] as const)(
      "of %s makes the SOP a draft at once, however many have approved",
      async (verb, outcome, action, kind) => {
        const request = await asked(manager, viewer, reviewer);
        await decide(manager, "approve", request);
        const after = await decide(viewer, verb, request, "Not yet");
        expect(after).toMatchObject({ status: "rejected", outcome });
        expect(after.resolvedAt).not.toBeNull();
        expect(after.approvers.map(({ status, comment }) => [status, comment])).toEqual([
          ["approved", null],
          ["rejected", "Not yet"],
          ["pending", null],
        ]);
        expect(await sopOf(request)).toMatchObject({ status: "draft", requestId: null, published: null });
        expect((await log(request)).at(-1)).toMatchObject({ action, changes: { outcome, note: "Not yet" } });
        expect((await told(request)).filter((line) => line.startsWith(kind))).toEqual([
          `${kind} Eve`,
          `${kind} Max`,
          `${kind} Rita`,
        ]);
        expect(await decide(reviewer, "approve", request).catch(refused)).toBe("404 not_found");
        // and may be asked about again, as it is
        expect(await ask(request.sopId, [viewer])).toMatchObject({ status: "pending", version: 1 });
      },
    );

    test("of requested changes needs a comment; a rejection doesn't", async () => {
      const request = await asked(viewer);
      const wish = (body: unknown) =>
        viewer.send({
          method: "POST",
          path: `/api/approvals/${request.id}/request-changes`,
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        });
      for (const body of [{}, { comment: null }, { comment: " \n " }]) {
        const answer = await wish(body);
        expect([answer.status, JSON.parse(String(answer.body))]).toMatchObject([
          400,
          { code: "invalid_input", details: { comment: "Say what has to change" } },
        ]);
      }
      expect(await sopOf(request)).toMatchObject({ status: "under_review", waitingFor: [viewer.id] });
      expect(await decide(viewer, "reject", request)).toMatchObject({ outcome: "rejected" });
    });

    test("is withdrawn only by the requester or a user who can publish", async () => {
      for (const [user, allowed] of [
        [editor, true],
        [manager, true],
        [reviewer, false],
        [viewer, false],
      ] as const) {
        const request = await asked(reviewer, viewer);
        const answer = await decide(user, "withdraw", request, "Too early").then(({ outcome }) => outcome, refused);
        expect([user.role, answer]).toEqual([user.role, allowed ? "withdrawn" : "403 forbidden"]);
        if (!allowed) continue;
        const [ended] = await editor.client.approvals.list({ query: { sopId: request.sopId } });
        expect(ended?.endedBy).toEqual({
          id: user.id,
          name: user === editor ? "Eve Editor" : "Max Manager",
          username: user.username,
          comment: "Too early",
        });
        expect(await sopOf(request)).toMatchObject({ status: "draft", requestId: null, approvers: [] });
        const kinds = (await told(request)).filter((line) => line.startsWith("approval_withdrawn"));
        expect(kinds).toEqual([
          ...(user === editor ? [] : ["approval_withdrawn Eve"]),
          "approval_withdrawn Rita",
          "approval_withdrawn Vic",
        ]);
        expect(await decide(user, "withdraw", request).catch(refused)).toBe("409 conflict");
      }
    });

    test.each(["edit", "restore", "archive", "remove"] as const)(
      "is canceled by %s, and the approvers are notified",
      async (how) => {
        const id = await newDraft();
        await editor.client.sops.update({ params: { id }, body: { markdown: "Use more soap\n" } });
        const request = await ask(id, [manager, viewer]);
        await decide(manager, "approve", request);
        const admin = await company.user("admin");
        if (how === "edit") await editor.client.sops.update({ params: { id }, body: { markdown: "Use water\n" } });
        if (how === "restore") await editor.client.sops.restore({ params: { id, version: 1 }, body: {} });
        if (how === "archive") await admin.client.sops.archive({ params: { id }, body: {} });
        if (how === "remove") await admin.client.sops.remove({ params: { id } });
        const stored = await server().db.collection("approval_requests").findOne({ _id: request.id });
        expect(stored).toMatchObject({ status: "rejected", outcome: "voided", waitingFor: [] });
        const byAdmin = how === "archive" || how === "remove";
        expect(stored?.endedBy).toMatchObject({ userId: byAdmin ? admin.id : editor.id, comment: null });
        expect(await decide(viewer, "approve", request).catch(refused)).toBe("404 not_found");
        if (how !== "remove") expect(await decide(manager, "approve", request).catch(refused)).toBe("409 conflict");
        expect(await sopOf(request)).toMatchObject({ requestId: null, approvers: [], published: null });
        const voided = (await told(request)).filter((line) => line.startsWith("approval_voided"));
        // people get no notice of their own actions
        const byHerself = how === "edit" || how === "restore";
        expect(voided).toEqual([
          ...(byHerself ? [] : ["approval_voided Eve"]),
          "approval_voided Max",
          "approval_voided Vic",
        ]);
      },
    );

    test("is not affected by sharing or unpublishing", async () => {
      const made = await manager.client.sops.create({ body: { ...draft, status: "published" } });
      await editor.client.sops.update({ params: { id: made.id }, body: { markdown: "Use water\n" } });
      const request = await ask(made.id, [viewer]);
      const params = { id: made.id };
      await manager.client.sops.grant({ params, body: { userId: reviewer.id, permission: "read" } });
      await manager.client.sops.revoke({
        params: {
          ...params,
          permissionId: (await manager.client.sops.permissions({ params })).permissions[0]?.id ?? "",
        },
      });
      await manager.client.sops.unpublish({ params, body: {} });
      expect(await sopOf(request)).toMatchObject({ status: "under_review", requestId: request.id });
      expect(await decide(viewer, "approve", request)).toMatchObject({ status: "approved", publishedVersion: 2 });
    });

    test("is canceled by a move to another category, and its approvers are notified", async () => {
      const request = await asked(viewer);
      const [category] = await manager.client.categories.list();
      const params = { id: request.sopId };
      await editor.client.sops.update({ params, body: { categoryId: category?.id ?? "" } });
      expect(await sopOf(request)).toMatchObject({ status: "draft", requestId: null, categoryId: category?.id });
      const [ended] = await editor.client.approvals.list({ query: { sopId: request.sopId } });
      expect(ended).toMatchObject({ outcome: "voided", endedBy: { name: "Eve Editor" } });
      expect(await told(request)).toContain("approval_voided Vic");
      expect(await decide(viewer, "approve", request).catch(refused)).toBe("404 not_found");
    });

    test("publishes with the day, class and note that the request names", async () => {
      const id = await newDraft();
      const body = {
        requestNote: "One scoop",
        changeClass: "minor" as const,
        effectiveAt: "2099-02-03",
        approverIds: [viewer.id],
      };
      const request = await editor.client.sops.requestApproval({ params: { id }, body });
      await decide(viewer, "approve", request);
      const scheduled = { version: 1, effectiveAt: "2099-02-03T00:00:00.000Z" };
      expect(await sopOf(request)).toMatchObject({
        published: null,
        scheduled: { ...scheduled, changeClass: "minor", changeNote: "One scoop" },
      });
      const wrong = { ...body, effectiveAt: "soon" };
      const next = await newDraft();
      expect(await editor.client.sops.requestApproval({ params: { id: next }, body: wrong }).catch(refused)).toMatch(
        /^400/,
      );
    });

    test("is scheduled when approved for a later day, with the approvals kept", async () => {
      const id = await newDraft();
      await editor.client.sops.update({ params: { id }, body: { effectiveAt: "2099-01-01" } });
      const request = await ask(id, [viewer]);
      expect(await decide(viewer, "approve", request)).toMatchObject({ status: "approved", publishedVersion: null });
      expect(await sopOf(request)).toMatchObject({
        status: "published",
        requestId: null,
        scheduled: { version: 2, approvals: [{ userId: viewer.id, name: "Vic Viewer" }] },
      });
      expect((await log(request)).slice(-2).map(({ action }) => action)).toEqual(["sop.approve", "sop.schedule"]);
    });
  });

  test("cover one text only: a changed text is not published", async () => {
    const request = await asked(viewer);
    await server()
      .db.collection("sops")
      .updateOne({ _id: request.sopId }, { $set: { contentHash: "0".repeat(64) }, $inc: { revision: 1 } });
    expect(await decide(viewer, "approve", request).catch(refused)).toBe("409 conflict");
    expect(await sopOf(request)).toMatchObject({ published: null, status: "under_review" });
    const stale = viewer.client.approvals.approve({ params: { id: request.id }, ifMatch: 2 });
    expect(await stale.catch(refused)).toBe("412 stale");
  });

  test("look unknown to readers; users who see the draft still can't decide", async () => {
    const outsider = await company.user("viewer");
    const request = await asked(viewer);
    const unknown = "01970000-0000-7000-8000-000000000000";
    for (const verb of ["approve", "reject", "request-changes", "withdraw"]) {
      const ask = (id: string) =>
        outsider.send({
          method: "POST",
          path: `/api/approvals/${id}/${verb}`,
          headers: { "content-type": "application/json" },
          body: '{"comment":"Why"}',
        });
      const [theirs, nobodys] = [await ask(request.id), await ask(unknown)];
      expect([theirs.status, theirs.body]).toEqual([404, nobodys.body]);
    }
    for (const user of [editor, manager, reviewer])
      expect([user.role, await decide(user, "approve", request).catch(refused)]).toEqual([user.role, "403 forbidden"]);
    expect(await sopOf(request)).toMatchObject({ status: "under_review" });
  });

  test("are listed with those that wait for the user first, then newest, where the user sees the latest version", async () => {
    const other = await server().company();
    await other.letApprove("viewer");
    const [author, first, second, outsider] = [
      await other.user("editor"),
      await other.user("viewer"),
      await other.user("manager"),
      await other.user("viewer"),
    ];
    const requests: Approval[] = [];
    for (const approver of [first, second, first, second]) {
      server().clock.advance(1000);
      requests.push(await ask((await author.client.sops.create({ body: draft })).id, [approver], author));
    }
    const [oldest, old, late, latest] = requests.map(({ id }) => id) as [string, string, string, string];
    const list = async (user: TestUser, query = {}) =>
      (await user.client.approvals.list({ query })).map(({ id }) => id);
    expect(await list(author)).toEqual([latest, late, old, oldest]);
    expect(await list(second)).toEqual([latest, old, late, oldest]);
    expect(await list(first)).toEqual([late, oldest]);
    expect(await list(outsider)).toEqual([]);
    expect(await list(second, { mine: "true" })).toEqual([latest, old]);
    await decide(second, "approve", requests[3] as Approval);
    expect(await list(second, { status: "pending" })).toEqual([old, late, oldest]);
    expect(await list(second, { status: "approved" })).toEqual([latest]);
    expect(await list(second, { mine: "true", status: "rejected" })).toEqual([]);
    expect(await list(outsider, { status: "approved" })).toEqual([]);
    const sopId = requests[3]?.sopId ?? "";
    expect(await list(author, { sopId })).toEqual([latest]);
    // a reader of the published version learns nothing about its approval
    expect(await list(outsider, { sopId })).toEqual([]);
    expect(await outsider.client.approvals.list({ query: { sopId: requests[0]?.sopId } }).catch(refused)).toBe(
      "404 not_found",
    );
    expect((await second.client.stats.get()).pendingApproval).toBe(3);
    expect((await outsider.client.stats.get()).pendingApproval).toBe(0);
    expect((await first.client.stats.get()).pendingApproval).toBe(2);
  });

  test("are named in the commit on main", async () => {
    await rule({ kind: "all", count: null });
    const request = await asked(manager, viewer);
    await decide(manager, "approve", request);
    server().clock.advance(60_000);
    await decide(viewer, "approve", request);
    const { repositories } = server().running.services;
    await repositories.drain(company.id);
    const gitDir = `${server().dataDir}/repositories/${company.id}.git`;
    const message = execFileSync("git", [`--git-dir=${gitDir}`, "log", "-1", "--format=%B", "main"], {
      encoding: "utf8",
    });
    expect(message).toContain(`Approved-by: ${printedName(manager)} <${manager.id}@`);
    expect(message).toContain(`Approved-by: ${printedName(viewer)} <${viewer.id}@`);
    expect(message.match(/^Approved-at: /gm)).toHaveLength(2);
  });

  test("are possible with a token of the scope approvals alone", async () => {
    const request = await asked(viewer);
    const bearer = async (scopes: ("sops:read" | "sops:write" | "approvals")[]) => {
      const { token } = await viewer.client.tokens.create({ body: { name: scopes.join(" "), scopes } });
      return server().clientWith({ authorization: `Bearer ${token}` });
    };
    const params = { id: request.id };
    const narrow = await bearer(["sops:read", "sops:write"]);
    expect((await narrow.approvals.list({ query: { sopId: request.sopId } })).length).toBe(1);
    expect(await narrow.approvals.approve({ params }).then(done, refused)).toBe("403 forbidden");
    const right = await bearer(["approvals"]);
    expect(await right.approvals.approve({ params }).then(done, refused)).toBe("done");
  });
});
