import type OpenAI from "openai";
import { APIConnectionTimeoutError, APIError } from "openai";
import { z } from "zod";
import { AppError } from "#core/errors.ts";
import { createOpenAiClient, defaultModel, type ProviderSettings } from "./client.ts";
import { aiErrorOf } from "./failure.ts";
import { readStreamedAnswer, type CompletionSoFar, type StreamListener } from "./stream.ts";
import { answerTokensDefault, estimateTokens, usageSum, type AiUsage } from "./tokens.ts";

/**
 * Matches control characters, zero-width characters, characters that change the text direction, and tag characters.
 * Joiners stay, because some scripts need them.
 */
const invisible = /(?![\n\t])[\p{Cc}\u200b\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

const limitKeywords = new Set([
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minimum",
  "maximum",
  "format",
  "pattern",
]);
const droppedKeywords = new Set(["$schema", "default", "id"]);

export interface AiQuestion<T> {
  /** The name of the answer's schema, such as `sop_draft`. */
  name: string;
  /** The instruction: constant text of the program, without any user input. */
  system: string;
  /** The model's input. It is sent as JSON under `untrusted`, so a text has no delimiter to break out of. */
  data: Readonly<Record<string, unknown>>;
  /** The schema of the answer. */
  answer: z.ZodType<T>;
  /** An earlier answer and its errors, sent to the model so that it corrects them. */
  again?: { answer: unknown; wrong: string };
}

export interface AiReply<T> {
  value: T;
  usage: AiUsage;
  /** The model's name as the provider reports it. */
  model: string;
  /** The number of requests that the answer took. */
  calls: number;
}

export interface AiProvider {
  readonly model: string;
  /** @throws AppError, only of the kinds `ai_…` */
  ask<T>(question: AiQuestion<T>): Promise<AiReply<T>>;
}

/** The usage so far, including failed requests. */
export interface UsageSoFar {
  usage: AiUsage;
  /** The number of requests so far. */
  calls: number;
  /** The provider's latest name for the model; until the provider answers, the requested name. */
  model: string;
  /** True after an aborted answer, because its number of output tokens is unknown. */
  hasUnknownCost: boolean;
}

export interface OpenProvider extends AiProvider {
  readonly spent: Readonly<UsageSoFar>;
}

type PromptMessages = OpenAI.ChatCompletionMessageParam[];

/**
 * Opens a provider. One deadline covers all its requests, including the second request after an unusable answer.
 * @param deadlineMs milliseconds from now
 * @param signal aborts all requests, for example after the client closed the connection
 * @param listening gets the answers while they are streamed; without it, answers aren't streamed
 */
export function openProvider(
  settings: ProviderSettings,
  deadlineMs: number,
  signal?: AbortSignal,
  listening?: StreamListener,
): OpenProvider {
  const client = createOpenAiClient(settings, deadlineMs);
  const model = settings.model ?? defaultModel;
  const deadline = AbortSignal.timeout(deadlineMs);
  const end = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
  const answerTokens = settings.answerTokens ?? answerTokensDefault;
  // new OpenAI models accept only the first name, other servers only the second
  const outputLimit =
    settings.baseUrl === null ? { max_completion_tokens: answerTokens } : { max_tokens: answerTokens };
  const spent: UsageSoFar = { usage: { promptTokens: 0, completionTokens: 0 }, calls: 0, model, hasUnknownCost: false };

  let isPlain = false;

  /**
   * Sends the request with a schema, as a stream and with a token limit. If the server refuses these options, sends the
   * request once more without them.
   */
  async function sendRequest(messages: PromptMessages, question: AiQuestion<unknown>): Promise<CompletionSoFar> {
    if (!isPlain) {
      spent.calls += 1;
      const request = { model, messages, response_format: answerFormatOf(question), ...outputLimit };
      try {
        return listening
          ? await readStreamedAnswer(client, request, end, listening)
          : await client.chat.completions.create(request, { signal: end });
      } catch (error) {
        if (!mayHaveRefusedOptions(error)) throw error;
      }
    }
    spent.calls += 1;
    const answer = await client.chat.completions.create(
      { model, messages: withoutSystemRole(messages) },
      { signal: end },
    );
    isPlain = true;
    return answer;
  }

  async function requestCompletion(messages: PromptMessages, question: AiQuestion<unknown>): Promise<Completion> {
    const estimated = estimateTokens(JSON.stringify(messages));
    try {
      const completion = await sendRequest(messages, question);
      const usage = usageOf(completion, estimated);
      spent.usage = usageSum(spent.usage, usage);
      spent.model = modelNameOf(completion) ?? model;
      return readCompletion(completion, usage);
    } catch (error) {
      const ended = deadline.aborted || signal?.aborted === true;
      spent.hasUnknownCost ||= ended || (error instanceof AppError && error.code === "ai_timeout");
      // a canceled request also caused work at the provider, so it is recorded with unknown cost
      if (ended || hasPossibleCost(error))
        spent.usage = usageSum(spent.usage, { promptTokens: estimated, completionTokens: 0 });
      throw deadline.aborted ? new AppError("ai_timeout") : aiErrorOf(error, model);
    }
  }

  return {
    model,
    spent,
    async ask(question) {
      const messages = messagesOf(question);
      const first = await requestCompletion(messages, question);
      const read = parseModelAnswer(first.text, question.answer);
      if (read.ok) return { value: read.value, usage: first.usage, model: first.model ?? model, calls: 1 };
      const second = await requestCompletion([...messages, ...repairMessages(first.text, read.wrong)], question);
      const again = parseModelAnswer(second.text, question.answer);
      if (!again.ok) throw new AppError("ai_malformed");
      const usage = usageSum(first.usage, second.usage);
      return { value: again.value, usage, model: second.model ?? model, calls: 2 };
    },
  };
}

function answerFormatOf({ name, answer }: AiQuestion<unknown>) {
  return { type: "json_schema", json_schema: { name, strict: true, schema: jsonSchemaOf(answer) } } as const;
}

function messagesOf({ system, data, answer, again }: AiQuestion<unknown>): PromptMessages {
  const shape = JSON.stringify(jsonSchemaOf(answer));
  return [
    { role: "system", content: `${system}\n\nAnswer with one JSON object of this schema and nothing else:\n${shape}` },
    { role: "user", content: JSON.stringify({ untrusted: data }) },
    ...(again === undefined ? [] : repairMessages(JSON.stringify(again.answer), again.wrong)),
  ];
}

function repairMessages(answer: string, wrong: string): PromptMessages {
  return [
    { role: "assistant", content: answer },
    { role: "user", content: `Your answer can't be used. Give the whole object again, with this fixed:\n${wrong}` },
  ];
}

const otherReasons = new Set([
  "context_length_exceeded",
  "content_filter",
  "content_policy_violation",
  "model_not_found",
  "insufficient_quota",
]);

/**
 * Tells whether the server may have refused the schema, the stream, the limit or the system role. Each server reports
 * this differently, some with status 500. A request without these options still works, because the instruction
 * describes the answer.
 */
function mayHaveRefusedOptions(error: unknown): boolean {
  if (!(error instanceof APIError)) return false;
  const { status, code } = error as { status: number | undefined; code: string | null | undefined };
  return (status === 400 || status === 422 || status === 500) && !otherReasons.has(code ?? "");
}

/** Moves the instruction to the start of the first question, for servers without a system role. */
function withoutSystemRole([system, first, ...rest]: PromptMessages): PromptMessages {
  const text = [system, first].map((message) => (typeof message?.content === "string" ? message.content : ""));
  return [{ role: "user", content: text.join("\n\n") }, ...rest];
}

/**
 * Tells whether a failed request may have cost tokens: after a timeout, or if the answer can't be read. A request that
 * was refused with an error status costs nothing.
 */
function hasPossibleCost(error: unknown): boolean {
  if (error instanceof APIConnectionTimeoutError) return true;
  if (error instanceof AppError) return error.code === "ai_timeout" || error.code === "ai_unreachable";
  return !(error instanceof APIError);
}

interface Completion {
  text: string;
  usage: AiUsage;
  model: string | undefined;
}

/** Reads the text of an answer. Every field is checked, because compatible servers may omit any of them. */
function readCompletion(completion: CompletionSoFar, usage: AiUsage): Completion {
  const choice = completion?.choices?.[0];
  const { message, finish_reason: reason } = choice ?? {};
  if (typeof message?.refusal === "string" && message.refusal !== "") throw new AppError("ai_refused");
  if (reason === "length") throw new AppError("ai_truncated");
  if (reason === "content_filter") throw new AppError("ai_filtered");
  if (typeof message?.content !== "string") throw new AppError("ai_malformed");
  return { text: message.content, usage, model: modelNameOf(completion) };
}

function modelNameOf(completion: CompletionSoFar): string | undefined {
  const { model } = completion ?? {};
  return typeof model === "string" && model !== "" ? model.slice(0, 100) : undefined;
}

/**
 * Returns the tokens that a request used.
 * @param estimated the estimated tokens of the request, for providers that don't report them
 */
function usageOf(completion: CompletionSoFar, estimated: number): AiUsage {
  const { prompt_tokens: prompt, completion_tokens: said } = completion?.usage ?? {};
  if (validTokenCount(prompt) + validTokenCount(said) > 0)
    return { promptTokens: validTokenCount(prompt), completionTokens: validTokenCount(said) };
  const content = completion?.choices?.[0]?.message?.content;
  return { promptTokens: estimated, completionTokens: typeof content === "string" ? estimateTokens(content) : 0 };
}

/** The maximum token count of one answer, so that a wrong count by a provider can't overflow a budget. */
const countAtMost = 100_000_000;

function validTokenCount(count: unknown): number {
  return typeof count === "number" && count > 0 ? Math.min(Math.floor(count), countAtMost) : 0;
}

type ParsedAnswer<T> = { ok: true; value: T } | { ok: false; wrong: string };

/**
 * Parses the model's answer in the requested shape, without invisible characters. Text around the JSON object, such as
 * a sentence or a code fence, is ignored.
 */
export function parseModelAnswer<T>(text: string, answer: z.ZodType<T>): ParsedAnswer<T> {
  let wrong = "it is not JSON";
  for (const candidate of jsonObjectsIn(text)) {
    let json: unknown;
    try {
      json = JSON.parse(candidate, (_, value: unknown) =>
        typeof value === "string" ? withoutInvisibleCharacters(value) : value,
      );
    } catch {
      continue;
    }
    const parsed = answer.safeParse(json);
    if (parsed.success) return { ok: true, value: parsed.data };
    // report only the names of wrong fields: quoting the model's text would send it back as an instruction
    const issues = parsed.error.issues.slice(0, 20);
    if (wrong === "it is not JSON")
      wrong = issues.map(({ path, code }) => `${path.join(".") || "the object"}: ${code}`).join("\n");
  }
  return { ok: false, wrong };
}

/**
 * The maximum number of JSON objects to try in an answer. Usually one of them is the answer; others are examples or
 * quotes.
 */
const objectsAtMost = 20;

/** Yields the text itself, then each JSON object in it. */
function* jsonObjectsIn(text: string): Generator<string> {
  const said = text.replace(/^[^]*<\/think(?:ing)?>/i, "");
  yield said;
  let at = said.indexOf("{");
  for (let count = 0; at !== -1 && count < objectsAtMost; count += 1) {
    const end = objectEnd(said, at);
    if (end !== -1) yield said.slice(at, end);
    at = said.indexOf("{", end === -1 ? at + 1 : end);
  }
}

/** Returns the offset after the JSON object that starts at `start`; -1 for an object without an end. */
function objectEnd(text: string, start: number): number {
  let depth = 0;
  let isString = false;
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at];
    if (isString) {
      if (sign === "\\") at += 1;
      else if (sign === '"') isString = false;
    } else if (sign === '"') isString = true;
    else if (sign === "{") depth += 1;
    else if (sign === "}") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/**
 * Returns the JSON Schema of a zod type without limits such as `maxLength`, because some servers refuse these keywords.
 * Zod checks the limits when it parses the answer.
 */
function jsonSchemaOf(type: z.ZodType): Record<string, unknown> {
  return withoutLimitKeywords(z.toJSONSchema(type)) as Record<string, unknown>;
}

function withoutLimitKeywords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutLimitKeywords);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      if (droppedKeywords.has(key) || limitKeywords.has(key)) return [];
      // the names under `properties` are field names of the document, not keywords of JSON Schema
      return key === "properties"
        ? [[key, mapValues(inner as object, withoutLimitKeywords)]]
        : [[key, withoutLimitKeywords(inner)]];
    }),
  );
}

function mapValues(object: object, map: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}

/** Removes invisible characters, because the person who accepts a model's words must see all of them. */
function withoutInvisibleCharacters(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .replace(invisible, "");
}
