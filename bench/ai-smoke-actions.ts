/** The actions of `npm run ai:smoke`, each on our own text, with its result. */
import { openProvider, type OpenProvider, type AiProvider, type AiQuestion } from "#core/ai/provider.ts";
import { createOpenAiClient, defaultModel, type ProviderSettings } from "#core/ai/client.ts";
import { aiErrorOf } from "#core/ai/failure.ts";
import { draftWords } from "#core/ai/draft-words.ts";
import { detectFactLanguage } from "#core/ai/facts.ts";
import { fixableErrorsOf } from "#core/ai/faults.ts";
import { generateDraft } from "#core/ai/generate.ts";
import { enhanceText, improveText, type ImprovedText } from "#core/ai/improve.ts";
import { lostTokens } from "#core/ai/protected-tokens.ts";
import { proposeSops } from "#core/ai/suggest.ts";
import { errorSentences } from "#core/error-sentences.ts";

export interface Outcome {
  action: string;
  ok: boolean;
  /** For a failure: one of the `ai_…` kinds, or `useless` for an answer that has the form alone. */
  code?: string;
  message?: string;
  ms: number;
  /** Requests. */
  calls: number;
  tokens: number;
  /** Unreadable answers that were requested again. */
  repaired: number;
  notes: string[];
}

const deadlineMs = 120_000;

/** German, to test whether the language is kept. */
const prompt = "Den Tank 4 entleeren: Ventil V3 schließen, auf 0 bar entspannen, 20 min warten, Ablass öffnen.";

const text = {
  title: "Change the filter of pump P2",
  markdown: `## Purpose

Nobody meets pressure above 0.5 bar.

## Procedure

> [!WARNING]
> The pump must be locked out before it is opened.

1. The valve V7 should be closed as needed and the pressure should be checked, it must be below 0.5 bar.
2. Wait 10 min, then the cover can be removed with the 13 mm key, see [the plan](/sop/plan).
3. Never touch the rotor. Put in filter \`F-20\` regularly.
`,
};

/** What an action brought; `wrong` is why its answer is of no use. */
interface Brought {
  notes: string[];
  wrong: string[];
}

type Action = (provider: AiProvider) => Promise<Brought>;

const actions: readonly (readonly [name: string, run: Action])[] = [
  ["generate", generate],
  ["improve", async (provider) => edited(await improveText(provider, text))],
  ["clarity", async (provider) => edited(await enhanceText(provider, "clarity", text))],
  ["detail", async (provider) => edited(await enhanceText(provider, "detail", text))],
  ["suggest", suggest],
];

/** One after the other, the key first: if it is refused, no other action runs. */
export async function* runActions(settings: ProviderSettings): AsyncGenerator<Outcome> {
  const key = await testKey(settings);
  yield key;
  if (key.code === "ai_key_rejected") return;
  for (const [name, run] of actions) yield await runOne(name, run, settings);
}

/** Local servers may have no list of models. The report says so; it is not a failure. */
async function testKey(settings: ProviderSettings): Promise<Outcome> {
  const started = performance.now();
  const signal = AbortSignal.timeout(10_000);
  const rest = { action: "key", calls: 0, tokens: 0, repaired: 0 };
  const ms = () => Math.round(performance.now() - started);
  try {
    await createOpenAiClient(settings, 10_000).get<unknown>("/models", { signal }).asResponse();
    return { ...rest, ok: true, ms: ms(), notes: [] };
  } catch (error) {
    const { code, message } = aiErrorOf(error, settings.model ?? defaultModel);
    if (code === "ai_model_unavailable") return { ...rest, ok: true, ms: ms(), notes: ["there is no list of models"] };
    return { ...rest, ok: false, code, message, ms: ms(), notes: [] };
  }
}

