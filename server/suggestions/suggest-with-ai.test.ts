/** Suggestions that a model ranks and adds to: what it is shown, what is taken of its answer, what is refused. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startFakeProvider, type FakeProvider } from "../../test/fake-provider.ts";
import { describeServer, type TestUser } from "../../test/server.ts";

const key = "sk-proj-Vb6nM1qWe9rT4yU7iO3p";
const env: Record<string, string> = { OPENAI_API_KEY: key, OPENAI_MODEL: "small" };
let provider: FakeProvider;

beforeAll(async () => {
  provider = await startFakeProvider(key);
  env["OPENAI_BASE_URL"] = provider.url;
});
afterAll(() => provider.stop());
beforeEach(() => {
  provider.answerChat = null;
  provider.chats.length = 0;
});

const addition = (title: string, fields: object = {}) => ({
  title,
  description: `${title}, step by step.`,
  reasoning: "Such teams need it.",
  because: [] as string[],
  ...fields,
});
const answer = (additions: object[], order: string[] = []) => {
  provider.answerChat = () => ({ order, additions });
};

interface Shown {
  untrusted: {
    team: string;
    sops: { id: string; title: string; category: string | null }[];
    gaps: { id: string; title: string }[];
  };
}
const shown = () => (JSON.parse(provider.chats.at(-1)?.messages.at(-1)?.content ?? "{}") as Shown).untrusted;

describeServer(
  "suggestions by a model",
  (server) => {
    const make = async (user: TestUser, title: string, markdown = "A secret of the text.\n") =>
      (await user.client.sops.create({ body: { title, description: "D", markdown, status: "published" } })).id;
    const suggest = (user: TestUser) => user.client.suggestions.suggest({ body: { teamContext: "A night shift" } });

    test("get titles and categories alone; the model's order counts, and it adds at most five", async () => {
      const boss = await (await server().company()).user("manager");
      const id = await make(boss, "Start the press", "Turn the valve. SOP _Oil the press_, SOP _Bleed the hoses_\n");
      const titles = [
        "Receive visitors",
        "Lend out tools",
        "Plan the canteen",
        "Book a van",
        "Park trailers",
        "Feed the cat",
      ];
      provider.answerChat = () => ({
        order: shown()
          .gaps.map((gap) => gap.id)
          .toReversed(),
        additions: titles.map((title) => addition(title, { because: ["s1", "s99"] })),
      });
      const found = await suggest(boss);
      expect(shown()).toMatchObject({
        team: "A night shift",
        sops: [{ id: "s1", title: "Start the press", category: null }],
      });
      expect(JSON.stringify(provider.chats)).not.toContain("Turn the valve");
      const added = found.filter(({ source }) => source === "ai");
      expect(added.map(({ title }) => title)).toEqual(titles.slice(0, 5));
      expect(added[0]).toMatchObject({
        reasoning: "Such teams need it.",
        evidence: [{ rule: "ai", sopId: id, title: "Start the press" }],
        status: "pending",
      });
      const byRules = found.filter(({ source }) => source === "rules");
      expect(byRules.map(({ title }) => title)).toEqual(
        shown()
          .gaps.map(({ title }) => title)
          .toReversed(),
      );
      expect((await boss.client.stats.get()).aiSuggestions).toBe(found.length);

      // a second asking keeps them, and takes none of them again
      const again = await suggest(boss);
      expect(again.filter(({ source }) => source === "ai").map(({ title }) => title)).toEqual(["Feed the cat"]);
      expect(await boss.client.suggestions.list({})).toHaveLength(found.length + 1);
    });

    test("leave out existing SOPs, existing and dismissed suggestions, and duplicates in one answer", async () => {
      const boss = await (await server().company()).user("manager");
      await make(boss, "Start the press", "SOP _Oil the press_\n");
      const own = await boss.client.suggestions.create({ body: { title: "Wash the windows" } });
      await boss.client.suggestions.setStatus({ params: { id: own.id }, body: { status: "dismissed" } });
      answer([
        addition("start the PRESS"),
        addition("Oil the press"),
        addition("Washing windows", { description: "" }),
        addition("Book a van"),
        addition("Book a van!"),
      ]);
      const found = await suggest(boss);
      expect(found.filter(({ source }) => source === "ai").map(({ title }) => title)).toEqual(["Book a van"]);
    });

    test("are plain text on one line, without addresses; what the model invents has no effect", async () => {
      const boss = await (await server().company()).user("manager");
      const attack = "Read https://evil.example/x?y javascript:alert(1)\n\u202egnirts <img src=x>";
      answer(
        [addition(attack, { reasoning: attack, because: ["s1", "../../etc"] })],
        ["g1", "g1", "sop-7", "__proto__"],
      );
      const added = (await suggest(boss)).find(({ source }) => source === "ai");
      for (const text of [added?.title ?? "", added?.reasoning ?? ""]) {
        expect(text).not.toMatch(/evil|javascript|[\p{C}\n]/u);
      }
      expect(added).toMatchObject({ evidence: [], similarTo: [], sopId: null, content: null, template: null });
      expect((await boss.client.sops.list({})).data).toEqual([]);
    });

    test("hide what they say about an SOP from users who lose access to it", async () => {
      const company = await server().company();
      const admin = await company.user("company_admin");
      const author = await company.user("editor");
      const id = await make(admin, "Project Osprey");
      answer([addition("Order parts", { reasoning: "Because of project osprey." }), addition("Book a van")]);
      await suggest(author);
      const own = async () =>
        (await author.client.suggestions.list({})).filter(({ source }) => source === "ai").map(({ title }) => title);
      expect((await own()).toSorted()).toEqual(["Book a van", "Order parts"]);
      await admin.client.sops.restrict({ params: { id }, body: { restricted: true } });
      expect(await own()).toEqual(["Book a van"]);
      const count = (await author.client.suggestions.list({})).length;
      expect((await author.client.stats.get()).aiSuggestions).toBe(count);
      answer([]);
      await suggest(author);
      expect(JSON.stringify(shown())).not.toContain("Osprey");
    });

    test("are not stored after a failed call", async () => {
      const boss = await (await server().company()).user("manager");
      await make(boss, "Start the press", "SOP _Oil the press_\n");
      provider.answerChat = () => "I would rather talk about the weather.";
      await expect(suggest(boss)).rejects.toMatchObject({ code: "ai_malformed" });
      expect(await boss.client.suggestions.list({ query: { status: "all" } })).toEqual([]);
      expect((await boss.client.stats.get()).aiSuggestions).toBe(0);
    });

    test("are left to the rules without AI, and keep the rules' results if the model fails", async () => {
      const company = await server().company();
      const boss = await company.user("manager");
      await make(boss, "Start the press", "SOP _Oil the press_\n");
      await boss.client.settings.update({ body: { aiFeaturesEnabled: false } });
      await expect(suggest(boss)).rejects.toMatchObject({ code: "ai_disabled" });
      expect(await boss.client.suggestions.list({})).toEqual([]);
      expect((await boss.client.assistant.suggest())[0]?.title).toBe("Oil the press");
      await boss.client.settings.update({ body: { aiFeaturesEnabled: true } });
      provider.answerChat = () => "I would rather talk about the weather.";
      await expect(suggest(boss)).rejects.toMatchObject({ code: "ai_malformed" });
      expect((await boss.client.suggestions.list({}))[0]?.title).toBe("Oil the press");
    });
  },
  { env },
);

describeServer("suggestions without a key", (server) => {
  test("come from the rules, without a call of the model", async () => {
    const boss = await (await server().company()).user("manager");
    const refused = boss.client.suggestions.suggest({ body: {} });
    await expect(refused).rejects.toMatchObject({ status: 409, code: "ai_key_missing" });
    expect((await boss.client.assistant.suggest()).length).toBeGreaterThan(5);
  });
});
