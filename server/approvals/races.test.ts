/**
 * Two at the same moment: one outcome, nothing lost, one audit row per effect. On MongoDB the second of the two asks
 * another server, a process of its own on the same database: there revisions alone keep them apart.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApprovalRule } from "#core/companies/settings.ts";
import { matchesRequestState } from "#core/life-cycle/request.ts";
import { ApiError, createClient, type Client } from "#core/api/client.ts";
import { routes } from "#core/api/routes.ts";
import type { Schemas } from "#core/api/schemas.ts";
import { exchange } from "../../test/http.ts";
import { count, recordFigure } from "../../test/proof.ts";
import { startProcess, type ServerProcess } from "../../test/server-process.ts";
import { describeServer, type Company, type TestUser } from "../../test/server.ts";
import { mongoUri } from "../../test/database/mongo-uri.ts";
import { carryOutEffect } from "../sops/edit/carry-out.ts";
import { ChangedMeanwhile } from "../sops/edit/concurrent-change.ts";

const draft = { title: "T", description: "D", markdown: "One\n" };

const statusOf = (error: unknown) => {
  if (error instanceof ApiError) return error.status;
  throw error;
};

let busy = 0;
/**
 * The status of a call. What a server on a busy database puts off (503, nothing done) is asked again, as `Retry-After`
 * says.
 */
async function answered(call: () => Promise<unknown>): Promise<number> {
  for (let tries = 1; ; tries++) {
    const status = await call().then(() => 200, statusOf);
    if (status !== 503 || tries === 20) return status;
    busy++;
  }
}

