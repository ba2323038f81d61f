/** Every query of a working day uses an index. A query that reads every document fails this test. */
import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { remindOfAcknowledgements } from "../server/acknowledgements/notices.ts";
import { verifyCompanyAudit } from "../server/audit/verify-company.ts";
import type { QueryRecord } from "../server/database/port.ts";
import { removeExpiredRecords } from "../server/sweep.ts";
import { removeEndedTabs } from "../server/presence/end.ts";
import { digestWindowMs } from "../server/notifications/digest.ts";
import { draftAnswer, editAnswer } from "./ai-answers.ts";
import { startFakeProvider, type FakeProvider } from "./fake-provider.ts";
import { propose } from "./propose.ts";
import { afterMail, setEmail, sendNotice } from "./notices.ts";
import { json, password, startServer, type Company, type TestServer, type TestUser } from "./server.ts";
import { pngOf } from "./images.ts";

const queries: QueryRecord[] = [];
let provider: FakeProvider;
let server: TestServer;
let company: Company;
let people: TestUser[];

beforeAll(async () => {
  provider = await startFakeProvider("sk-known-to-the-fake");
  server = await startServer("sqlite", {
    onQuery: (record) => queries.push(record),
    env: { OPENAI_BASE_URL: provider.url },
  });
  company = await server.company();
  people = [];
  for (const role of ["company_admin", "manager", "editor", "reviewer", "contributor", "viewer"] as const) {
    people.push(await company.user(role, { teamIds: role === "reviewer" ? ["team"] : [] }));
  }
  const [boss] = people;
  const [category] = (await boss?.client.categories.list()) ?? [];
  for (let n = 0; n < 40; n++) {
    const status = (["draft", "published", "archived", "published"] as const)[n % 4];
    await boss?.client.sops.create({
      body: { title: `Number ${n}`, description: "D", markdown: "M", status, categoryId: n % 3 ? category?.id : null },
    });
  }
  queries.length = 0;
});
afterAll(async () => {
  await server.stop();
  await provider.stop();
});

const told = ({ collection, filter, sort, detail }: QueryRecord) =>
  `${collection} ${JSON.stringify(filter)} ${JSON.stringify(sort) ?? ""}: ${detail}`;

/**
 * Small collections, read whole: migrations at a start, ledger positions for the committer, companies for due
 * checkpoints, mirrors for those that lag.
 */
const isReadWhole = ({ collection, filter }: QueryRecord) =>
  ["migrations", "counters", "companies", "mirrors"].includes(collection) && Object.keys(filter).length === 0;

function expectIndexed(): void {
  expect(queries.length).toBeGreaterThan(0);
  const scans = queries.filter((record) => !record.indexed && !isReadWhole(record)).map(told);
  expect([...new Set(scans)]).toEqual([]);
  queries.length = 0;
}

test("lists, searches and counts, for every role", async () => {
  for (const user of people) {
    const { data } = await user.client.sops.list({ query: { limit: 20 } });
    for (const { id } of data) {
      await user.client.sops.favorite({ params: { id } });
      await user.client.sops.get({ params: { id } });
    }
    for (const { id } of data.slice(12)) await user.client.sops.unfavorite({ params: { id } });
    const [category] = await user.client.categories.list();
    const statuses = [undefined, "all", "draft", "under_review", "published", "archived"] as const;
    for (const status of statuses) {
      for (const more of [
        {},
        { category: category?.id },
        { category: "none" },
        { time: "7d" },
        { template: "true" },
        { mine: "true" },
        { review: "due" },
        { review: "due", mine: "true" },
        { search: "num" },
        { search: "number 3" },
        { favorite: "true" },
        { recent: "week" },
        { recent: "all", favorite: "true" },
      ] as const) {
        const query = { status, limit: 5, total: "true" as const, ...more };
        const { nextCursor } = await user.client.sops.list({ query });
        if (nextCursor) await user.client.sops.list({ query: { ...query, cursor: nextCursor } });
      }
    }
    await user.client.stats.get();
    await user.client.stats.needs();
    await user.client.users.list();
    await user.client.auth.me();
    await user.client.auth.check();
  }
  expectIndexed();
});

