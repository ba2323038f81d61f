import { lintAndFix } from "#core/lint/fix.ts";
import type { Finding } from "#core/lint/rule.ts";
import { emitFile, splitFrontMatter, type FrontMatter } from "#core/markdown/front-matter.ts";
import { readMinutes } from "#core/markdown/read-time.ts";
import { sum, type AiUsage, type Provider, type Reply } from "./ask.ts";
import { SopDraft } from "./draft.ts";
import { faultsOf } from "./faults.ts";
import { generateSop } from "./prompts.ts";
import { writeDraft, type Sources } from "./write-draft.ts";

export interface DraftRequest {
  /** What the SOP is to be about, at most `limits.promptCharacters`. */
  prompt: string;
  /** BCP 47. */
  language: string;
  /** SOPs the asker may read and the draft may refer to. */
  sources?: Sources;
  /** Goes into the front matter of the draft. */
  frontMatter?: FrontMatter;
}

export interface GeneratedDraft {
  frontMatter: FrontMatter;
  body: string;
  /** What the rules still find: open, for the author to see. */
  findings: Finding[];
  /** What the model assumed and somebody has to confirm. */
  assumptions: string[];
  made: Provenance;
}

/** Where an AI text comes from: kept in the version and the audit log. */
export interface Provenance {
  model: string;
  /** `generate-sop@1` */
  prompt: string;
  usage: AiUsage;
  calls: number;
}

const repairsAtMost = 2;

/**
 * A draft by a model, checked: what the rules find is fixed where a fix is safe, then told to the model, twice at most.
 * A repair counts only when it leaves fewer errors; so what comes back is the best of what came, with what is still
 * open. @throws AppError of the kinds `ai_…`
 */
export async function generateDraft(provider: Provider, request: DraftRequest): Promise<GeneratedDraft> {
  const { prompt, language, sources = new Map() } = request;
  const data = {
    request: prompt,
    language,
    sources: [...sources].map(([id, { title }]) => ({ id, title })),
  };
  const question = { name: "sop_draft", system: generateSop.text, data, answer: SopDraft };
  let reply = await provider.ask(question);
  let best = check(reply.value, request);
  for (let repair = 0; repair < repairsAtMost && faultsOf(best.findings).length > 0; repair += 1) {
    const wrong = faultsOf(best.findings).map(({ rule, message }) => `${rule}: ${message}`);
    const next = await provider.ask({ ...question, again: { answer: best.draft, wrong: wrong.join("\n") } });
    reply = addUp(reply, next);
    const checked = check(next.value, request);
    if (faultsOf(checked.findings).length < faultsOf(best.findings).length) best = checked;
  }
  const { model, usage, calls } = reply;
  const { frontMatter, body, findings, draft } = best;
  return {
    frontMatter,
    body,
    findings,
    assumptions: draft.assumptions,
    made: { model, prompt: generateSop.name, usage, calls },
  };
}

function addUp(before: Reply<SopDraft>, now: Reply<SopDraft>): Reply<SopDraft> {
  return { ...now, usage: sum(before.usage, now.usage), calls: before.calls + now.calls };
}

interface Checked {
  draft: SopDraft;
  frontMatter: FrontMatter;
  body: string;
  findings: Finding[];
}

function check(draft: SopDraft, { language, sources, frontMatter: given }: DraftRequest): Checked {
  const written = writeDraft(draft, sources);
  const frontMatter: FrontMatter = {
    ...given,
    title: draft.title,
    description: draft.description,
    ...(draft.tags.length > 0 ? { tags: draft.tags } : {}),
    read_minutes: readMinutes(written),
    ai_generated: true,
    lang: language,
  };
  const file = lintAndFix(emitFile(frontMatter, written), { path: "draft.md", preset: "recommended" });
  const { body } = splitFrontMatter(file.text);
  return { draft, frontMatter, body, findings: file.findings };
}
