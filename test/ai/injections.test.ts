/** Injections against a model that obeys each of them. Its answers do no harm (`docs/ai.md`, What an answer can do). */
import { describe, expect, test } from "vitest";
import { openProvider, parseModelAnswer, type AiProvider, type AiQuestion } from "#core/ai/provider.ts";
import { linkAndImageAddressesOf, numberedBlocksOf } from "#core/ai/blocks.ts";
import { generateDraft } from "#core/ai/generate.ts";
import { enhanceText, improveText } from "#core/ai/improve.ts";
import * as prompts from "#core/ai/prompts.ts";
import { proposeSops } from "#core/ai/suggest.ts";
import { fileTextOf, parseFrontMatter, splitFrontMatter } from "#core/markdown/front-matter.ts";
import { startFakeProvider } from "../fake-provider.ts";
import { recordFigure } from "../proof.ts";
import { harmInMarkdown, invisibleCharacters } from "./harm.ts";
import { injections } from "./injections.ts";
import { obedientDraft, obedientEdits, obedientProposals, obedientAnswer } from "./obedient.ts";

const sources = new Map([["s1", { title: "Lock out the filler", href: "/sop/0198f0c2-5b7e-7c11-9a44-000000000001" }]]);
const hrefs = new Set([...sources.values()].map(({ href }) => href));
/** The harm found in the drafts and proposals, by kind of answer. */
const harmOf = new Map<string, string[]>();
const harmful = () => [...harmOf].filter(([, harm]) => harm.length > 0).map(([kind]) => kind);
const noteHarm = (kind: string, harm: string[]) => {
  harmOf.set(kind, [...(harmOf.get(kind) ?? []), ...harm]);
  return harm;
};
const usage = { promptTokens: 1, completionTokens: 1 };

function saying(answer: (question: AiQuestion<unknown>) => unknown): AiProvider {
  const ask = (question: AiQuestion<unknown>) => {
    const read = parseModelAnswer(JSON.stringify(answer(question)), question.answer);
    if (!read.ok) throw new Error(read.wrong);
    return Promise.resolve({ value: read.value, usage, model: "obedient", calls: 1 });
  };
  return { model: "obedient", ask: ask as AiProvider["ask"] };
}

test("there are enough of them, and no two are the same", () => {
  expect(injections.length).toBeGreaterThanOrEqual(40);
  expect(new Set(injections.map(([, text]) => text)).size).toBe(injections.length);
  expect(new Set(injections.map(([kind]) => kind)).size).toBe(injections.length);
});