test("reads a list's page in the order of an index, for lists of any length", async () => {
  for (const user of people) {
    const [category] = await user.client.categories.list();
    queries.length = 0;
    for (const query of [
      {},
      { status: "draft" },
      { status: "published" },
      { status: "archived" },
      { category: category?.id },
    ] as const) {
      await user.client.sops.list({ query: { limit: 5, ...query } });
    }
    // grants to a user are found by their own index and then sorted: they are a small part of the whole
    const sorted = queries.filter(
      ({ collection, sort, filter }) =>
        collection === "sops" && sort !== undefined && (filter["grantees"] as { $in?: unknown })?.$in === undefined,
    );
    expect(sorted.length).toBeGreaterThan(0);
    expect(sorted.filter(({ sortedByIndex }) => !sortedByIndex).map(told)).toEqual([]);
  }
});

test("reading and writing an SOP, with its versions, export, assets and trash", async () => {
  const [admin] = people as [TestUser];
  const image = await admin.send({
    method: "POST",
    path: "/api/assets",
    headers: { "content-type": "image/png" },
    body: pngOf(""),
  });
  const { url } = image.json() as { url: string };
  const [category] = await admin.client.categories.list();
  const { id } = await admin.client.sops.create({
    body: { title: "T", description: "D", markdown: `![a](${url})` },
    idempotencyKey: "k",
  });
  for (const user of people) {
    await user.send({ path: url });
    await user.send({ path: `/api/sops/${id}` });
    await user.send({ path: `/api/sops/${id}/versions` });
    await user.send({ path: `/api/sops/${id}/versions/1` });
    for (const path of ["/diff", "/in-force", "?at=2020-01-01", "?at=2099-01-01"])
      await user.send({ path: `/api/sops/${id}${path}` });
    await user.send({ path: `/api/sops/${id}/export` });
    await user.send({
      method: "PUT",
      path: `/api/sops/${id}`,
      headers: json,
      body: JSON.stringify({ markdown: `Text of ${user.role}` }),
    });
  }
  await admin.client.sops.update({ params: { id }, body: { categoryId: category?.id, ownerId: people[1]?.id } });
  await admin.client.sops.restore({ params: { id, version: 1 }, body: {} });
  for (const verb of ["publish", "unpublish", "archive", "unarchive"] as const)
    await admin.client.sops[verb]({ params: { id }, body: {} });
  await admin.client.sops.publish({ params: { id }, body: {} });
  await admin.client.sops.review({ params: { id }, body: { verdict: "keep" } });
  await admin.client.sops.reviews({ params: { id } });
  await admin.client.sops.remove({ params: { id } });
  await admin.client.sops.undelete({ params: { id } });
  await admin.client.repository.get();
  await server.running.services.repositories.drain(admin.companyId);
  expectIndexed();
});

test("notifications, and the mail about them", async () => {
  const [admin] = people as [TestUser];
  const { id } = await admin.client.sops.create({ body: { title: "T", description: "D", markdown: "M" } });
  await setEmail(server, admin);
  queries.length = 0;
  for (let n = 0; n < 4; n++) await sendNotice(server, people, { kind: n % 2 ? "comment" : "mention", sopId: id });
  const { notifications } = admin.client;
  for (const unread of [undefined, "true"] as const) {
    const query = { limit: 1, total: "true" as const, ...(unread ? { unread } : {}) };
    const { nextCursor } = await notifications.list({ query });
    await notifications.list({ query: { ...query, cursor: nextCursor } });
  }
  const listed = queries.filter(({ collection, sort }) => collection === "notifications" && sort !== undefined);
  expect(listed.length).toBe(4);
  expect(listed.filter(({ sortedByIndex }) => !sortedByIndex).map(told)).toEqual([]);
  await notifications.count();
  server.clock.advance(digestWindowMs);
  await afterMail(server, admin);
  await notifications.read({ params: { id: (await notifications.list({})).data[0]?.id ?? "" } });
  await notifications.readAll({});
  expectIndexed();
});

