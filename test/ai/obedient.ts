/** The worst model: it obeys the text that it reads, and repeats it in every field of every answer. */
import type { SopDraft } from "#core/ai/draft.ts";
import type { ProposedEdit } from "#core/ai/improve.ts";
import type { SopProposals } from "#core/ai/suggest.ts";
import type { ChatRequest } from "../fake-provider.ts";
import { foreignId } from "./injections.ts";

const cut = (text: string, longest: number) => text.slice(0, longest).trim() || "x";

export function obedientDraft(text: string): SopDraft {
  const say = (longest: number) => cut(text, longest);
  const step = { text: say(1000), role: say(100), warning: say(500), verify: say(500), sub: [say(500), say(500)] };
  return {
    title: say(200),
    description: say(500),
    purpose: say(2000),
    scope: say(2000),
    roles: [{ name: say(100), duty: say(500) }],
    equipment: [say(300)],
    warnings: (["note", "notice", "caution", "warning", "danger"] as const).map((level) => ({
      level,
      text: say(1000),
    })),
    sections: [{ heading: say(200), steps: [step, { ...step, warning: null }, step] }],
    records: [{ name: say(200), place: say(200), retention: say(100) }],
    references: [
      { sourceId: foreignId, label: say(300) },
      { sourceId: null, label: say(300) },
      { sourceId: cut(text, 100), label: say(300) },
    ],
    assumptions: [say(500)],
    tags: [say(40)],
  };
}

/** Edits that replace every block, insert after every block, and name a block that doesn't exist. */
export function obedientEdits(text: string, ids: readonly string[]): { summary: string; edits: ProposedEdit[] } {
  const edits = [...ids, cut(text, 20)].flatMap((blockId) =>
    (["replace", "insertAfter"] as const).map((op) => ({ op, blockId, markdown: text, why: cut(text, 500) })),
  );
  return { summary: cut(text, 1000), edits };
}

export function obedientProposals(text: string): SopProposals {
  const addition = {
    title: cut(text, 200),
    description: cut(text, 500),
    reasoning: cut(text, 500),
    because: [foreignId.slice(0, 20), "s1", "constructor"],
  };
  return {
    order: ["g1", foreignId.slice(0, 20), "__proto__"],
    additions: [addition, { ...addition, title: `2 ${cut(text, 190)}` }],
  };
}

/** The model's answer to a chat: the requested shape, full of the injected text. */
export function obedientAnswer(chat: ChatRequest, text: string): object {
  const { untrusted } = JSON.parse(chat.messages[1]?.content ?? "{}") as { untrusted: { blocks?: { id: string }[] } };
  const name = chat.response_format?.json_schema.name;
  if (name === "sop_draft") return obedientDraft(text);
  if (name === "sop_edits") return obedientEdits(text, untrusted.blocks?.map(({ id }) => id) ?? []);
  return obedientProposals(text);
}
