/**
 * Every way to read × every role × every state. Each unpublished text has its own word (title, text, change note,
 * comment, notes of requests). Only people who can see the draft find it. The ways are the contract's own rows.
 */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { can, visibleVersion } from "#core/permissions/can.ts";
import { roles } from "#core/permissions/roles.ts";
import { fillPath } from "#core/contract/route.ts";
import type { SopDocument } from "../../server/database/documents.ts";
import { rows } from "../contract-rows.ts";
import { recordFigure } from "../proof.ts";
import { describeServer, type TestServer, type TestUser } from "../server.ts";

const open = "madagascar";
const secrets = {
  draft: "zanzibara",
  "draft over published": "zanzibarb",
  "under review": "zanzibarc",
  "under review over published": "zanzibard",
  scheduled: "zanzibare",
  "scheduled over published": "zanzibarf",
  archived: "zanzibarg",
  deleted: "zanzibarh",
  restricted: "zanzibari",
  "restricted over published": "zanzibark",
} as const;
type State = keyof typeof secrets;
const states = Object.keys(secrets) as State[];

interface Sample {
  state: State;
  word: string;
  id: string;
  requestId: string | null;
}

async function make(author: TestUser, boss: TestUser, approver: TestUser, state: State): Promise<Sample> {
  const word = secrets[state];
  const text = (about: string) => ({
    title: `About ${about}`,
    description: `Tells of ${about}`,
    markdown: `## ${about}\n\n1. Go to ${about}.\n`,
    tags: [about],
  });
  const hasPublished = state.includes("over published");
  const { id } = await author.client.sops.create({ body: text(hasPublished ? open : word) });
  const params = { id };
  if (hasPublished) {
    await boss.client.sops.publish({ params, body: { changeNote: open } });
    await author.client.sops.update({ params, body: { ...text(word), changeNote: `Adds ${word}` } });
  }
  await author.client.comments.create({ params, body: { content: `What about ${word}?` } });
  let requestId: string | null = null;
  if (state.startsWith("under review")) {
    const ask = { requestNote: `Please look at ${word}`, approverIds: [approver.id, boss.id] };
    requestId = (await author.client.sops.requestApproval({ params, body: ask })).id;
    await boss.client.approvals.approve({ params: { id: requestId }, body: { comment: `I like ${word}` } });
  }
  if (state.startsWith("scheduled")) {
    await author.client.sops.update({ params, body: { effectiveAt: "2026-12-24" } });
    await boss.client.sops.publish({ params, body: { changeNote: `Puts ${word} in force` } });
  }
  if (state === "archived") await boss.client.sops.archive({ params, body: { changeNote: `No more ${word}` } });
  if (state === "deleted") await boss.client.sops.remove({ params });
  if (state.startsWith("restricted")) await boss.client.sops.restrict({ params, body: { restricted: true } });
  return { state, word, id, requestId };
}

const ofSop = rows.filter(({ route }) => route.method === "GET" && route.path.startsWith("/api/sops/:id"));
const ofAll = rows.filter(
  ({ route }) =>
    route.method === "GET" && !route.path.includes(":") && route.path.startsWith("/api/") && route.kind !== "stream",
);

/** Every address whose answer could show this SOP. */
function addressesOf({ id, word }: Sample): string[] {
  const one = ofSop.flatMap(({ route }) => {
    const path = fillPath(route.path, { id, version: 2, commentId: id, permissionId: id });
    if (route.path.endsWith("/versions/:version")) return [path, fillPath(route.path, { id, version: 1 })];
    if (route.path.endsWith("/diff")) return [`${path}?from=1&to=2`, `${path}?from=1&to=1`];
    if (route.path.endsWith("/export"))
      return [
        path,
        `${path}?format=json`,
        `${path}?format=md&version=1`,
        `${path}?format=json&version=2`,
        `${path}?format=csv`,
      ];
    if (route.path === "/api/sops/:id") return [path, `${path}?at=2026-06-01`, `${path}?at=2026-12-31`];
    return [path];
  });
  return [
    ...one,
    `/api/approvals?sopId=${id}`,
    `/api/sops?search=${word}&total=true`,
    `/api/company/audit?entityId=${id}`,
  ];
}

