/** A draft's way into the ledger, and what saves say of the AI's part in them. */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { request } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { draftAnswer, editAnswer, leakyDraftAnswer } from "../../test/ai-answers.ts";
import { startFakeProvider, type FakeProvider } from "../../test/fake-provider.ts";
import { describeServer, json, type Company, type TestUser } from "../../test/server.ts";

const key = "sk-global-Zq3vXw8LpR5tNc7mKd2y";
const env: Record<string, string> = { OPENAI_API_KEY: key, OPENAI_MODEL: "small" };
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
});

const body = { prompt: "Drain tank 4", category: "General" };
const document = { title: "Tank", description: "Of tanks", markdown: "Close the valve.\n" };

interface Told {
  event: string;
  data: Record<string, unknown>;
}

const eventsIn = (text: string): Told[] =>
  [...text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map(([, event = "", data = ""]) => ({
    event,
    data: JSON.parse(data) as Record<string, unknown>,
  }));

describeServer(
  "text written by AI",
  (server) => {
    let company: Company;
    let editor: TestUser;
    beforeEach(async () => {
      company = await server().company();
      editor = await company.user("editor");
    });
    const store = () => server().db.forCompany(company.id);
    const outcomes = async () =>
      (
        await store()
          .collection("ai_calls")
          .find({}, { sort: { _id: 1 } })
      ).map(({ outcome }) => outcome);
    const post = (headers: Record<string, string> = {}) =>
      editor.send({
        method: "POST",
        path: "/api/ai/generate-sop",
        headers: { ...json, ...headers },
        body: JSON.stringify(body),
      });
    const improved = async (user = editor) => {
      provider.answerChat = () => editAnswer("b1", "Close the valve now.");
      return (await user.client.ai.improveSop({ body: { markdown: "Close the valve." } })).ai?.callId ?? "";
    };

    test("refers only to published SOPs that the user can read", async () => {
      const admin = await company.user("company_admin");
      const titles = ["Tank cleaning", "Tank draft", "Tank secret", "Pumps"];
      const made = [];
      for (const title of titles) {
        const status = title.endsWith("draft") ? "draft" : "published";
        made.push(
          await admin.client.sops.create({
            body: { ...document, title, markdown: "Words.\n", description: "D", status },
          }),
        );
      }
      await admin.client.sops.restrict({ params: { id: made[2]?.id ?? "" }, body: { restricted: true } });
      provider.answerChat = () => ({
        ...draftAnswer,
        references: [
          { sourceId: "s1", label: "the cleaning" },
          { sourceId: "s2", label: "made up" },
        ],
      });
      await vi.waitFor(
        async () => expect((await editor.client.search.find({ query: { q: "tank" } })).data).toHaveLength(2),
        { timeout: 20_000 },
      );
      const sop = await editor.client.ai.generateSop({ body });
      const { untrusted } = JSON.parse(provider.chats.at(-1)?.messages[1]?.content ?? "") as { untrusted: object };
      expect(untrusted).toMatchObject({ sources: [{ id: "s1", title: "Tank cleaning" }] });
      expect(sop.markdown).toContain(`[Tank cleaning](/sop/${made[0]?.number})`);
      expect(sop.markdown).toContain('- [ ] The reference "made up" exists.');
    });

    test("reveals no hidden SOP by what it leaves out", async () => {
      const admin = await company.user("company_admin");
      const make = (title: string, markdown: string) =>
        admin.client.sops.create({ body: { title, description: "D", markdown, status: "published" } });
      const sent = async () => {
        await editor.client.ai.generateSop({ body });
        const { untrusted } = JSON.parse(provider.chats.at(-1)?.messages[1]?.content ?? "") as {
          untrusted: { sources: object[] };
        };
        return untrusted.sources;
      };
      await make("Cleaning", `The tank. ${"Wash each part of it with water. ".repeat(40)}`);
      for (const title of ["Pumps", "Valves", "Gauges"]) await make(title, "Grease it.");
      const before = await sent();
      expect(before).toEqual([{ id: "s1", title: "Cleaning" }]);
      const { id } = await make("Drain tank 4", "Drain tank 4: drain tank 4.");
      await admin.client.sops.restrict({ params: { id }, body: { restricted: true } });
      expect(await sent()).toEqual(before);
    });

    test("streams its stages, then the same as a plain answer", async () => {
      provider.answerChat = () => (provider.chats.length === 1 ? leakyDraftAnswer : draftAnswer);
      const answer = await post({ accept: "text/event-stream" });
      expect([answer.status, answer.headers.get("content-type")]).toEqual([201, "text/event-stream"]);
      const events = eventsIn(answer.body);
      const stages = events.filter(({ event }) => event === "stage").map(({ data }) => data);
      expect(stages[0]).toEqual({ stage: "drafting", title: null, characters: 0 });
      expect(stages).toContainEqual(expect.objectContaining({ stage: "drafting", title: "Drain the tank" }));
      expect(stages).toContainEqual({ stage: "checking", title: "Drain the tank", steps: 1 });
      expect(stages).toContainEqual({ stage: "repairing", title: "Drain the tank", faults: 1 });
      const { event, data } = events.at(-1) ?? { event: "", data: {} };
      expect([event, data]).toMatchObject(["done", { title: "Drain the tank", status: "draft", ai: { calls: 2 } }]);
      expect(await editor.client.sops.get({ params: { id: String(data["id"]) } })).toMatchObject({ version: 1 });
    });

    test("has its own error status when refused before it begins, streamed or not", async () => {
      await company.set({ "settings.aiEnabled": false });
      const answer = await post({ accept: "text/event-stream" });
      expect([answer.status, answer.json()]).toMatchObject([403, { code: "ai_disabled" }]);
    });

    test("is created and paid once for one Idempotency-Key, streamed or not", async () => {
      const headers = { "idempotency-key": "k1" };
      const first = await post(headers);
      const again = await post(headers);
      expect(again.json()).toEqual(first.json());
      expect(again.headers.get("idempotency-replayed")).toBe("true");
      const heard = eventsIn((await post({ ...headers, accept: "text/event-stream" })).body);
      expect(heard).toEqual([{ event: "done", data: first.json() }]);
      expect(provider.chats).toHaveLength(1);
      expect(await store().collection("sops").find({})).toHaveLength(1);
    });

    test("is refused before it costs anything when there is no room for another SOP", async () => {
      await company.set({ maxSOPs: 1 });
      await editor.client.sops.create({ body: document });
      await expect(editor.client.ai.generateSop({ body })).rejects.toMatchObject({ code: "limit_reached" });
      expect(provider.chats).toEqual([]);
      expect(await outcomes()).toEqual([]);
    });

    test.each(["application/json", "text/event-stream"])(
      "is abandoned when the client leaves: nothing is stored, the provider stops, the tokens sent count (%s)",
      async (accept) => {
        const hungUp = new Promise<void>((resolve) => {
          provider.answer = (asked, response) => {
            response.on("close", () => resolve());
            asked.on("end", () => browser.destroy()).resume();
          };
        });
        const { hostname, port } = new URL(server().url);
        const browser = request({
          host: hostname,
          port,
          path: "/api/ai/generate-sop",
          method: "POST",
          headers: { ...json, accept, cookie: editor.cookie, origin: server().url },
        });
        browser.on("error", () => undefined);
        browser.end(JSON.stringify(body));
        await hungUp;
        await vi.waitFor(async () => expect(await outcomes()).toEqual(["cancelled"]), { timeout: 20_000 });
        const [call] = await store().collection("ai_calls").find({});
        expect(call?.promptTokens).toBeGreaterThan(100);
        expect(await store().collection("sops").find({})).toEqual([]);
      },
    );

    test("names its AI calls in the version, the audit log and the commit", async () => {
      const ids = [await improved(), await improved()];
      const { id } = await editor.client.sops.create({ body: { ...document, aiCalls: ids.slice(0, 1) } });
      const saved = await editor.client.sops.update({
        params: { id },
        body: { markdown: "Close the valve now.\n", aiCalls: ids },
      });
      expect(saved.isAiGenerated).toBe(false);
      await editor.client.sops.update({ params: { id }, body: { markdown: "My own words.\n" } });
      const versions = await editor.client.sops.versions({ params: { id } });
      expect(versions.map(({ ai }) => ai.map(({ callId }) => callId))).toEqual([[], ids, ids.slice(0, 1)]);
      expect((await editor.client.sops.version({ params: { id, version: 2 } })).ai[0]).toMatchObject({
        prompt: "improve-sop@1",
        model: "small-2026",
      });
      await server().running.services.repositories.drain(company.id);
      const repository = path.join(server().dataDir, "repositories", `${company.id}.git`);
      const messages = execFileSync("git", [
        "-C",
        repository,
        "log",
        "--format=%(trailers:key=AI-Assisted)",
        "history",
      ]);
      expect(messages.toString().match(/AI-Assisted: small-2026/g)).toHaveLength(2);
    });

    test("counts only the user's own calls that returned an answer", async () => {
      const other = await company.user("editor");
      const stranger = await (await server().company()).user("editor");
      provider.answerChat = () => "no JSON";
      await expect(editor.client.ai.improveSop({ body: { markdown: "x" } })).rejects.toMatchObject({
        code: "ai_malformed",
      });
      const [failed] = await store().collection("ai_calls").find({ userId: editor.id });
      const { id } = await editor.client.sops.create({ body: document });
      const unknown = "01970000-0000-7000-8000-000000000000";
      const foreign = [await improved(other), await improved(stranger), failed?._id ?? "", unknown];
      for (const callId of foreign) {
        for (const aiCalls of [[callId], [await improved(), callId]]) {
          const message = "These are not AI calls of yours that brought an answer";
          const refused = { code: "invalid_input", details: { aiCalls: message } };
          const text = { ...document, markdown: "Other words.\n", aiCalls };
          await expect(editor.client.sops.create({ body: text })).rejects.toMatchObject(refused);
          await expect(editor.client.sops.update({ params: { id }, body: text })).rejects.toMatchObject(refused);
        }
      }
      const many = Array.from({ length: 51 }, () => unknown);
      await expect(editor.client.sops.create({ body: { ...document, aiCalls: many } })).rejects.toMatchObject({
        code: "invalid_input",
      });
    });

    test("stays marked when AI wrote all of it, even after a save or a restore", async () => {
      const { ai, ...made } = await editor.client.ai.generateSop({ body });
      const params = { id: made.id };
      const saved = await editor.client.sops.update({
        params,
        body: { ...made, ai, title: "My tank", isAiGenerated: false, markdown: "All my own.\n" } as never,
      });
      expect([saved.version, saved.isAiGenerated]).toEqual([2, true]);
      const unchanged = await editor.client.sops.update({ params, body: { isAiGenerated: false } });
      expect([unchanged.version, unchanged.isAiGenerated]).toEqual([2, true]);

      const own = await editor.client.sops.create({ body: document });
      const taken = { markdown: "What AI wrote.\n", aiCalls: [ai.callId] };
      const second = await editor.client.sops.update({ params: { id: own.id }, body: taken });
      expect([own.isAiGenerated, second.isAiGenerated]).toEqual([false, true]);
      const restored = await editor.client.sops.restore({ params: { id: own.id, version: 1 }, body: {} });
      expect([restored.markdown, restored.isAiGenerated]).toEqual([document.markdown, true]);
    });
  },
  { env },
);
