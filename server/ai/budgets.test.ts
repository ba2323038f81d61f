import { request } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { editAnswer } from "../../test/ai-answers.ts";
import { startFakeProvider, type FakeProvider } from "../../test/fake-provider.ts";
import { resources } from "../capacity/resources.ts";
import { describeServer, json, startServer, type Company, type TestServer, type TestUser } from "../../test/server.ts";

const key = "sk-global-Zq3vXw8LpR5tNc7mKd2y";
const env: Record<string, string> = {
  OPENAI_API_KEY: key,
  OPENAI_MODEL: "small",
  OPENAI_PRICES: "EUR small=2/10",
  TRUSTED_PROXIES: "1",
};
let provider: FakeProvider;

beforeAll(async () => {
  provider = await startFakeProvider(key);
  env["OPENAI_BASE_URL"] = provider.url;
});
afterAll(() => provider.stop());
beforeEach(() => {
  provider.knownKey = key;
  provider.answer = null;
  provider.answerChat = () => editAnswer("b1", "Close the valve now.");
  provider.usage = { prompt_tokens: 700, completion_tokens: 300 };
});

const text = { body: { markdown: "The valve is to be closed now." } };

describeServer(
  "AI budgets",
  (server, engine) => {
    let company: Company;
    let user: TestUser;
    beforeEach(async () => {
      server().clock.set("2026-06-15T22:00:00.000Z");
      company = await server().company();
      user = await company.user("editor");
    });
    const budget = (fields: { day?: number | null; month?: number | null }) =>
      company.set({
        ...(fields.day === undefined ? {} : { "settings.aiUserTokensPerDay": fields.day }),
        ...(fields.month === undefined ? {} : { "settings.aiCompanyTokensPerMonth": fields.month }),
      });
    const meters = async () => {
      const found = await server()
        .db.forCompany(company.id)
        .collection("ai_meters")
        .find({}, { sort: { _id: 1 } });
      return Object.fromEntries(
        found.map(({ _id, tokens, calls, running }) => [_id.split(":")[0], { tokens, calls, running }]),
      );
    };
    const improve = (who = user) => who.client.ai.improveSop(text);
    const calls = () =>
      server()
        .db.forCompany(company.id)
        .collection("ai_calls")
        .find({}, { sort: { _id: 1 } });

    test("replace the estimate by the amount spent, for user and company", async () => {
      const { until } = (await user.client.ai.usage()).own;
      expect(until).toBe("2026-06-16T00:00:00.000Z");
      await improve();
      expect(await meters()).toEqual({
        company: { tokens: 1000, calls: 1, running: [] },
        user: { tokens: 1000, calls: 1, running: [] },
      });
      expect(await user.client.ai.usage()).toEqual({
        key: "global",
        own: { tokens: 1000, calls: 1, budget: 200_000, until },
        personal: { tokens: 0, calls: 0 },
        company: null,
        estimate: { amount: 0.0044, currency: "EUR", unpriced: 0 },
      });
      const admin = await company.user("company_admin");
      const { company: whole, own } = await admin.client.ai.usage();
      expect(own.tokens).toBe(0);
      expect(whole).toEqual({ tokens: 1000, calls: 1, budget: 5_000_000, until: "2026-07-01T00:00:00.000Z" });
    });

    test("refuse calls before the provider is called, until the period ends", async () => {
      await budget({ day: 3000 });
      await improve();
      await improve();
      provider.requests.length = 0;
      const refused = await user.send({
        method: "POST",
        path: "/api/ai/improve-sop",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(text.body),
      });
      expect([refused.status, refused.json()]).toMatchObject([
        429,
        {
          code: "ai_budget_spent",
          details: { scope: "user", left: 1000, budget: 3000, until: "2026-06-16T00:00:00.000Z" },
        },
      ]);
      expect(refused.headers.get("retry-after")).toBe(String(2 * 3600));
      expect(provider.requests).toEqual([]);
      server().clock.set("2026-06-16T00:00:00.000Z");
      await improve();
      expect((await user.client.ai.usage()).own).toMatchObject({ tokens: 1000, calls: 1 });
      server().clock.set("2026-06-30T23:00:00.000Z");
      const late = await company.user("editor");
      await budget({ day: null, month: 3500 });
      await expect(improve(await company.user("editor"))).rejects.toMatchObject({
        code: "ai_budget_spent",
        details: { scope: "company", until: "2026-07-01T00:00:00.000Z" },
      });
      server().clock.set("2026-07-01T00:00:00.000Z");
      await improve(late);
      await budget({ day: 0 });
      await expect(improve(late)).rejects.toMatchObject({ code: "ai_budget_spent" });
    });

    test("count what failed calls used for the company alone: a broken provider locks no user out", async () => {
      provider.answerChat = () => "no JSON";
      await expect(improve()).rejects.toMatchObject({ code: "ai_malformed" });
      expect(await meters()).toMatchObject({ user: { tokens: 0, calls: 1 }, company: { tokens: 2000, calls: 1 } });
      provider.answer = (_, response) => response.writeHead(500).end("{}");
      await expect(improve()).rejects.toMatchObject({ code: "ai_unreachable" });
      expect(await meters()).toMatchObject({
        user: { tokens: 0, calls: 2, running: [] },
        company: { tokens: 2000 },
      });
    });

    test("keep the reserved amount when the client disconnects before the provider reports its use", async () => {
      const estimate = await estimateOf();
      await budget({ month: null });
      const { hostname, port } = new URL(server().url);
      provider.answer = (asked) => void asked.on("end", () => browser.destroy()).resume();
      const browser = request({
        host: hostname,
        port,
        path: "/api/ai/improve-sop",
        method: "POST",
        headers: { "content-type": "application/json", cookie: user.cookie, origin: server().url },
      });
      browser.on("error", () => undefined);
      browser.end(JSON.stringify(text.body));
      await vi.waitFor(async () => expect((await calls()).map(({ outcome }) => outcome)).toEqual(["cancelled"]), {
        timeout: 20_000,
      });
      const [call] = await calls();
      expect((call?.promptTokens ?? 0) + (call?.completionTokens ?? 0)).toBe(estimate);
      const spent = { tokens: estimate, calls: 1, running: [] };
      expect(await meters()).toEqual({ company: spent, user: spent });
    });

    test("are untouched by a personal key, which goes to the operator's address", async () => {
      await budget({ day: 0, month: 0 });
      provider.knownKey = "sk-personal-1234567890";
      await user.client.settings.update({ body: { openaiApiKey: provider.knownKey } });
      provider.requests.length = 0;
      await improve();
      expect(provider.requests).toMatchObject([{ authorization: `Bearer ${provider.knownKey}` }]);
      expect(await user.client.ai.usage()).toMatchObject({
        key: "personal",
        own: { tokens: 0, calls: 0 },
        personal: { tokens: 1000, calls: 1 },
        estimate: { amount: 0.0044 },
      });
    });

    test("allow each user two calls at a time with any key, and refuse a third", async () => {
      const waiting: (() => void)[] = [];
      provider.answerChat = () =>
        new Promise((resolve) => waiting.push(() => resolve(editAnswer("b1", "Close it now."))));
      const until = async (count: number) => {
        while (waiting.length < count) await new Promise((next) => setTimeout(next, 5));
      };
      const two = [improve(), improve()];
      await until(2);
      await expect(improve()).rejects.toMatchObject({ code: "ai_rate_limited", details: { retryAfterSeconds: 5 } });
      const other = improve(await company.user("editor"));
      await until(3);
      for (const answer of waiting) answer();
      await Promise.all([...two, other]);
      provider.answerChat = () => editAnswer("b1", "Close the valve now.");
      await improve();
    });

    test("expire a call whose server died, and keep its reserved amount", async () => {
      await improve();
      const [call] = await calls();
      const db = server().db.forCompany(company.id);
      await db.collection("ai_calls").updateOne({ _id: call?._id ?? "" }, { $set: { outcome: "running" } });
      const running = ["a", call?._id ?? ""].map((callId) => ({ callId, until: "2026-06-15T22:02:00.000Z" }));
      await db.collection("ai_meters").updateOne({ _id: `user:${user.id}` }, { $set: { running } });
      server().clock.set("2026-06-15T22:02:00.000Z");
      await improve();
      expect((await calls()).map(({ outcome }) => outcome)).toEqual(["lost", "ok"]);
      expect(await meters()).toMatchObject({ user: { tokens: 2000, running: [] } });
      const rows = await db.collection("audit_logs").find({ action: "ai.improve", "changes.outcome": "lost" });
      expect(rows).toHaveLength(1);
    });

    test("stay exact with many calls at once on two MongoDB servers, and are never exceeded", async () => {
      let beside: TestServer | null = null;
      try {
        if (engine === "mongodb") beside = await startServer(engine, { env, beside: server() });
        const people = [user, ...(await Promise.all(Array.from({ length: 3 }, () => company.user("editor"))))];
        const estimate = await estimateOf();
        // room for five of their estimates
        await budget({ month: 5 * estimate + 10 });
        provider.usage = { prompt_tokens: estimate - 1, completion_tokens: 1 };
        const asks = people.flatMap((who) =>
          [1, 2].map(async (round) => {
            const at = round === 2 && beside ? beside.clientWith({ cookie: who.cookie }) : who.client;
            return at.ai.improveSop(text).then(
              () => "ok",
              ({ code }: { code: string }) => code,
            );
          }),
        );
        const outcomes = await Promise.all(asks);
        const made = outcomes.filter((outcome) => outcome === "ok").length;
        expect(outcomes.filter((outcome) => outcome !== "ok").every((code) => code === "ai_budget_spent")).toBe(true);
        expect(made).toBe(5);
        expect((await meters())["company"]).toEqual({ tokens: 5 * estimate, calls: 5, running: [] });
        expect(await calls()).toHaveLength(5);
      } finally {
        await beside?.stop();
      }
    });

    /** What a call reserves, as a refusal tells it. */
    async function estimateOf(): Promise<number> {
      await budget({ day: null, month: 0 });
      const refusal = await improve().catch((error: Error) => error.message);
      const estimate = Number(/takes about (\d+) tokens/.exec(String(refusal))?.[1]);
      expect(estimate).toBeGreaterThan(1000);
      return estimate;
    }
  },
  { env },
);

