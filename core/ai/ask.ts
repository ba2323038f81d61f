import type OpenAI from "openai";
import { BadRequestError } from "openai";
import type { z } from "zod";
import { AppError } from "#core/errors.ts";
import { createClient, defaultModel, type ProviderSettings } from "./client.ts";
import { aiFailure } from "./failure.ts";
import { plainSchema } from "./plain-schema.ts";

/** Tokens as the provider counts them; local servers may not. */
export interface AiUsage {
  promptTokens: number;
  completionTokens: number;
}

export interface Question<T> {
  /** What the answer is called: `sop_draft`. */
  name: string;
  /** The instruction: constant text of ours, nothing of a user's. */
  system: string;
  /** What the model works on. It is sent as JSON under `untrusted`: there is no delimiter to write one's way out of. */
  data: Readonly<Record<string, unknown>>;
  answer: z.ZodType<T>;
  /** A former answer and what was wrong with it, both in the conversation already held. */
  again?: { answer: unknown; wrong: string };
}

export interface Reply<T> {
  value: T;
  usage: AiUsage;
  /** As the provider names it. */
  model: string;
  /** Requests it took. */
  calls: number;
}

export interface Provider {
  readonly model: string;
  /** @throws AppError, of the kinds `ai_…` alone */
  ask<T>(question: Question<T>): Promise<Reply<T>>;
}

type Messages = OpenAI.ChatCompletionMessageParam[];

/**
 * A provider under ONE deadline: it holds over every request, repair and second thought made through it.
 * @param deadlineMs from now on @param signal ends it earlier, when nobody waits for the answer any more
 */
export function openProvider(settings: ProviderSettings, deadlineMs: number, signal?: AbortSignal): Provider {
  const client = createClient(settings, deadlineMs);
  const model = settings.model ?? defaultModel;
  const deadline = AbortSignal.timeout(deadlineMs);
  const end = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);

  async function send(messages: Messages, question: Question<unknown>, withSchema: boolean) {
    return await client.chat.completions.create(
      { model, messages, ...(withSchema ? { response_format: formatOf(question) } : {}) },
      { signal: end },
    );
  }

  async function complete(messages: Messages, question: Question<unknown>): Promise<Completion> {
    try {
      const completion = await send(messages, question, true).catch((error: unknown) => {
        // a server that knows no schemas; the instruction names the shape as well
        if (!isSchemaRefused(error)) throw error;
        return send(messages, question, false);
      });
      return readCompletion(completion);
    } catch (error) {
      throw deadline.aborted ? new AppError("ai_timeout") : aiFailure(error, model);
    }
  }

  return {
    model,
    async ask(question) {
      const messages = messagesOf(question);
      const first = await complete(messages, question);
      const read = readAnswer(first.text, question.answer);
      if (read.ok) return { value: read.value, usage: first.usage, model: first.model ?? model, calls: 1 };
      const second = await complete([...messages, ...repair(first.text, read.wrong)], question);
      const again = readAnswer(second.text, question.answer);
      if (!again.ok) throw new AppError("ai_malformed");
      const usage = sum(first.usage, second.usage);
      return { value: again.value, usage, model: second.model ?? model, calls: 2 };
    },
  };
}

export function sum(a: AiUsage, b: AiUsage): AiUsage {
  return {
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
  };
}

function formatOf({ name, answer }: Question<unknown>) {
  return { type: "json_schema", json_schema: { name, strict: true, schema: plainSchema(answer) } } as const;
}

function messagesOf({ system, data, answer, again }: Question<unknown>): Messages {
  const shape = JSON.stringify(plainSchema(answer));
  return [
    { role: "system", content: `${system}\n\nAnswer with one JSON object of this schema and nothing else:\n${shape}` },
    { role: "user", content: JSON.stringify({ untrusted: data }) },
    ...(again === undefined ? [] : repair(JSON.stringify(again.answer), again.wrong)),
  ];
}

function repair(answer: string, wrong: string): Messages {
  return [
    { role: "assistant", content: answer },
    { role: "user", content: `Your answer can't be used. Give the whole object again, with this put right:\n${wrong}` },
  ];
}

function isSchemaRefused(error: unknown): boolean {
  return error instanceof BadRequestError && /response_format|json_schema/i.test(error.message);
}

interface Completion {
  text: string;
  usage: AiUsage;
  model: string | undefined;
}

/** Nothing of it is trusted to be there: servers that call themselves compatible leave out what they like. */
function readCompletion(completion: Partial<OpenAI.ChatCompletion> | null | undefined): Completion {
  const choice = completion?.choices?.[0];
  const { message, finish_reason: reason } = choice ?? {};
  if (typeof message?.refusal === "string" && message.refusal !== "")
    throw new AppError("ai_refused", `The AI declined: ${shortened(message.refusal)}`);
  if (reason === "length") throw new AppError("ai_truncated");
  if (reason === "content_filter") throw new AppError("ai_filtered");
  if (typeof message?.content !== "string") throw new AppError("ai_malformed");
  const { usage, model } = completion ?? {};
  return {
    text: message.content,
    usage: { promptTokens: whole(usage?.prompt_tokens), completionTokens: whole(usage?.completion_tokens) },
    model: typeof model === "string" && model !== "" ? model.slice(0, 100) : undefined,
  };
}

function whole(count: unknown): number {
  return typeof count === "number" && Number.isFinite(count) && count > 0 ? Math.floor(count) : 0;
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= 200 ? line : `${line.slice(0, 199)}…`;
}

type Read<T> = { ok: true; value: T } | { ok: false; wrong: string };

function readAnswer<T>(text: string, answer: z.ZodType<T>): Read<T> {
  let json: unknown;
  try {
    json = JSON.parse(withoutFence(text));
  } catch {
    return { ok: false, wrong: "it is not JSON" };
  }
  const parsed = answer.safeParse(json);
  if (parsed.success) return { ok: true, value: parsed.data };
  // places only: what stands there is the model's, and must not come back as an instruction
  const wrong = parsed.error.issues.slice(0, 20).map(({ path, code }) => `${path.join(".") || "the object"}: ${code}`);
  return { ok: false, wrong: wrong.join("\n") };
}

function withoutFence(text: string): string {
  return /^\s*```(?:json)?[ \t]*\n([\s\S]*?)\n[ \t]*```\s*$/.exec(text)?.[1] ?? text;
}
