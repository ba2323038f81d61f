/** `npm run ai:smoke` against a provider on loopback: its report on good answers, bad ones and none. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { smoke } from "../../bench/ai-smoke.ts";
import type { Outcome } from "../../bench/ai-smoke-actions.ts";
import { draftAnswer } from "../ai-answers.ts";
import { send, startFakeProvider, type ChatRequest, type FakeProvider } from "../fake-provider.ts";
import { completion, refusesWith } from "../provider-failures.ts";

const key = "sk-proj-Zq3vXw8LpR5tNc7mKd2y";
let provider: FakeProvider;
beforeAll(async () => {
  provider = await startFakeProvider(key);
});
afterAll(() => provider.stop());
beforeEach(() => {
  provider.answer = null;
  provider.chats.length = 0;
  provider.answerChat = (chat) => answers[chat.response_format?.json_schema.name ?? ""] ?? {};
});

const step = (text: string) => ({ text, role: null, warning: null, verify: null, sub: [] });
const german = {
  ...draftAnswer,
  title: "Den Tank entleeren",
  description: "Der Tank ist leer, bevor er gereinigt wird.",
  purpose: "Der Tank ist leer und steht nicht unter Druck.",
  scope: "Das ist für Tank 4 mit dem Ventil V3 auf 0 bar und 20 min.",
  sections: [{ heading: "Ablass", steps: [step("Das Ventil V3 schließen."), step("Den Ablass öffnen.")] }],
};
const answers: Record<string, object> = {
  sop_draft: german,
  sop_edits: {
    edits: [
      { op: "replace", blockId: "b2", markdown: "Nobody meets any pressure above 0.5 bar.", why: "Plainer." },
      { op: "replace", blockId: "b4", markdown: "Take care.", why: "Short." },
    ],
  },
  sop_proposals: { order: ["g1"], additions: [] },
};

async function run(args: string[] = [], env: Record<string, string> = { OPENAI_API_KEY: key }) {
  const [out, err]: [string[], string[]] = [[], []];
  const all = { OPENAI_BASE_URL: provider.url, OPENAI_MODEL: "small", ...env } as NodeJS.ProcessEnv;
  const code = await smoke(args, all, { out: (line) => out.push(line), err: (line) => err.push(line) });
  return { code, out: out.join("\n"), err: err.join("\n") };
}

test("runs every action once, says what it spends first, and what came of each", async () => {
  const { code, out, err } = await run();
  expect(code).toBe(0);
  expect(err).toContain("spends the credit of your key");
  expect(err).toContain("All 6 actions worked.");
  expect(out.match(/^ok +\w+/gm)?.map((line) => line.split(/ +/)[1])).toEqual(
    "key generate improve clarity detail suggest".split(" "),
  );
  expect(out).toContain("1 call, 100 tokens");
  expect(out).toContain("1 proposals taken, 0 of them marked, 1 left out (loses what must stay)");
  expect(out).toContain("1 of 1 gaps ranked, 0 added: none");
  expect(provider.chats).toHaveLength(5);
});

test("tells repairs, and fails a draft in another language", async () => {
  const seen = new Set<string>();
  provider.answerChat = (chat: ChatRequest) => {
    const name = chat.response_format?.json_schema.name ?? "";
    if (!seen.has(name)) {
      seen.add(name);
      return "Sure, here it is!";
    }
    return name === "sop_draft" ? draftAnswer : (answers[name] ?? {});
  };
  const { code, out } = await run(["--json"]);
  expect(code).toBe(1);
  const outcomes = JSON.parse(out) as Outcome[];
  const made = outcomes.find(({ action }) => action === "generate");
  expect(made).toMatchObject({ ok: false, code: "ai_malformed" });
  expect(made?.message).toContain("answered in English, not in German");
  expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true, true, true, true]);
});

test("fails answers that have the form alone", async () => {
  const empty: Record<string, object> = {
    sop_draft: { ...german, scope: "Das ist für den Tank und für alle, die bei ihm sind." },
    sop_edits: { summary: "C", edits: [] },
    sop_proposals: { order: [], additions: [] },
  };
  provider.answerChat = (chat) => empty[chat.response_format?.json_schema.name ?? ""] ?? {};
  const { code, out } = await run();
  expect(code).toBe(1);
  expect(out).toMatch(/^FAILED generate .*useless: figures of the prompt missing: 0 bar, 20 min$/m);
  expect(out).toMatch(/^FAILED improve .*useless: no usable proposal/m);
  expect(out).toMatch(/^FAILED suggest .*useless: no gap ranked/m);
});

test("asks a server that knows no schemas without them, and says so", async () => {
  provider.answer = refuseSchemas;
  const { code, out } = await run();
  provider.answer = null;
  expect(code).toBe(0);
  expect(out.match(/the server knows no schemas/g)).toHaveLength(5);
  expect(out).toContain("2 calls");
});

/** Refuses chats with a schema. Answers the others by the shape that their instruction describes. */
function refuseSchemas(request: IncomingMessage, response: ServerResponse): void {
  const pieces: Buffer[] = [];
  request.on("data", (piece: Buffer) => pieces.push(piece));
  request.on("end", () => {
    if (request.method === "GET") return send(response, 200, { data: [] });
    const chat = JSON.parse(Buffer.concat(pieces).toString()) as ChatRequest;
    if (chat.response_format) return send(response, 400, { error: { message: "response_format is not supported" } });
    const shape = chat.messages[0]?.content ?? "";
    const name = shape.includes('"sections"') ? "sop_draft" : shape.includes('"edits"') ? "sop_edits" : "sop_proposals";
    send(response, 200, completion({ content: JSON.stringify(answers[name]) }));
  });
}

test("an action that fails is named with its code, the others run on, and the exit is 1", async () => {
  provider.answerChat = (chat) =>
    chat.response_format?.json_schema.name === "sop_edits"
      ? "no"
      : (answers[chat.response_format?.json_schema.name ?? ""] ?? {});
  const { code, out, err } = await run();
  expect(code).toBe(1);
  expect(err).toContain("3 of 6 actions failed.");
  expect(out).toMatch(/^FAILED improve +[\d.]+ s, 2 calls, 200 tokens {2}ai_malformed: /m);
  expect(out).toMatch(/^ok +suggest/m);
});

test("a key that is refused ends it at once, and no piece of it is shown", async () => {
  provider.answer = refusesWith(401, {});
  const { code, out, err } = await run();
  expect([code, out]).toEqual([1, expect.stringContaining("ai_key_rejected")]);
  expect(out + err).not.toContain(key.slice(8, 16));
  expect(out).not.toContain("generate");
});

test("a server without a list of models is asked all the same", async () => {
  provider.answer = (request, response) => {
    provider.answer = null;
    expect(request.url).toMatch(/\/models$/);
    send(response, 404, { error: { message: "no such page" } });
  };
  const { code, out } = await run();
  expect([code, out]).toEqual([0, expect.stringContaining("there is no list of models")]);
});

test.each<[string, string[], Record<string, string>, string]>([
  ["no key", [], {}, "set OPENAI_API_KEY"],
  ["a key that would travel in the clear", [], { OPENAI_API_KEY: key, OPENAI_BASE_URL: "http://ai.example" }, "https"],
  ["an unknown flag", ["--fast"], { OPENAI_API_KEY: key }, "--fast"],
])("%s: nothing is asked, exit 2", async (_, args, env, says) => {
  const { code, out, err } = await run(args, env);
  expect([code, out, err]).toEqual([2, "", expect.stringContaining(says)]);
  expect(err).not.toContain(key.slice(8, 16));
  expect(provider.chats).toEqual([]);
});