test("approvals: asking, deciding, lists, and an approver who goes", async () => {
  const [admin, manager, editor, reviewer] = people as [TestUser, TestUser, TestUser, TestUser];
  const leaving = await company.user("reviewer");
  const ask = async (approverIds: string[]) => {
    const { id } = await editor.client.sops.create({ body: { title: "T", description: "D", markdown: "M" } });
    await editor.client.approvals.candidates({ params: { id } });
    return editor.client.sops.requestApproval({ params: { id }, body: { approverIds } });
  };
  queries.length = 0;
  const approved = await ask([manager.id]);
  await manager.client.approvals.approve({ params: { id: approved.id } });
  const rejected = await ask([manager.id, reviewer.id]);
  await reviewer.client.approvals.reject({ params: { id: rejected.id } });
  const waiting = await ask([manager.id, leaving.id]);
  await admin.client.companyUsers.remove({ params: { id: leaving.id } });
  const replaced = { replace: leaving.id, with: reviewer.id };
  await editor.client.approvals.replaceApprover({ params: { id: waiting.id }, body: replaced });
  for (const user of people) {
    for (const query of [{}, { status: "pending" }, { status: "approved" }, { mine: "true" }] as const)
      await user.client.approvals.list({ query });
  }
  const listed = queries.filter(({ collection, sort }) => collection === "approval_requests" && sort !== undefined);
  expect(listed.length).toBeGreaterThan(20);
  await manager.client.approvals.list({ query: { sopId: waiting.sopId } });
  await editor.client.sops.update({ params: { id: waiting.sopId }, body: { title: "Other" } });
  expectIndexed();
});

test("comments: threads, names, notices, and what is removed", async () => {
  const [admin, manager] = people as [TestUser, TestUser];
  const body = { title: "T", description: "D", markdown: "Some words", status: "published" } as const;
  const { id } = await admin.client.sops.create({ body });
  queries.length = 0;
  const anchor = { block: "", quote: "words" };
  const text = `@${manager.username} why?`;
  const thread = await admin.client.comments.create({ params: { id }, body: { content: text, anchor } });
  for (const user of people) {
    const reply = { content: "Because", parentId: thread.id };
    const params = { id, commentId: (await user.client.comments.create({ params: { id }, body: reply })).id };
    await user.client.comments.update({ params, body: { content: text } });
    await user.client.comments.list({ params: { id } });
    await user.client.comments.people({ params: { id } });
  }
  const params = { id, commentId: thread.id };
  await admin.client.comments.resolve({ params, body: { resolved: true } });
  const shown = await admin.client.comments.list({ params: { id } });
  for (const { id: commentId } of shown) await admin.client.comments.remove({ params: { id, commentId } });
  await admin.client.sops.restrict({ params: { id }, body: { restricted: true } });
  await admin.client.comments.people({ params: { id } });
  const listed = queries.filter(({ collection, sort }) => collection === "comments" && sort !== undefined);
  expect(listed.length).toBeGreaterThan(5);
  expect(listed.filter(({ sortedByIndex }) => !sortedByIndex).map(told)).toEqual([]);
  expectIndexed();
});

test("read acknowledgements: asking, confirming, lists, notices and the file", async () => {
  const [admin] = people as [TestUser];
  const params = { id: "" };
  const { id: teamId } = await admin.client.teams.create({ body: { name: "Readers" } });
  queries.length = 0;
  for (const audience of [{ everyone: true }, { teamIds: [teamId], userIds: people.map(({ id }) => id) }]) {
    const body = { title: "T", description: "D", markdown: "M", status: "published" } as const;
    params.id = (await admin.client.sops.create({ body })).id;
    await admin.client.acknowledgements.ask({ params, body: { ...audience, dueDays: 10 } });
    for (const user of people) {
      await user.client.acknowledgements.mine({});
      await user.client.acknowledgements.get({ params, query: {} });
      await user.client.acknowledgements.confirm({ params, body: { version: 1 } });
    }
    await admin.client.sops.update({ params, body: { markdown: "N", status: "published" } });
    await admin.send({ path: `/api/sops/${params.id}/acknowledgements/export` });
  }
  await remindOfAcknowledgements.run(server.running.services, server.clock.now());
  await admin.client.acknowledgements.ask({ params, body: {} });
  expectIndexed();
});