describeServer(
  "a company's AI budget",
  (server) => {
    test("can't exceed the operator's limit", async () => {
      const company = await server().company();
      const admin = await company.user("company_admin");
      await admin.client.company.update({ body: { settings: { aiCompanyTokensPerMonth: null } } });
      expect((await admin.client.ai.usage()).company?.budget).toBe(100);
      await expect(admin.client.ai.improveSop(text)).rejects.toMatchObject({ code: "ai_budget_spent" });
      await admin.client.company.update({ body: { settings: { aiCompanyTokensPerMonth: 50 } } });
      expect((await admin.client.ai.usage()).company?.budget).toBe(50);
      for (const wrong of [-1, 1.5, "many"]) {
        const settings = { aiUserTokensPerDay: wrong } as never;
        await expect(admin.client.company.update({ body: { settings } })).rejects.toMatchObject({
          code: "invalid_input",
        });
      }
      const [row] = await server()
        .db.forCompany(company.id)
        .collection("audit_logs")
        .find({ action: "company.update" }, { sort: { _id: 1 } });
      expect(row?.changes).toEqual({ "settings.aiCompanyTokensPerMonth": { from: 5_000_000, to: null } });
    });
  },
  { env: { OPENAI_API_KEY: key, OPENAI_COMPANY_TOKENS: "100" } },
);

