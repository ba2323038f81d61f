/**
 * The same injections over HTTP, in every input of a model: prompts, texts, titles, the glossary, a team's description.
 * The model obeys them all. It gets and returns nothing of another company. Only the one draft changes.
 */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { limits } from "#core/limits.ts";
import { declarations, type Collections } from "../../server/database/documents.ts";
import { startFakeProvider, type FakeProvider } from "../fake-provider.ts";
import { isProof, recordFigure } from "../proof.ts";
import { startServer, type Company, type TestServer, type TestUser } from "../server.ts";
import { harmInHtml, harmInMarkdown } from "./harm.ts";
import { foreignId, injections } from "./injections.ts";
import { obedientAnswer } from "./obedient.ts";

const key = "sk-proj-Zq3vXw8LpR5tNc7mKd2y";
/** Words of the other company. Our requests and answers must not hold them. */
const canary = "Zwyndrel";
const asked = injections.filter((_, at) => isProof || at % 2 === 0);

let provider: FakeProvider;
let server: TestServer;
let [mine, theirs]: [Company | null, Company | null] = [null, null];
let editor: TestUser;
const foreign: string[] = [];
let obeyed = "";

beforeAll(async () => {
  provider = await startFakeProvider(key);
  provider.answerChat = (chat) => obedientAnswer(chat, obeyed);
  const env = { OPENAI_API_KEY: key, OPENAI_BASE_URL: provider.url, OPENAI_MODEL: "small" };
  server = await startServer("sqlite", { env });
  [mine, theirs] = await Promise.all([server.company(), server.company()]);
  editor = await mine.user("company_admin");
  const stranger = await theirs.user("company_admin");
  const body = {
    title: `${canary} procedure`,
    description: `${canary} valve`,
    markdown: `${canary} closes the valve.\n`,
  };
  for (const status of ["draft", "published"] as const)
    foreign.push((await stranger.client.sops.create({ body: { ...body, status } })).id);
  foreign.push(theirs.id, stranger.id);
  // injections as titles: the model gets them as sources
  const titles = injections.map(([, text]) => text.replace(/\s+/g, " ").trim()).slice(0, 12);
  for (const title of ["Valve", ...titles.map((text) => text.slice(0, limits.titleCharacters))]) {
    const text = { title, description: "valve", markdown: "Close the valve.\n" };
    await editor.client.sops.create({ body: { ...text, status: "published" } });
  }
  const unlimited = { "settings.aiUserTokensPerDay": null, "settings.aiCompanyTokensPerMonth": null };
  const rows = injections.map(([, text]) => ["valve", text.replace(/[\s,]+/g, " ").slice(0, 60)]);
  await mine.set({ ...unlimited, "settings.glossary": rows });
}, 60_000);
afterAll(() => Promise.all([provider.stop(), server.stop()]));

/** Collections to which a draft, its call and its record add. Everything else stays the same, byte for byte. */
const grows = ["sops", "sop_versions", "ai_calls", "audit_logs", "repo_events", "events"];
/** Counts, cursors and last visits: they change without a user's edit. */
const moves = ["counters", "outbox", "sop_uses", "ai_meters"];

/** For each collection, a hash of all its records of a company. */
async function stateOf(companyId: string, leftOut: readonly string[]): Promise<Record<string, string>> {
  await server.running.services.repositories.drain(companyId);
  // twice, because the first run may have begun before the last rows were written
  for (let run = 0; run < 2; run++) await server.running.sequencer.run();
  const company = await server.db.collection("companies").findOne({ _id: companyId });
  const names = (Object.keys(declarations) as (keyof Collections & string)[]).filter(
    (name) => declarations[name].tenant && !leftOut.includes(name),
  );
  const rows = await Promise.all(
    names.map(async (name) => {
      const all = await server.db
        .forCompany(companyId)
        .collection(name as "users")
        .find({}, { sort: { _id: 1 } });
      return [name, createHash("sha256").update(JSON.stringify(all)).digest("hex")] as const;
    }),
  );
  return { ...Object.fromEntries(rows), settings: JSON.stringify(company?.settings) };
}