describeServer(
  "at the same moment",
  (server, engine) => {
    const rounds = count({ usual: engine === "sqlite" ? 9 : 3, proof: engine === "sqlite" ? 500 : 50 });
    const patient = count({ usual: 120_000, proof: 3_600_000 });
    let company: Company;
    let editor: TestUser;
    let manager: TestUser;
    let admin: TestUser;
    let one: TestUser;
    let two: TestUser;
    let other: ServerProcess | null = null;
    const folder = mkdtempSync(path.join(tmpdir(), "sopwright-second-"));

    beforeAll(async () => {
      company = await server().company();
      await company.letApprove("viewer");
      editor = await company.user("editor");
      manager = await company.user("manager");
      admin = await company.user("company_admin");
      one = await company.user("viewer");
      two = await company.user("viewer");
      if (engine === "mongodb") other = await startSecond();
    }, 60_000);
    afterAll(async () => {
      await other?.stop("SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    });

    function startSecond(): Promise<ServerProcess> {
      const uri = new URL(mongoUri() ?? "");
      uri.pathname = `/${server().dbName}`;
      return startProcess({
        MONGODB_URI: uri.href,
        DATA_DIR: folder,
        PASSWORD_BLOCKLIST: "off",
        LOG_LEVEL: "error",
      });
    }

    /** The same user, at the other server where there is one. */
    function elsewhere(user: TestUser): Client<Schemas> {
      const { url } = other ?? {};
      if (url === undefined) return user.client;
      return createClient<Schemas>(routes, ({ url: at, ...request }) =>
        exchange(url, { ...request, path: at, headers: { ...request.headers, cookie: user.cookie, origin: url } }),
      );
    }

    const rule = (approvalRule: ApprovalRule) => company.set({ "settings.approvalRule": approvalRule });
    const newDraft = async () => (await editor.client.sops.create({ body: draft })).id;
    async function ask(sopId: string, approvers: readonly TestUser[]) {
      const body = { approverIds: approvers.map(({ id }) => id) };
      return (await editor.client.sops.requestApproval({ params: { id: sopId }, body })).id;
    }

    async function outcome(sopId: string, requestId?: string) {
      const store = server().db.forCompany(company.id);
      const sop = await store.collection("sops").findOne({ _id: sopId });
      const request = requestId ? await store.collection("approval_requests").findOne({ _id: requestId }) : null;
      const rows = await store.collection("audit_logs").find({ entityId: sopId });
      const versions = await store.collection("sop_versions").countDocuments({ sopId });
      const done = (action: string) => rows.filter((row) => row.action === `sop.${action}`).length;
      const decided = request?.approvers.filter(({ respondedAt }) => respondedAt !== null).length ?? 0;
      if (!sop) throw new Error("the SOP is gone");
      // in every case an SOP is under review exactly while a request is open
      expect([sop.status === "under_review", sop.requestId !== null]).toEqual(
        Array(2).fill(request?.status === "pending"),
      );
      expect(request === null || (request.status === "pending") === request.waitingFor.length > 0).toBe(true);
      if (request) expect(done("approve") + done("reject")).toBe(decided);
      return { sop, request, versions, done };
    }

    const ended: Record<string, number> = {};
    const note = (what: string) => (ended[what] = (ended[what] ?? 0) + 1);
    /** Who comes first is luck: every second round the other one starts. */
    const both = async (round: number, first: () => Promise<number>, second: () => Promise<number>) => {
      if (round % 2 === 0) return Promise.all([first(), second()]);
      const late = second();
      return [await first(), await late] as [number, number];
    };

    test(
      "two approvals both count, and the version is published once",
      async () => {
        await rule({ kind: "all", count: null });
        for (let round = 0; round < rounds; round++) {
          const sopId = await newDraft();
          const id = await ask(sopId, [one, two]);
          const approve = (client: Client<Schemas>) => answered(() => client.approvals.approve({ params: { id } }));
          const answers = await both(
            round,
            () => approve(one.client),
            () => approve(elsewhere(two)),
          );
          expect(answers).toEqual([200, 200]);
          const { sop, request, done } = await outcome(sopId, id);
          expect(request).toMatchObject({ status: "approved", outcome: "approved" });
          expect(request?.approvers.map(({ status }) => status)).toEqual(["approved", "approved"]);
          expect(sop).toMatchObject({ status: "published", published: { version: 1 } });
          expect([done("approve"), done("publish")]).toEqual([2, 1]);
        }
      },
      patient,
    );

    test(
      "where one approval is enough, the second decision is refused",
      async () => {
        await rule({ kind: "any", count: null });
        for (let round = 0; round < rounds; round++) {
          const sopId = await newDraft();
          const id = await ask(sopId, [one, two]);
          const verb = round % 3 === 0 ? "reject" : "approve";
          const answers = await both(
            round,
            () => answered(() => one.client.approvals.approve({ params: { id } })),
            () => answered(() => elsewhere(two).approvals[verb]({ params: { id } })),
          );
          // the later one may not see the request at all
          expect(answers.filter((status) => status === 200)).toHaveLength(1);
          expect(answers.every((status) => [200, 404, 409].includes(status))).toBe(true);
          const { sop, request, done } = await outcome(sopId, id);
          const approved = verb === "approve" || answers[0] === 200;
          expect(request).toMatchObject({ outcome: approved ? "approved" : "rejected" });
          expect(sop).toMatchObject({
            status: approved ? "published" : "draft",
            published: approved ? { version: 1 } : null,
          });
          expect(done("publish")).toBe(approved ? 1 : 0);
          note(`${verb} beside approve: ${approved ? "approved" : "rejected"}`);
        }
      },
      patient,
    );

    test(
      "an edit is never published by an approval of the text before",
      async () => {
        await rule({ kind: "all", count: null });
        for (let round = 0; round < rounds; round++) {
          const sopId = await newDraft();
          const id = await ask(sopId, [one]);
          const [approved, saved] = await both(
            round,
            () => answered(() => one.client.approvals.approve({ params: { id } })),
            () => answered(() => elsewhere(editor).sops.update({ params: { id: sopId }, body: { markdown: "Two\n" } })),
          );
          expect(saved).toBe(200);
          const { sop, request, versions, done } = await outcome(sopId, id);
          expect(sop).toMatchObject({
            status: "draft",
            version: 2,
            published: approved === 200 ? { version: 1 } : null,
          });
          expect(request?.outcome).toBe(approved === 200 ? "approved" : "voided");
          expect([versions, done("save"), done("publish")]).toEqual([2, 1, approved === 200 ? 1 : 0]);
          if (approved === 200) expect(sop.published?.contentHash).toBe(request?.contentHash);
          note(`edit beside approve: ${request?.outcome}`);
        }
      },
      patient,
    );

    test(
      "one of two editors who saw the same version is refused; without If-Match both texts are kept",
      async () => {
        for (let round = 0; round < rounds; round++) {
          const id = await newDraft();
          const params = { id };
          const ifMatch = round % 3 === 0 ? {} : { ifMatch: 1 };
          const answers = await both(
            round,
            () => answered(() => editor.client.sops.update({ params, body: { markdown: "Mine\n" }, ...ifMatch })),
            () => answered(() => elsewhere(manager).sops.update({ params, body: { markdown: "Ours\n" }, ...ifMatch })),
          );
          expect(answers.sort()).toEqual(round % 3 === 0 ? [200, 200] : [200, 412]);
          const { sop, versions, done } = await outcome(id);
          const kept = answers.filter((status) => status === 200).length;
          expect([sop.version, versions, done("save")]).toEqual([kept + 1, kept + 1, kept]);
        }
      },
      patient,
    );

    test(
      "publish and archive leave the SOP archived, with each step in the log once",
      async () => {
        for (let round = 0; round < rounds; round++) {
          const id = await newDraft();
          const [published, archived] = await both(
            round,
            () => answered(() => manager.client.sops.publish({ params: { id }, body: {} })),
            () => answered(() => elsewhere(manager).sops.archive({ params: { id }, body: {} })),
          );
          expect([archived, [200, 409].includes(published)]).toEqual([200, true]);
          const { sop, done } = await outcome(id);
          expect(sop).toMatchObject({ status: "archived", published: null, hasPublished: false, live: false });
          expect(sop.lastPublished?.version ?? null).toBe(published === 200 ? 1 : null);
          expect([done("publish"), done("archive")]).toEqual([published === 200 ? 1 : 0, 1]);
          const periods = await server().db.collection("published_periods").find({ sopId: id });
          expect(periods.filter(({ until }) => until === null)).toEqual([]);
          note(`archive beside publish: ${published}`);
        }
      },
      patient,
    );

    test(
      "an approval and a withdrawal, a replacement or a suspension leave one of their outcomes",
      async () => {
        await rule({ kind: "all", count: null });
        for (let round = 0; round < rounds; round++) {
          const approver = await company.user("viewer");
          const sopId = await newDraft();
          const id = await ask(sopId, [approver]);
          const params = { id };
          const meanwhile = [
            () => elsewhere(editor).approvals.withdraw({ params }),
            () => elsewhere(editor).approvals.replaceApprover({ params, body: { replace: approver.id, with: one.id } }),
            () => elsewhere(admin).companyUsers.update({ params: { id: approver.id }, body: { status: "suspended" } }),
          ][round % 3];
          if (!meanwhile) throw new Error("nothing to do meanwhile");
          const [approved, second] = await both(
            round,
            () => answered(() => approver.client.approvals.approve({ params })),
            () => answered(meanwhile),
          );
          const { sop, request, done } = await outcome(sopId, id);
          const suspended = round % 3 === 2;
          if (suspended) expect(second).toBe(200);
          else expect([approved, second].filter((status) => status === 200)).toHaveLength(1);
          expect(sop.published?.version ?? null).toBe(approved === 200 ? 1 : null);
          expect(request?.status).toBe(approved === 200 ? "approved" : round % 3 === 0 ? "rejected" : "pending");
          expect([done("approve"), done("publish")]).toEqual(Array(2).fill(approved === 200 ? 1 : 0));
          // the requester is notified of a suspended approver only if that approver was still waited for
          const told = await server()
            .db.collection("notifications")
            .countDocuments({ sopId, kind: "approver_unavailable" });
          expect(told).toBe(suspended && approved !== 200 ? 1 : 0);
          note(
            `${["withdraw", "replace", "suspend"][round % 3]} beside approve: ${approved === 200 ? "approved" : "not"}`,
          );
        }
      },
      patient,
    );

    test("a request that was read before two replacements is not written, though it waits for the same people", async () => {
      await rule({ kind: "all", count: null });
      const sopId = await newDraft();
      const id = await ask(sopId, [one, two]);
      const { sop, request: read } = await outcome(sopId, id);
      if (!read) throw new Error("the request is gone");
      const substitute = await company.user("viewer");
      for (const [from, to] of [
        [one, substitute],
        [substitute, one],
      ] as const)
        await editor.client.approvals.replaceApprover({ params: { id }, body: { replace: from.id, with: to.id } });
      const { sop: now, request } = await outcome(sopId, id);
      expect(matchesRequestState(now, read)).toBe(true);
      const write = (as: typeof read) =>
        server().db.transaction((tx) =>
          carryOutEffect(
            tx,
            { kind: "change_request", request: as, change: { unable: [] } },
            sop,
            server().clock.now(),
          ),
        );
      await expect(write(read)).rejects.toThrow(ChangedMeanwhile);
      await write(request ?? read);
      expect((await outcome(sopId, id)).request).toEqual({ ...request, unable: [] });
    });

    test("these races ran in every round", () => {
      recordFigure({ name: `approval races.${engine}`, value: rounds * 6, unit: "rounds", goal: `>= ${rounds * 6}` });
      console.log(`${engine}: ${JSON.stringify({ ...ended, busy })}`);
      busy = 0;
      expect(Object.values(ended).reduce((sum, one) => sum + one, 0)).toBe(rounds * 4);
    });
    // the other process goes by the real time
  },
  { start: new Date().toISOString() },
);
