import { createHash } from "node:crypto";
import pino from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { send, startFakeProvider, type FakeProvider } from "../../test/fake-provider.ts";
import { describeServer, json, type TestUser } from "../../test/server.ts";

const key = "sk-proj-Zq3vXw8LpR5tNc7mKd2y";
const env: Record<string, string> = {};
const logged: string[] = [];
const log = pino({ level: "trace" }, { write: (line: string) => void logged.push(line) });
let provider: FakeProvider;

beforeAll(async () => {
  provider = await startFakeProvider(key);
  env["OPENAI_BASE_URL"] = provider.url;
});
afterAll(() => provider.stop());
afterEach(() => {
  provider.answer = null;
});

/** Any six characters in a row of a key are a fragment, but for the end that the mask shows. */
function fragments(text: string, secret = key): string[] {
  const pieces = Array.from({ length: secret.length - 5 }, (_, at) => secret.slice(at, at + 6));
  return pieces.filter((piece) => text.includes(piece));
}

describeServer(
  "a user's settings",
  (server) => {
    const anybody = async () => (await server().company()).user("viewer");
    const stored = async (user: TestUser) =>
      server().db.forCompany(user.companyId).collection("users").findOne({ _id: user.id });
    const audited = (user: TestUser) =>
      server()
        .db.forCompany(user.companyId)
        .collection("audit_logs")
        .find({ action: "settings.update" }, { sort: { _id: 1 } });

    test("begin with AI on, no key, and every email", async () => {
      expect(await (await anybody()).client.settings.get()).toEqual({
        openaiApiKey: null,
        hasApiKey: false,
        hasGlobalApiKey: false,
        aiFeaturesEnabled: true,
        companyAiEnabled: true,
        apiKeyProblem: null,
        mailChoices: {
          acknowledgement: true,
          approval_requested: true,
          approval_decided: true,
          mention: true,
          comment: true,
          review_due: true,
          proposal: true,
        },
      });
    });

    test("show a key masked, store it encrypted, and remove it when an empty field is saved", async () => {
      const user = await anybody();
      const saved = await user.client.settings.update({ body: { openaiApiKey: ` ${key} ` } });
      expect(saved).toMatchObject({ openaiApiKey: "sk-••••Kd2y", hasApiKey: true });
      expect(await user.client.settings.get()).toEqual(saved);
      const kept = (await stored(user))?.openaiApiKey ?? "";
      expect(kept).toMatch(/^v1\.k[0-9a-f]{8}\.[\w-]{16}\.[\w-]+\.[\w-]{22}$/);
      const place = `users/${user.id}/openaiApiKey`;
      expect(server().running.services.keys.open(kept, place)).toEqual({ ok: true, text: key });

      for (const empty of ["", "  ", null]) {
        await user.client.settings.update({ body: { openaiApiKey: key } });
        const cleared = await user.client.settings.update({ body: { openaiApiKey: empty } });
        expect(cleared).toMatchObject({ openaiApiKey: null, hasApiKey: false });
        expect((await stored(user))?.openaiApiKey).toBeNull();
      }
      const rows = await audited(user);
      expect(rows.at(0)?.changes).toEqual({ openaiApiKey: { from: "none", to: "stored" } });
      expect(fragments(JSON.stringify(rows))).toEqual([]);
    });

    test("never store a masked key", async () => {
      const user = await anybody();
      await user.client.settings.update({ body: { openaiApiKey: key } });
      const before = (await stored(user))?.openaiApiKey;
      for (const masked of ["sk-••••Kd2y", "•", `${key}•`]) {
        await user.client.settings.update({ body: { openaiApiKey: masked, aiFeaturesEnabled: false } });
      }
      expect((await stored(user))?.openaiApiKey).toBe(before);
      expect(await user.client.settings.get()).toMatchObject({ aiFeaturesEnabled: false, hasApiKey: true });
    });

    test("refuse an invalid key without repeating it", async () => {
      const user = await anybody();
      for (const openaiApiKey of ["sk two words", "sk-\u0000x", "sk-é", "k".repeat(501), 7, {}, { $gt: "" }]) {
        const answer = await user.send({
          method: "PUT",
          path: "/api/user/settings",
          headers: { ...json, origin: server().url },
          body: JSON.stringify({ openaiApiKey }),
        });
        expect(answer.status).toBe(400);
        expect(answer.body).not.toContain("two words");
      }
      expect((await stored(user))?.openaiApiKey).toBeNull();
    });

    test("keep email choices that are left out, and refuse unknown kinds", async () => {
      const user = await anybody();
      await user.client.settings.update({ body: { mailChoices: { mention: false } } });
      const { mailChoices } = await user.client.settings.update({ body: { mailChoices: { comment: false } } });
      expect(mailChoices).toMatchObject({ mention: false, comment: false, review_due: true });
      const unknown = { mailChoices: { spam: true } } as never;
      await expect(user.client.settings.update({ body: unknown })).rejects.toMatchObject({ code: "invalid_input" });
      expect((await audited(user)).map(({ changes }) => changes?.["mailChoices"])).toEqual([
        { from: {}, to: { mention: false } },
        { from: { mention: false }, to: { mention: false, comment: false } },
      ]);
    });

    test("change nothing and leave no trace in an empty update", async () => {
      const user = await anybody();
      const before = await stored(user);
      await user.client.settings.update({ body: {} });
      expect(await stored(user)).toEqual(before);
      expect(await audited(user)).toEqual([]);
    });

    test("show the company's switch", async () => {
      const company = await server().company();
      const user = await company.user("viewer");
      await company.set({ "settings.aiEnabled": false });
      expect(await user.client.settings.get()).toMatchObject({ companyAiEnabled: false, aiFeaturesEnabled: true });
    });

    test("turn AI off with a reason when the key can't be decrypted or belongs to another user; the rest works", async () => {
      const user = await anybody();
      const other = await anybody();
      await other.client.settings.update({ body: { openaiApiKey: key } });
      const users = server().db.collection("users");
      const foreign = (await stored(other))?.openaiApiKey ?? "";
      for (const [sealed, told] of [
        [foreign, /damaged/],
        [foreign.replace(/^v1\.\w+/, "v1.gone"), /no longer has the key/],
        ["nonsense", /damaged/],
      ] as const) {
        await users.updateOne({ _id: user.id }, { $set: { openaiApiKey: sealed } });
        const settings = await user.client.settings.get();
        expect(settings).toMatchObject({ hasApiKey: false, openaiApiKey: null });
        expect(settings.apiKeyProblem).toMatch(told);
      }
      const healed = await user.client.settings.update({ body: { openaiApiKey: key } });
      expect(healed).toMatchObject({ hasApiKey: true, apiKeyProblem: null });
    });

    test("can be read with a token, but not changed", async () => {
      const user = await anybody();
      const { token } = await user.client.tokens.create({ body: { name: "ci", scopes: ["sops:read", "sops:write"] } });
      const client = server().clientWith({ authorization: `Bearer ${token}` });
      expect(await client.settings.get()).toMatchObject({ hasApiKey: false });
      await expect(client.settings.update({ body: { openaiApiKey: key } })).rejects.toMatchObject({
        code: "forbidden",
      });
      await expect(client.settings.testApiKey({ body: { apiKey: key } })).rejects.toMatchObject({ code: "forbidden" });
    });

    describe("testing a key", () => {
      const ask = async (user: TestUser, apiKey: string) => {
        const answer = await user.send({
          method: "POST",
          path: "/api/user/settings/test-api-key",
          headers: { ...json, origin: server().url },
          body: JSON.stringify({ apiKey }),
        });
        const { code, message } = answer.json() as { code?: string; message: string };
        expect(fragments(answer.body, apiKey)).toEqual([]);
        return { status: answer.status, code, message };
      };

      test("asks the provider for its models once, and shows what it found", async () => {
        const user = await anybody();
        provider.requests.length = 0;
        const answer = await ask(user, key);
        expect(answer).toEqual({ status: 200, code: undefined, message: "Valid API key" });
        expect(provider.requests.map(({ path, authorization }) => [path, authorization])).toEqual([
          ["/v1/models", `Bearer ${key}`],
        ]);
        expect(provider.requests[0]?.headers).not.toHaveProperty("openai-organization");
        expect(await user.client.settings.get()).toMatchObject({ hasApiKey: false });
      });

      test("sends no empty or masked key anywhere", async () => {
        const user = await anybody();
        provider.requests.length = 0;
        for (const none of ["", "  ", "sk-••••Kd2y", "two words", "é"]) {
          expect(await ask(user, none)).toEqual({
            status: 400,
            code: "invalid_input",
            message: "Invalid Key: Please enter a valid API key to test.",
          });
        }
        expect(provider.requests).toEqual([]);
        // nor do such tries count
        expect((await ask(user, key)).status).toBe(200);
      });

      test("reports the provider's refusal in our words", async () => {
        const wrong = "sk-wrong-WxYz0987654321";
        expect(await ask(await anybody(), wrong)).toEqual({
          status: 400,
          code: "invalid_input",
          message: "Invalid API key",
        });
      });

      test.each([
        [403, 400, /refuses access/],
        [404, 502, /answered 404/],
        [429, 502, /quota/],
        [500, 502, /trouble \(it answered 500\)/],
        [503, 502, /trouble \(it answered 503\)/],
      ])("maps the provider's answer %i to %i, and calls it once", async (status, ours, message) => {
        provider.requests.length = 0;
        provider.answer = (request, response) =>
          send(response, status, { error: { message: request.headers.authorization } });
        const answer = await ask(await anybody(), key);
        expect(answer.status).toBe(ours);
        expect(answer.message).toMatch(message);
        expect(provider.requests).toHaveLength(1);
      });

      test("follows no redirect: the key goes nowhere else", async () => {
        const elsewhere = await startFakeProvider(key);
        provider.answer = (_, response) => response.writeHead(307, { location: `${elsewhere.url}/models` }).end();
        const answer = await ask(await anybody(), key);
        expect([answer.status, answer.code]).toEqual([502, "ai_failed"]);
        expect(elsewhere.requests).toEqual([]);
        await elsewhere.stop();
      });

      test("reports a provider that disconnects, sends nonsense or is not there", async () => {
        const user = await anybody();
        provider.answer = (_, response) => response.destroy();
        expect(await ask(user, key)).toMatchObject({
          status: 502,
          message: expect.stringContaining("Can't reach the AI provider"),
        });
        provider.answer = (_, response) => response.socket?.end("nonsense\r\n\r\n");
        expect(await ask(user, key)).toMatchObject({ status: 502, code: "ai_failed" });
      });

      test("is limited to five a minute for each user", async () => {
        const user = await anybody();
        const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await ask(user, key)).status));
        expect(statuses.filter((status) => status === 200)).toHaveLength(5);
        expect(statuses.filter((status) => status === 429)).toHaveLength(3);
        expect((await ask(await anybody(), key)).status).toBe(200);
        server().clock.advance(61_000);
        expect((await ask(user, key)).status).toBe(200);
      });
    });

    test("leave no key, and no piece of one, in the log or the database", async () => {
      const db = server().db;
      const dump = JSON.stringify([
        await db.collection("users").find({}),
        await db.collection("audit_logs").find({}),
        await db.collection("idempotency").find({}),
        await db.collection("limiters").find({}),
      ]);
      expect(fragments(dump)).toEqual([]);
      expect(logged.some((line) => line.includes("test-api-key"))).toBe(true);
      expect(fragments(logged.join(""))).toEqual([]);
      expect(dump).not.toContain(createHash("sha256").update(key).digest("base64url"));
    });
  },
  { env, log },
);