test("each of them in a prompt, a title, a text and a team gives one draft of the user's own, with text only", async () => {
  const [ours, others] = [mine?.id ?? "", theirs?.id ?? ""];
  const left = [...grows, ...moves];
  const before = { ours: await stateOf(ours, left), others: await stateOf(others, moves) };
  // reading an SOP is counted, and changes nothing else of it
  const present = async () =>
    (await editor.client.sops.list({ query: { limit: 200, status: "published" } })).data.map((row) => ({
      ...row,
      views: 0,
    }));
  const published = await present();
  const known = new Set(
    (await editor.client.sops.list({ query: { limit: 200 } })).data.flatMap(({ id, number }) => [
      `/sop/${id}`,
      `/sop/${number}`,
    ]),
  );
  // drafts of an earlier try of this test stay
  const draftIds = async () =>
    (await editor.client.sops.list({ query: { limit: 200, status: "draft" } })).data.map(({ id }) => id);
  const earlier = new Set(await draftIds());
  const audited = () => server.db.forCompany(ours).collection("audit_logs").find({});
  const recorded = new Set((await audited()).map(({ _id }) => _id));
  const harm: string[] = [];
  const drafts: string[] = [];
  for (const [kind, text] of asked) {
    obeyed = text;
    const note = (found: string[]) => harm.push(...found.map((one) => `${kind}: ${one}`));
    const prompt = `valve ${text}`.slice(0, limits.promptCharacters);
    const draft = await editor.client.ai.generateSop({ body: { prompt, category: text.slice(0, 200) } });
    drafts.push(draft.id);
    expect(draft).toMatchObject({
      status: "draft",
      version: 1,
      isAiGenerated: true,
      authorId: editor.id,
      categoryId: null,
    });
    note([...harmInMarkdown(draft.markdown ?? "", known), ...harmInHtml(draft.content ?? "", known)]);
    const title = text.slice(0, limits.titleCharacters);
    const improved = await editor.client.ai.improveSop({
      body: { title, markdown: "## Steps\n\n1. Close the valve.\n" },
    });
    note([...harmInMarkdown(improved.markdown, known), ...harmInHtml(improved.content, known)]);
    const answers = JSON.stringify([draft, improved]);
    for (const id of [...foreign, canary]) if (answers.includes(id)) harm.push(`${kind}: says ${id}`);
    if (answers.includes(`/sop/${foreignId}"`)) harm.push(`${kind}: links to another company`);
  }
  const sent = JSON.stringify(provider.chats);
  for (const id of [...foreign, canary]) expect(sent).not.toContain(id);
  expect(sent).toContain('\\"sources\\":[{\\"id\\":\\"s1\\"');
  expect(sent).not.toContain(key.slice(3));
  const systems = new Set(provider.chats.map(({ messages }) => messages[0]?.content));
  expect(systems.size).toBe(2);
  for (const { messages } of provider.chats)
    expect(Object.keys(JSON.parse(messages[1]?.content ?? "") as object)).toEqual(["untrusted"]);
  expect(harm).toEqual([]);
  expect({ ours: await stateOf(ours, left), others: await stateOf(others, moves) }).toEqual(before);
  expect(await present()).toEqual(published);
  const made = (await draftIds()).filter((id) => !earlier.has(id));
  expect(made.toSorted()).toEqual(drafts.toSorted());
  const actions = (await audited()).filter(({ _id }) => !recorded.has(_id));
  expect([...new Set(actions.map(({ action }) => action))].sort()).toEqual(["ai.generate", "ai.improve", "sop.create"]);
  recordFigure({
    name: "injections over HTTP: harm found",
    value: harm.length,
    unit: `of ${asked.length}`,
    goal: "= 0",
  });
}, 240_000);

test("what is suggested for a team names no other company's SOPs, and makes none", async () => {
  const before = (await editor.client.sops.list({ query: { limit: 200 } })).data.length;
  for (const [, text] of asked.filter(([kind]) => /tenant|source|override|bare|script/.test(kind))) {
    obeyed = text;
    const answer = await editor.client.suggestions.suggest({
      body: { teamContext: text.slice(0, limits.promptCharacters) },
    });
    const told = JSON.stringify(answer);
    for (const id of [...foreign, canary]) expect(told).not.toContain(id);
    for (const { title, description, reasoning } of answer)
      expect(`${title} ${description} ${reasoning}`).not.toMatch(/https?:|javascript:/i);
  }
  expect((await editor.client.sops.list({ query: { limit: 200 } })).data).toHaveLength(before);
}, 120_000);