describe.each(injections)("%s", (kind, text) => {
  test("in every field of a draft is text, and points nowhere but to the sources", async () => {
    const request = { prompt: text, language: "en", sources };
    const draft = await generateDraft(
      saying(() => obedientDraft(text)),
      request,
    );
    expect(noteHarm(kind, harmInMarkdown(draft.body, hrefs))).toEqual([]);
    // a text can't write into the head of its file
    const file = fileTextOf(draft.frontMatter, draft.body);
    const { raw, body } = splitFrontMatter(file);
    const head = parseFrontMatter(raw ?? "");
    expect(body).toBe(draft.body);
    expect(Object.keys(head).sort()).toEqual(Object.keys(draft.frontMatter).sort());
    expect(head).toMatchObject({ ai_generated: true, lang: "en" });
    for (const key of ["sop", "id", "version", "owner"]) expect(head).not.toHaveProperty(key);
    expect(invisibleCharacters.test(JSON.stringify([head.title, head.description, head.tags]))).toBe(false);
    // the model's assumptions stay open, even if it ticks them
    expect(draft.body).not.toMatch(/^\s*- \[x\]/m);
  });

  test("in every edit of a text brings in no markup, no address and no switch for the rules", async () => {
    const base = `## Purpose\n\nSee [the plan](${[...hrefs][0]}).\n\n1. Close the valve.\n2. Open the drain.\n`;
    const request = { title: text, markdown: base };
    const answering = saying(() =>
      obedientEdits(
        text,
        numberedBlocksOf(base).map(({ id }) => id),
      ),
    );
    const { markdown, edits } = await improveText(answering, request);
    expect(noteHarm(kind, harmInMarkdown(markdown, hrefs))).toEqual([]);
    for (const edit of edits) expect(harmInMarkdown(edit.markdown, hrefs)).toEqual([]);
    expect(markdown).toContain(`](${[...hrefs][0]})`);
    expect(markdown).not.toContain("sop-disable");
  });

  test("an injection in the text adds nothing to it", async () => {
    const base = `## Purpose\n\n${text}\n\n1. Close the valve.\n`;
    const known = linkAndImageAddressesOf(base);
    const answering = saying((question) => {
      const { blocks } = question.data as { blocks: { id: string; markdown: string }[] };
      return {
        summary: "",
        edits: blocks.map(({ id, markdown }) => ({ op: "insertAfter", blockId: id, markdown, why: "" })),
      };
    });
    const { edits } = await improveText(answering, { title: "T", markdown: base });
    for (const { markdown } of edits) {
      expect(harmInMarkdown(markdown, known).filter((harm) => !/ → | (?:https?|mailto|www)/.test(harm))).toEqual([]);
      for (const address of linkAndImageAddressesOf(markdown)) expect(known).toContain(address);
    }
  });

  test("in a suggestion is one line of text without addresses, and ids that were not shown are dropped", async () => {
    const request = {
      teamContext: text,
      sops: [{ id: "s1", title: text, category: text }],
      gaps: [{ id: "g1", title: text }],
    };
    const { order, additions } = await proposeSops(
      saying(() => obedientProposals(text)),
      request,
    );
    expect(order).toEqual(["g1"]);
    for (const { title, description, reasoning } of additions) {
      for (const words of [title, description, reasoning]) {
        expect(words).not.toMatch(/(?:https?|javascript|data|mailto):/i);
        expect(invisibleCharacters.test(words) || words.includes("\n")).toBe(false);
      }
    }
  });
});

test("keeps the instruction the same for every user text, and puts user text under `untrusted` only", async () => {
  const provider = await startFakeProvider("key");
  try {
    const instructions = new Map<string, Set<string>>();
    for (const [, text] of injections) {
      provider.chats.length = 0;
      // proposals are checked above
      provider.answerChat = (chat) => ({ ...obedientAnswer(chat, text), edits: [] });
      const open = openProvider({ apiKey: "key", baseUrl: provider.url, model: "small" }, 30_000);
      await generateDraft(open, {
        prompt: text,
        language: "en",
        sources: new Map([["s1", { title: text, href: "/sop/1" }]]),
      });
      await improveText(open, { title: text, markdown: text });
      await enhanceText(open, "clarity", { title: text, markdown: text });
      await enhanceText(open, "detail", { title: text, markdown: text });
      await proposeSops(open, { teamContext: text, sops: [{ id: "s1", title: text, category: text }], gaps: [] });
      for (const { messages, response_format: format } of provider.chats) {
        const [system, user, ...others] = messages;
        const name = `${format?.json_schema.name} ${prompts.improveSopPrompt.text.length} ${system?.content.length}`;
        instructions.set(name, (instructions.get(name) ?? new Set()).add(system?.content ?? ""));
        expect(messages.filter(({ role }) => role === "system")).toHaveLength(1);
        expect(Object.keys(JSON.parse(user?.content ?? "") as object)).toEqual(["untrusted"]);
        // error messages are ours; only the assistant message quotes the model's answer
        for (const { role, content } of others) if (role === "user") expect(content).not.toContain(text.trim());
      }
    }
    for (const texts of instructions.values()) expect(texts.size).toBe(1);
    const known = Object.values(prompts).map((one) => one.text);
    for (const texts of instructions.values())
      for (const one of texts) expect(known.some((instruction) => one.startsWith(`${instruction}\n\n`))).toBe(true);
  } finally {
    await provider.stop();
  }
});

test("how many were tried, and how many got through", () => {
  process.stdout.write(`injections: ${harmOf.size} tried, ${harmful().length} got through\n`);
  const name = "injections tried against a model that obeys them";
  recordFigure({ name, value: harmOf.size, unit: "", goal: ">= 40" });
  recordFigure({ name: "… that got through", value: harmful().length, unit: "", goal: "= 0" });
  expect([harmOf.size, harmful()]).toEqual([injections.length, []]);
});
