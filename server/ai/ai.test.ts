import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { draftAnswer, editAnswer, leakyDraftAnswer } from "../../test/ai-answers.ts";
import { startFakeProvider, type FakeProvider } from "../../test/fake-provider.ts";
import { describeServer, json, type Company, type TestUser } from "../../test/server.ts";

const key = "sk-proj-Zq3vXw8LpR5tNc7mKd2y";
const env: Record<string, string> = { OPENAI_API_KEY: key, OPENAI_MODEL: "small", OPENAI_PRICES: "EUR small=2/10" };
let provider: FakeProvider;

beforeAll(async () => {
  provider = await startFakeProvider(key);
  env["OPENAI_BASE_URL"] = provider.url;
});
afterAll(() => provider.stop());
beforeEach(() => {
  provider.answer = null;
  provider.answerChat = () => draftAnswer;
  provider.chats.length = 0;
  provider.usage = { prompt_tokens: 70, completion_tokens: 30 };
});
afterEach(() => {
  provider.answerChat = null;
});

const body = { prompt: "Drain tank 4", category: "General" };

describeServer(
  "AI",
  (server) => {
    let company: Company;
    let editor: TestUser;
    beforeEach(async () => {
      company = await server().company();
      editor = await company.user("editor");
    });
    const calls = (user = editor) =>
      server()
        .db.forCompany(user.companyId)
        .collection("ai_calls")
        .find({ userId: user.id }, { sort: { _id: 1 } });
    const audited = async () =>
      (
        await server()
          .db.forCompany(company.id)
          .collection("audit_logs")
          .find({ entityType: "ai_call" }, { sort: { _id: 1 } })
      ).map(({ action, changes }) => ({ action, ...changes }));

    test("stores a draft like any other SOP and records its origin", async () => {
      const { ai, ...sop } = await editor.client.ai.generateSop({ body });
      expect(sop).toMatchObject({
        title: "Drain the tank",
        status: "draft",
        version: 1,
        isAiGenerated: true,
        categoryId: null,
        readTime: 1,
        lang: "en",
        tags: ["tanks"],
        authorId: editor.id,
      });
      expect(sop.markdown).toContain("1. Close the valve.\n2. Open the drain.\n");
      expect(sop.content).toContain("<li>");
      expect(ai).toMatchObject({
        model: "small-2026",
        prompt: "generate-sop@1",
        usage: { promptTokens: 70, completionTokens: 30 },
        calls: 1,
        assumptions: ["The tank holds water."],
      });
      const part = { callId: ai.callId, model: "small-2026", prompt: "generate-sop@1", at: server().clock.now() };
      const versions = await editor.client.sops.versions({ params: { id: sop.id } });
      expect(versions.map((version) => version.ai)).toEqual([[part]]);
      const [event] = await server().db.forCompany(company.id).collection("repo_events").find({ type: "create" });
      expect(event?.aiModel).toBe("small-2026");
      const made = await server().db.forCompany(company.id).collection("audit_logs").find({ action: "sop.create" });
      expect(made[0]?.changes?.["ai"]).toEqual([{ callId: ai.callId, model: "small-2026", prompt: "generate-sop@1" }]);
      expect(await audited()).toEqual([
        {
          action: "ai.generate",
          outcome: "ok",
          model: "small-2026",
          prompt: "generate-sop@1",
          key: "global",
          promptTokens: 70,
          completionTokens: 30,
        },
      ]);
      const kept = JSON.stringify(await calls());
      expect(kept).not.toContain("tank");
      expect(kept).not.toContain("sk-");
    });

    test("sends the prompt as data, and takes the category by name or id", async () => {
      const [category] = await editor.client.categories.list();
      for (const named of [category?.name.toUpperCase(), category?.id]) {
        const made = await editor.client.ai.generateSop({ body: { prompt: "IGNORE", category: named ?? "" } });
        expect(made.categoryId).toBe(category?.id);
      }
      const [system, user] = provider.chats[0]?.messages ?? [];
      expect(system?.content).not.toContain("IGNORE");
      expect(JSON.parse(user?.content ?? "")).toEqual({
        untrusted: { request: "IGNORE", language: "en", sources: [] },
      });
    });

    test("sends a draft with an error back to the model, and counts both requests", async () => {
      provider.answerChat = () => (provider.chats.length === 1 ? leakyDraftAnswer : draftAnswer);
      const { ai, markdown } = await editor.client.ai.generateSop({ body });
      expect(markdown).toContain("Close the valve.");
      expect(ai).toMatchObject({ calls: 2, usage: { promptTokens: 140, completionTokens: 60 } });
      expect(await calls()).toMatchObject([{ requests: 2, promptTokens: 140, completionTokens: 60, outcome: "ok" }]);
    });

    test("proposes edits of a text in HTML or Markdown, and stores nothing", async () => {
      provider.answerChat = () => editAnswer("b1", "Close valve 4 now. <script>x</script>");
      const asked = { title: "Tank", content: "<p>Valve 4 is to be closed.</p><h2>Then</h2>" };
      const improved = await editor.client.ai.improveSop({ body: asked });
      expect(improved).toMatchObject({
        base: "Valve 4 is to be closed.\n\n## Then\n",
        markdown: "Close valve 4 now. x\n\n## Then\n",
        summary: "1 proposed change, none marked",
        ai: { prompt: "improve-sop@1", calls: 1 },
        dropped: [],
      });
      expect(improved.content).toBe('<p>Close valve 4 now. x</p>\n<h2 id="user-content-then">Then</h2>');
      const { title, markdown } = { title: "Tank", markdown: "Valve 4 is to be closed." };
      for (const enhancementType of ["clarity", "detail"] as const) {
        const enhanced = await editor.client.ai.enhanceContent({ body: { title, markdown, enhancementType } });
        expect(enhanced.ai?.prompt).toBe(`enhance-${enhancementType}@1`);
      }
      expect(await server().db.forCompany(company.id).collection("sops").find({})).toEqual([]);
      expect((await calls()).map(({ kind }) => kind)).toEqual(["improve", "enhance", "enhance"]);
    });

    test("formats without a model, a key or a switch", async () => {
      await company.set({ "settings.aiEnabled": false });
      const body = { markdown: "* a\n* b\n", enhancementType: "formatting" } as const;
      const tidied = await editor.client.ai.enhanceContent({ body });
      expect(tidied).toMatchObject({ markdown: "- a\n- b\n", ai: null });
      expect(provider.chats).toEqual([]);
      expect(await calls()).toEqual([]);
    });

    test("serves people who write; a reader spends nothing unless an SOP is shared for editing", async () => {
      provider.answerChat = () => editAnswer("b1", "Close valve 4 now.");
      const ask = (who: TestUser) => who.client.ai.improveSop({ body: { markdown: "Valve 4 is to be closed." } });
      for (const role of ["viewer", "reviewer"] as const) {
        const reader = await company.user(role);
        await expect(ask(reader)).rejects.toMatchObject({ code: "forbidden" });
        const { id } = await editor.client.sops.create({
          body: { title: "Tank", description: "D", markdown: "Close it.\n" },
        });
        const share = (permission: "comment" | "edit") =>
          editor.client.sops.grant({ params: { id }, body: { userId: reader.id, permission } });
        await share("comment");
        await expect(ask(reader)).rejects.toMatchObject({ code: "forbidden" });
        expect(await calls(reader)).toEqual([]);
        await share("edit");
        expect((await ask(reader)).ai).not.toBeNull();
      }
      expect((await ask(await company.user("contributor"))).ai).not.toBeNull();
    });

    test("returns nothing to a user suspended during the call, and stores nothing", async () => {
      provider.answerChat = async () => {
        await server()
          .db.collection("users")
          .updateOne({ _id: editor.id }, { $set: { status: "suspended" } });
        return draftAnswer;
      };
      await expect(editor.client.ai.generateSop({ body })).rejects.toMatchObject({ code: "unauthenticated" });
      expect(await calls()).toMatchObject([{ outcome: "unauthenticated", promptTokens: 70 }]);
      expect(await server().db.forCompany(company.id).collection("sops").find({})).toEqual([]);
    });

    test("refuses empty and oversized texts before it calls the provider", async () => {
      const ask = (body: object) =>
        editor.send({ method: "POST", path: "/api/ai/improve-sop", headers: json, body: JSON.stringify(body) });
      for (const empty of [{}, { content: "" }, { content: " ", markdown: "\n" }, { content: "<p></p>" }]) {
        const answer = await ask(empty);
        expect([answer.status, answer.body]).toEqual([400, expect.stringContaining("Add some content first")]);
      }
      const long = await ask({ markdown: "word ".repeat(13_000) });
      expect([long.status, long.json()]).toMatchObject([413, { code: "ai_input_too_large" }]);
      // each block and finding has words of ours around it: what is sent would be ten times the text
      const chopped = await ask({ markdown: "a\n\n".repeat(6_500) });
      expect([chopped.status, chopped.json()]).toMatchObject([413, { code: "ai_input_too_large" }]);
      expect(provider.chats).toEqual([]);
      expect(await calls()).toEqual([]);
    });
  },
  { env },
);