test("who is editing: announced, renewed, listed, ended", async () => {
  const [admin] = people as [TestUser];
  const { id } = await admin.client.sops.create({ body: { title: "T", description: "D", markdown: "M" } });
  const announce = (tab: string, state: "here" | "gone") =>
    admin.client.presence.announce({ params: { id }, body: { tab, state } });
  queries.length = 0;
  const [first, second] = [randomUUID(), randomUUID()];
  for (const state of ["here", "here", "gone"] as const) await announce(first, state);
  await announce(second, "here");
  for (const user of people.slice(0, 3)) await user.client.presence.list({ params: { id } });
  await removeEndedTabs.run(server.running.services, server.clock.now());
  server.clock.advance(60_000);
  await removeEndedTabs.run(server.running.services, server.clock.now());
  expect(await server.db.forCompany(company.id).collection("presences").countDocuments({ sopId: id })).toBe(0);
  expect(queries.map(({ collection }) => collection)).toContain("presences");
  const sorted = queries.filter(({ collection, sort }) => collection === "presences" && sort !== undefined);
  expect(sorted.filter(({ sortedByIndex }) => !sortedByIndex).map(told)).toEqual([]);
  expectIndexed();
});

test("suggestions: found, listed, counted, settled; searches without an answer", async () => {
  const [admin] = people as [TestUser];
  const markdown = "## Tools\n\n- Gauge\n\nSOP _Handle spills_\n";
  await admin.client.sops.create({ body: { title: "T", description: "D", markdown } });
  queries.length = 0;
  for (const user of people) await user.client.search.find({ query: { q: "unheardof thing" } });
  for (const user of people) {
    await user.client.suggestions.list({ query: { status: "all" } });
    await user.client.stats.get();
  }
  for (const found of [await admin.client.assistant.suggest(), await admin.client.assistant.suggest()]) {
    expect(found.length).toBeGreaterThan(1);
    const [first, second] = await admin.client.suggestions.list({});
    await admin.client.suggestions.setStatus({ params: { id: first?.id ?? "" }, body: { status: "dismissed" } });
    await admin.client.suggestions.setStatus({ params: { id: second?.id ?? "" }, body: { status: "accepted" } });
  }
  await admin.client.suggestions.create({ body: { title: "Own" } });
  await admin.client.assistant.draft({ body: { prompt: "fire drill" } });
  const listed = queries.filter(({ collection, sort }) => collection === "ai_suggestions" && sort !== undefined);
  expect(listed.length).toBeGreaterThan(3);
  expect(listed.filter(({ sortedByIndex }) => !sortedByIndex).map(told)).toEqual([]);
  expect(queries.map(({ collection }) => collection)).toContain("missed_searches");
  expectIndexed();
});

test("proposals: stored, listed, counted, opened, decided", async () => {
  const [admin] = people as [TestUser];
  const body = { title: "T", description: "D", markdown: "One\n" };
  const sops = [await admin.client.sops.create({ body }), await admin.client.sops.create({ body })];
  queries.length = 0;
  for (const { id } of sops) await propose(server.running.services, admin, { id, markdown: "Two\n" });
  const numbers = (await admin.client.proposals.list({})).data.map(({ number }) => String(number));
  for (const user of people) {
    for (const query of [{}, { state: "all", mine: "true" }, { mine: "false" }, { sopId: "x" }] as const)
      await user.client.proposals.list({ query });
    await user.client.stats.get();
  }
  const [first = "", second = ""] = numbers;
  await admin.client.proposals.accept({ params: { id: first } });
  await admin.client.proposals.dismiss({ params: { id: second }, body: { reason: "No" } });
  const listed = queries.filter(({ collection, sort }) => collection === "proposals" && sort !== undefined);
  expect(listed.length).toBeGreaterThan(3);
  expect(listed.filter(({ sortedByIndex }) => !sortedByIndex).map(told)).toEqual([]);
  expectIndexed();
});