async function runOne(action: string, run: Action, settings: ProviderSettings): Promise<Outcome> {
  const provider = openProvider(settings, deadlineMs);
  const watched = watch(provider);
  const started = performance.now();
  const outcome = (notes: string[]) => {
    const { usage, calls } = provider.spent;
    const tokens = usage.promptTokens + usage.completionTokens;
    const ms = Math.round(performance.now() - started);
    const without = calls > watched.answered ? ", the server knows no schemas" : "";
    const schema = `schema kept${watched.repaired === 0 ? "" : ` after ${watched.repaired} repair`}${without}`;
    return { action, ms, calls, tokens, repaired: watched.repaired, notes: notes.length > 0 ? [schema, ...notes] : [] };
  };
  try {
    const { notes, wrong } = await run(watched.provider);
    if (wrong.length === 0) return { ok: true, ...outcome(notes) };
    return { ok: false, code: "useless", message: wrong.join("; "), ...outcome(notes) };
  } catch (error) {
    const { code, message } = aiErrorOf(error, provider.model);
    return { ok: false, code, message: message || errorSentences[code]().text, ...outcome([]) };
  }
}

/** Counts answers and repeated requests; any further requests were refused because of their schema. */
function watch(provider: OpenProvider) {
  let [answered, repaired] = [0, 0];
  const ask = async <T>(question: AiQuestion<T>) => {
    const reply = await provider.ask(question);
    answered += reply.calls;
    repaired += reply.calls - 1;
    return reply;
  };
  return {
    provider: { model: provider.model, ask } satisfies AiProvider,
    get answered() {
      return answered;
    },
    get repaired() {
      return repaired;
    },
  };
}

async function generate(provider: AiProvider): Promise<Brought> {
  const { frontMatter, body, findings, assumptions } = await generateDraft(provider, { prompt, language: "de" });
  const missing = ["V3", "0 bar", "20 min"].filter((fact) => !procedureOf(body).includes(fact));
  const own = body.match(/\[confirm:/g)?.length ?? 0;
  return {
    notes: [
      `"${frontMatter.title ?? ""}", ${assumptions.length} assumptions, ${fixableErrorsOf(findings).length} errors left`,
      `${own} figures or facts of its own, as blanks to confirm`,
    ],
    wrong: [
      ...(missing.length === 0 ? [] : [`figures of the prompt missing: ${missing.join(", ")}`]),
      ...otherLanguage(body, "de"),
    ],
  };
}

/** Without the tasks at its end, which quote the prompt. */
function procedureOf(body: string): string {
  return (body.split(draftWords("de").assumptions)[0] ?? "").replaceAll("\u00a0", " ");
}

function edited({ markdown, edits, dropped, findings }: ImprovedText): Brought {
  const lost = lostTokens(text.markdown, markdown);
  const reasons = [...new Set(dropped.map(({ reason }) => reason))];
  const marked = edits.filter(({ changes }) => changes.length > 0).length;
  return {
    notes: [
      `${edits.length} proposals taken, ${marked} of them marked, ${dropped.length} left out${reasons.length > 0 ? ` (${reasons.join(", ")})` : ""}`,
      `errors ${fixableErrorsOf(findings.before).length} → ${fixableErrorsOf(findings.after).length}, findings ${findings.before.length} → ${findings.after.length}`,
    ],
    wrong: [
      // the text has faults on purpose
      ...(edits.length === 0 ? ["no usable proposal for a text that needs some"] : []),
      ...(lost.length === 0 ? [] : [`protected tokens lost: ${lost.join(", ")}`]),
      ...otherLanguage(markdown, "en"),
    ],
  };
}

async function suggest(provider: AiProvider): Promise<Brought> {
  const sops = [
    { id: "s1", title: "Change the filter of pump P2", category: "Maintenance" },
    { id: "s2", title: "Lock out the filler", category: "Safety" },
  ];
  const gaps = [{ id: "g1", title: "Calibrate the pressure gauge" }];
  const { order, additions } = await proposeSops(provider, { teamContext: "Six mechanics in a dairy", sops, gaps });
  const titles = additions.map(({ title }) => title);
  return {
    notes: [`${order.length} of ${gaps.length} gaps ranked, ${titles.length} added: ${titles.join("; ") || "none"}`],
    wrong: order.length + titles.length === 0 ? ["no gap ranked, and no SOP suggested"] : [],
  };
}

function otherLanguage(written: string, wanted: string): string[] {
  const found = detectFactLanguage(written);
  return found === wanted ? [] : [`language not kept: ${found ?? "unknown"} instead of ${wanted}`];
}