describeServer(
  "AI calls of new companies",
  (server) => {
    test("wait for each other, and never keep an established company waiting", async () => {
      const waiting: (() => void)[] = [];
      provider.answerChat = () => new Promise((resolve) => waiting.push(() => resolve(editAnswer("b1", "Close it."))));
      const improve = async (n: number, createdAt?: string) => {
        const company = await server().company();
        if (createdAt !== undefined) await company.set({ createdAt });
        const user = await company.user("editor");
        const headers = { ...json, "x-forwarded-for": `198.51.${n}.1` };
        return user.send({ method: "POST", path: "/api/ai/improve-sop", headers, body: JSON.stringify(text.body) });
      };
      const { companyAtOnce } = resources.ai;
      const { ai } = server().running.services.shares;
      const strangers = Array.from({ length: companyAtOnce + 2 }, (_, n) => improve(n));
      await vi.waitFor(() => expect(ai.load()).toEqual({ running: companyAtOnce, waiting: 2 }), 20_000);
      const old = improve(200, "2020-01-01T00:00:00.000Z");
      await vi.waitFor(() => expect(waiting).toHaveLength(companyAtOnce + 1), 20_000);
      provider.answerChat = () => editAnswer("b1", "Close it.");
      for (const answer of waiting) answer();
      for (const { status } of await Promise.all([...strangers, old])) expect(status).toBe(200);
    });
  },
  { env },
);