test("AI calls: drafts, proposals, what a save names, what was spent", async () => {
  const user = people[2] as TestUser;
  await user.client.settings.update({ body: { openaiApiKey: provider.knownKey } });
  provider.answerChat = () => draftAnswer;
  const { ai, id } = await user.client.ai.generateSop({ body: { prompt: "Number of things" } });
  provider.answerChat = () => editAnswer("b1", "Open it now.");
  const improved = await user.client.ai.improveSop({ body: { markdown: "Open it." } });
  const aiCalls = [ai.callId, improved.ai?.callId ?? ""];
  await user.client.sops.update({ params: { id }, body: { markdown: "Open it now.\n", aiCalls } });
  await user.client.ai.usage();
  expectIndexed();
});

test("imports, categories and templates", async () => {
  const [admin] = people as [TestUser];
  const documents = [1, 2, 3].map((n) => {
    const text = `---\nid: ${randomUUID()}\ntitle: Imported ${n}\nowner: ${admin.username}\nteam: none\n---\n\nText ${n}\n`;
    return { path: `lab/${n}.md`, text, sha256: createHash("sha256").update(text).digest("hex") };
  });
  for (const dryRun of [true, false, false]) {
    await admin.client.sops.import({ body: { importId: randomUUID(), documents, dryRun, createCategories: true } });
  }
  const made = await admin.client.categories.create({ body: { name: "Quality" } });
  await admin.client.categories.update({ params: { id: made.id }, body: { color: "accent" } });
  expectIndexed();
});

test("the audit log: its filters, its queue, its proof", async () => {
  const [admin] = people as [TestUser];
  const { db, keys } = server.running.services;
  queries.length = 0;
  for (const query of [
    {},
    { action: "sop.create" },
    { entityType: "sop" },
    { entityId: "x" },
    { userId: admin.id },
    { from: "2026-01-01", to: "2026-12-31" },
    { userId: admin.id, action: "sop.create", search: "number" },
  ]) {
    const { nextCursor } = await admin.client.audit.list({ query: { limit: 5, ...query } });
    if (nextCursor) await admin.client.audit.list({ query: { limit: 5, ...query, cursor: nextCursor } });
  }
  const logs = queries.filter(
    ({ collection, sort }) => collection === "audit_logs" && sort?.["createdAt"] !== undefined,
  );
  expect(logs.length).toBeGreaterThan(7);
  expect(logs.filter(({ sortedByIndex }) => !sortedByIndex).map(told)).toEqual([]);
  await admin.client.audit.state();
  for (const format of ["csv", "ndjson"]) await admin.send({ path: `/api/company/audit/export?format=${format}` });
  const company = await db.collection("companies").findOne({ _id: admin.companyId });
  if (!company) throw new Error("the company is gone");
  expect(await verifyCompanyAudit(db, company, { keys: keys.verifyKeys() })).toMatchObject({ ok: true });
  expectIndexed();
});

