/** A provider's failures over HTTP: our own refusals, logged, with nothing stored and no piece of a key shown. */
import pino from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { errorTable } from "#core/errors.ts";
import { providerFailures, quotedKey as key } from "../../test/provider-failures.ts";
import { startFakeProvider, type FakeProvider } from "../../test/fake-provider.ts";
import { databasePlaces } from "../../test/canaries.ts";
import { describeServer, json, type Company, type TestUser } from "../../test/server.ts";
import { redactionOptions } from "../log-redaction.ts";

const env: Record<string, string> = { OPENAI_MODEL: "small" };
const logged: string[] = [];
const log = pino({ ...redactionOptions, level: "trace" }, { write: (line: string) => void logged.push(line) });
let provider: FakeProvider;

beforeAll(async () => {
  provider = await startFakeProvider(key);
  env["OPENAI_BASE_URL"] = provider.url;
});
afterAll(() => provider.stop());

function fragments(text: string): string[] {
  const pieces = Array.from({ length: key.length - 11 }, (_, at) => key.slice(at + 3, at + 11));
  return pieces.filter((piece) => text.includes(piece));
}

describeServer(
  "an AI call that fails",
  (server) => {
    let company: Company;
    let user: TestUser;
    beforeAll(async () => {
      company = await server().company();
      user = await company.user("editor");
      await user.client.settings.update({ body: { openaiApiKey: key } });
    });
    beforeEach(() => {
      provider.answer = null;
    });
    const ask = (path: string, body: object, headers: Record<string, string> = {}) =>
      user.send({
        method: "POST",
        path: `/api/ai/${path}`,
        headers: { ...json, ...headers },
        body: JSON.stringify(body),
      });
    const lastCall = async () => {
      const calls = server().db.forCompany(company.id).collection("ai_calls");
      return (await calls.find({}, { sort: { _id: -1 }, limit: 1 }))[0];
    };

    test.each(providerFailures)("is %s (%i)", async (code, status, answer) => {
      for (const headers of [{}, { accept: "text/event-stream" }]) {
        provider.answer = answer;
        const refused = await ask("generate-sop", { prompt: "Drain tank 4", category: "General" }, headers);
        expect(fragments(refused.body)).toEqual([]);
        expect(refused.body).not.toContain("provider.example");
        if ("accept" in headers) {
          const [, told = "{}"] = /event: error\ndata: (.*)\n\n$/.exec(refused.body) ?? [];
          expect([refused.status, JSON.parse(told)]).toMatchObject([201, { code }]);
        } else {
          expect([refused.status, refused.json()]).toMatchObject([status, { code }]);
          expect(refused.headers.get("retry-after") !== null).toBe(status === 429);
        }
        expect(await lastCall()).toMatchObject({ outcome: code, kind: "generate", key: "personal" });
      }
    });

    test("leaves no SOP and no piece of the key anywhere", async () => {
      expect(await server().db.forCompany(company.id).collection("sops").find({})).toEqual([]);
      expect(fragments(logged.join(""))).toEqual([]);
      const places = await databasePlaces(server().db);
      expect(places.filter(({ text }) => fragments(text).length > 0)).toEqual([]);
      const rows = await server().db.forCompany(company.id).collection("audit_logs").find({ action: "ai.generate" });
      expect(rows.length).toBe(2 * providerFailures.length);
      expect(logged.join("")).not.toContain('"status":500');
    });

    test("is reported without a key, in words that name the API key", async () => {
      const other = await company.user("editor");
      for (const path of ["generate-sop", "improve-sop"]) {
        const body = JSON.stringify(path === "generate-sop" ? { prompt: "x" } : { markdown: "x" });
        const answer = await other.send({ method: "POST", path: `/api/ai/${path}`, headers: json, body });
        expect([answer.status, answer.json()]).toMatchObject([409, { code: "ai_key_missing" }]);
        expect(answer.body).toContain("API key");
      }
      const users = server().db.collection("users");
      await users.updateOne({ _id: other.id }, { $set: { openaiApiKey: "nonsense" } });
      const damaged = await other.send({
        method: "POST",
        path: "/api/ai/generate-sop",
        headers: json,
        body: '{"prompt":"x"}',
      });
      expect(damaged.json()).toMatchObject({
        code: "ai_key_missing",
        message: expect.stringMatching(/API key is damaged/),
      });
    });

    test("is refused by either switch before the key, the provider or the text is read", async () => {
      const other = await company.user("editor");
      const refused = async () => {
        provider.requests.length = 0;
        const answers = [
          await other.send({ method: "POST", path: "/api/ai/generate-sop", headers: json, body: '{"prompt":"x"}' }),
          await other.send({
            method: "POST",
            path: "/api/ai/improve-sop",
            headers: json,
            body: JSON.stringify({ markdown: "x".repeat(100_000) }),
          }),
        ];
        for (const { status, body } of answers) {
          expect([status, JSON.parse(body)]).toMatchObject([errorTable.ai_disabled.status, { code: "ai_disabled" }]);
        }
        expect(provider.requests).toEqual([]);
      };
      await other.client.settings.update({ body: { aiFeaturesEnabled: false } });
      await refused();
      await other.client.settings.update({ body: { aiFeaturesEnabled: true, openaiApiKey: key } });
      await company.set({ "settings.aiEnabled": false });
      await refused();
      await company.set({ "settings.aiEnabled": true });
    });

    test("that was switched off while it ran has no usable answer", async () => {
      provider.answerChat = async () => {
        await company.set({ "settings.aiEnabled": false });
        return { summary: "", edits: [] };
      };
      const answer = await ask("improve-sop", { markdown: "Close the valve." });
      expect([answer.status, answer.json()]).toMatchObject([403, { code: "ai_disabled" }]);
      expect(await lastCall()).toMatchObject({ outcome: "ai_disabled", promptTokens: 70 });
      provider.answerChat = null;
      await company.set({ "settings.aiEnabled": true });
    });
  },
  { env, log },
);
