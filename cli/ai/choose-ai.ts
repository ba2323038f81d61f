/** Chooses which AI improves a text: the provider that the environment names, or a server. */
import { openProvider } from "#core/ai/provider.ts";
import { defaultModel, type ProviderSettings } from "#core/ai/client.ts";
import { enhanceText, improveText, type DroppedEdit, type EnhanceKind, type TakenEdit } from "#core/ai/improve.ts";
import type { AiUsage } from "#core/ai/tokens.ts";
import type { Finding } from "#core/lint/finding.ts";
import { formatMarkdown } from "#core/markdown/format.ts";
import { limits } from "#core/limits.ts";
import { CliError, exit } from "../exit.ts";
import { connectSignedIn, findConnection } from "../server.ts";
import type { CommandContext } from "../context.ts";
import type { FileInParts } from "./document.ts";
import { readProviderSettings } from "./provider.ts";
import { showAnswerProgress } from "./watch-answer.ts";

export type ImproveKind = "improve" | EnhanceKind;

/** @property server null if this machine asked the provider itself, without a server */
export interface AiOrigin {
  kind: "ai";
  server: string | null;
  model: string;
  prompt: string;
  usage: AiUsage;
  calls: number;
}

export interface AiImprovedText {
  /** The new text in canonical form. A server also moves headings down if one has the title's level. */
  markdown: string;
  /** The text before the AI changed it, in canonical form. */
  base: string;
  by: AiOrigin;
  summary: string;
  edits: TakenEdit[];
  dropped: DroppedEdit[];
  /** The findings in the new text. */
  findings: { after: readonly Omit<Finding, "fix">[] };
}

/** Sends a document to an AI and returns the improved text. @throws AppError with a code `ai_…`, or ApiError */
export type AskAi = (document: FileInParts, kind: ImproveKind) => Promise<AiImprovedText>;

/**
 * Chooses who answers, in this order: the server that a flag names, the provider whose key is in the environment, the
 * server of the sign-in.
 * @throws exit 4 if there is none
 */
export async function chooseAi(context: CommandContext, timeoutMs: number): Promise<AskAi> {
  const { flags, env } = context;
  const isNamed = flags.server !== undefined || flags.profile !== undefined;
  const settings = isNamed ? null : readProviderSettings(env);
  if (settings !== null) return createAskOfProvider(context, settings, timeoutMs);
  if (isNamed || (await findConnection(context)).token !== null) return createAskThroughServer(context);
  throw new CliError(exit.access, {
    code: "ai_key_missing",
    message: "no AI available: no OPENAI_API_KEY and no sign-in to a server",
    hint: "set OPENAI_API_KEY, or run `sop login`; `sop improve --rules` needs neither",
  });
}

function createAskOfProvider({ signal, out }: CommandContext, settings: ProviderSettings, timeoutMs: number): AskAi {
  return async ({ title, body: markdown }, kind) => {
    const watched = showAnswerProgress(out, `Asking ${settings.model ?? defaultModel}…`, timeoutMs);
    const provider = openProvider(settings, timeoutMs, signal, watched.listening);
    const request = { title, markdown };
    const asked = kind === "improve" ? improveText(provider, request) : enhanceText(provider, kind, request);
    const answer = await asked.finally(watched.stop);
    const { model, prompt, usage, calls } = answer.made ?? { ...provider.spent, prompt: "" };
    return { ...answer, base: formatMarkdown(markdown), by: { kind: "ai", server: null, model, prompt, usage, calls } };
  };
}

async function createAskThroughServer(context: CommandContext): Promise<AskAi> {
  const { client, connection } = await connectSignedIn(context);
  return async ({ title, body: markdown }, kind) => {
    const watched = showAnswerProgress(context.out, `Asking ${connection.server}…`, 0);
    const text = { title: title.slice(0, limits.titleCharacters), markdown };
    const asked =
      kind === "improve"
        ? client.ai.improveSop({ body: text })
        : client.ai.enhanceContent({ body: { ...text, enhancementType: kind } });
    const answer = await asked.finally(watched.stop);
    if (answer.ai === null) throw new TypeError("the server worked without AI");
    const { model, prompt, usage, calls } = answer.ai;
    return { ...answer, by: { kind: "ai", server: connection.server, model, prompt, usage, calls } };
  };
}