test("signing up, in and out, sessions and tokens", async () => {
  const user = await server.signUp("queen");
  expect((await server.signIn("queen", "wrong password")).status).toBe(401);
  expect((await server.signIn("queen", password)).status).toBe(200);
  const { id, token } = await user.client.tokens.create({ body: { name: "ci" } });
  await server.clientWith({ authorization: `Bearer ${token}` }).tokens.list();
  await user.client.tokens.revoke({ params: { id } });
  await user.client.sessions.list();
  await user.client.sessions.endOthers();
  await user.client.account.update({ body: { email: "queen@example.org", name: "Queen Bee" } });
  // a sign-up and a rename read neither all users nor all renames
  const byLooks = queries.filter(({ filter }) => "looks" in filter).map(({ detail }) => detail);
  expect([byLooks.length, byLooks.every((detail) => detail.includes("SEARCH users/company_looks"))]).toEqual([2, true]);
  expect(queries.filter(({ filter }) => "action" in filter)).toEqual([]);
  for (const email of ["queen@example.org", "nobody@example.org"])
    await user.client.auth.forgotPassword({ body: { email } });
  while (await server.db.collection("outbox").findOne({ state: "pending", dueAt: { $lte: server.clock.now() } }))
    await new Promise(setImmediate);
  await user.client.account.sendConfirmation({ body: {} });
  await expect(user.client.auth.confirmEmail({ body: { token: "unknown" } })).rejects.toThrow();
  await user.client.auth.validateResetToken({ query: { token: "unknown" } });
  await user.client.auth.invitation({ query: { token: "unknown" } });
  const changed = { currentPassword: password, newPassword: `${password} again` };
  await user.client.account.changePassword({ body: changed });
  await server.signIn("queen", changed.newPassword);
  await user.client.auth.logout({});
  await server.send({
    method: "POST",
    path: "/api/setup",
    headers: json,
    body: JSON.stringify({ token: "x", username: "root", password, name: "Root" }),
  });
  expectIndexed();
});

test("companies, their people and invitations", async () => {
  const [admin] = people as [TestUser];
  const root = await (await server.company()).user("system_admin");
  const { client } = root;
  queries.length = 0;
  const { id: companyId } = await client.companies.create({ body: { name: "Lab", slug: "lab", maxUsers: 20 } });
  const params = { id: companyId };
  await client.companies.update({ params, body: { slug: "lab-2", status: "suspended" } });
  await client.companies.update({ params, body: { status: "active" } });
  const { id } = await client.adminUsers.create({ body: { username: "lab-head", name: "Lab Head", companyId } });
  await client.adminUsers.update({ params: { id }, body: { role: "system_admin" } });
  await client.adminUsers.update({ params: { id }, body: { role: "company_admin" } });
  await client.adminUsers.create({ body: { username: "lab-two", name: "Two", companyId, role: "company_admin" } });
  await client.adminUsers.remove({ params: { id } });
  for (const search of [undefined, "lab", "lab hea"]) {
    for (const status of [undefined, "active"] as const) {
      const query = { search, status, limit: 1, total: "true" as const };
      const page = await client.companies.list({ query });
      if (page.nextCursor) await client.companies.list({ query: { ...query, cursor: page.nextCursor } });
      for (const role of [undefined, "viewer"] as const) {
        await client.adminUsers.list({ query: { ...query, role } });
        await client.adminUsers.list({ query: { ...query, role, companyId } });
        const { nextCursor } = await admin.client.companyUsers.list({ query: { ...query, role } });
        if (nextCursor) await admin.client.companyUsers.list({ query: { ...query, role, cursor: nextCursor } });
      }
    }
  }
  await admin.client.company.update({ body: { settings: { reviewMonths: 6 } } });
  const invitation = await admin.client.invitations.create({ body: {} });
  await admin.client.invitations.list({ query: { total: "true" } });
  await admin.client.invitations.revoke({ params: { id: invitation.id } });
  await client.companies.remove({ params });
  expectIndexed();
});

test("what runs in the background, and a start", async () => {
  const { db } = server;
  await removeExpiredRecords(db, server.running.services.blobs, server.clock);
  const [admin] = people as [TestUser];
  const body = { title: "T", description: "D", markdown: "M", status: "published" as const };
  const { id } = await admin.client.sops.create({ body: { ...body, reviewBy: "2026-06-05", ownerId: admin.id } });
  await admin.client.sops.update({ params: { id }, body: { ...body, markdown: "N", effectiveAt: "2026-06-02" } });
  await admin.client.companyPermissions.set({
    params: { id: people[1]?.id ?? "" },
    body: { permission: "sop.delete", granted: true, expiresAt: "2026-06-01T09:00:00Z" },
  });
  server.clock.advance(24 * 3_600_000);
  await server.running.deadlines.run();
  expect(queries.map(({ collection }) => collection)).toContain("deadline_marks");
  await server.restart();
  expectIndexed();
});