const lists = [
  ...ofAll.map(({ route }) => route.path),
  ...["draft", "under_review", "published", "archived", "all"].map((status) => `/api/sops?status=${status}&limit=200`),
  ...["mine=true", "template=true", "favorite=true", "recent=all", "review=due", "time=7d"].map(
    (query) => `/api/sops?${query}`,
  ),
  "/api/approvals?status=pending",
  "/api/approvals?status=approved",
  "/api/notifications?unread=true",
  "/api/company/audit/export?format=csv",
  "/api/company/audit/export?format=ndjson",
];

/** The answer's text, without the requested address. */
async function read(user: TestUser, path: string): Promise<string> {
  const { status, body } = await user.send({ path });
  return status === 200 ? String(body) : "";
}

async function facts(server: TestServer, { id }: Sample): Promise<SopDocument> {
  const sop = await server.db.collection("sops").findOne({ _id: id });
  if (!sop) throw new Error("the sample is there");
  return sop;
}

describeServer("an unpublished version", (server, engine) => {
  test("reaches only people who can see it, on every route", { timeout: 900_000 }, async () => {
    const company = await server().company();
    await company.letApprove("viewer");
    const [boss, author, approver] = [
      await company.user("company_admin"),
      await company.user("editor"),
      await company.user("viewer"),
    ];
    const samples: Sample[] = [];
    for (const state of states) samples.push(await make(author, boss, approver, state));
    const people = [approver];
    for (const role of roles) people.push(await company.user(role));
    let asked = 0;
    const leaks: string[] = [];
    const shown = new Set<string>();
    for (const person of people) {
      const actor = { userId: person.id, companyId: company.id, role: person.role, teamIds: [], allow: [], deny: [] };
      const common = await Promise.all(lists.map(async (path) => ({ path, text: await read(person, path) })));
      for (const sample of samples) {
        const seesLatest = visibleVersion(actor, await facts(server(), sample)) === "latest";
        const own = await Promise.all(
          addressesOf(sample).map(async (path) => ({ path, text: await read(person, path) })),
        );
        for (const { path, text } of [...common, ...own]) {
          asked += 1;
          if (!text.includes(sample.word)) continue;
          if (seesLatest)
            shown.add(`${sample.state} ${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, ":id").replace(/\?.*/, "")}`);
          // the log shows what was deleted to people who can restore it
          else if (!(sample.state === "deleted" && path.startsWith("/api/company/audit") && can(actor, "audit.read")))
            leaks.push(`${person.role}: ${sample.state} by ${path}`);
        }
      }
    }
    recordFigure({ name: `drafts.reads.${engine}`, value: asked, unit: "answers searched", goal: ">= 1000" });
    recordFigure({
      name: `drafts.leaks.${engine}`,
      value: leaks.length,
      unit: "answers with a word of a draft",
      goal: "= 0",
    });
    expect(leaks).toEqual([]);
    // the words can be found: people who can see the latest version get them from the SOP, its versions and lists
    for (const state of states.filter((one) => one !== "deleted")) {
      expect(shown).toContain(`${state} /api/sops/:id`);
      expect(shown).toContain(`${state} /api/sops/:id/versions`);
      expect(shown).toContain(`${state} /api/sops/:id/comments`);
      expect(shown).toContain(`${state} /api/sops`);
    }
    expect(shown).toContain("under review /api/approvals");

    const { repositories } = server().running.services;
    repositories.wake(company.id);
    await repositories.drain(company.id);
    const git = (...args: string[]) =>
      execFileSync("git", ["--git-dir", repositories.path(company.id), ...args], {
        encoding: "utf8",
        maxBuffer: 1 << 28,
      });
    const main = git("log", "-p", "--format=%B", "main");
    expect(Object.values(secrets).filter((word) => main.includes(word))).toEqual([]);
    expect(main).toContain(open);
    expect(git("log", "-p", "--format=%B", "history")).toContain(secrets.draft);
  });
});
