import type OpenAI from "openai";
import { AppError } from "#core/errors.ts";

export interface StreamListener {
  /** Receives the whole answer so far each time more text arrives. */
  onText(text: string): void;
  /** Milliseconds of silence after which the provider counts as stopped; 20 s by default. */
  idleMs?: number;
}

const idleMsUsual = 20_000;

type CompletionRequest = Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, "stream">;
export type CompletionSoFar = Partial<OpenAI.ChatCompletion> | null | undefined;

/**
 * Joins the pieces of a streamed answer, or reads the complete answer of a server that doesn't stream.
 * @throws AppError ai_timeout after a long silence, even before the deadline
 */
export async function readStreamedAnswer(
  client: OpenAI,
  request: CompletionRequest,
  signal: AbortSignal,
  { onText, idleMs = idleMsUsual }: StreamListener,
): Promise<CompletionSoFar> {
  const { data: stream, response } = await client.chat.completions
    .create({ ...request, stream: true, stream_options: { include_usage: true } }, { signal })
    .withResponse();
  if (!response.headers.get("content-type")?.includes("text/event-stream")) {
    return (await withTimeout(response.json(), idleMs)) as CompletionSoFar;
  }
  const pieces = stream[Symbol.asyncIterator]();
  const answer = { content: "", refusal: "", finish: null as string | null, model: "" };
  let usage: OpenAI.CompletionUsage | null | undefined;
  try {
    for (;;) {
      const next = await withTimeout(pieces.next(), idleMs);
      if (next.done === true) break;
      const { choices, model, usage: counted } = next.value as Partial<OpenAI.ChatCompletionChunk>;
      const choice = choices?.[0];
      const said = choice?.delta?.content;
      answer.model ||= typeof model === "string" ? model : "";
      answer.refusal += typeof choice?.delta?.refusal === "string" ? choice.delta.refusal : "";
      answer.finish = choice?.finish_reason ?? answer.finish;
      usage = counted ?? usage;
      if (typeof said !== "string" || said === "") continue;
      answer.content += said;
      onText(answer.content);
    }
  } catch (error) {
    // the answer had already started, so the connection to the provider was lost
    throw error instanceof AppError || error instanceof SyntaxError ? error : new AppError("ai_unreachable");
  } finally {
    stream.controller.abort();
  }
  // without a finish reason the answer was cut off, so it can't be used
  if (answer.finish === null) throw new AppError("ai_unreachable");
  const message = { role: "assistant", content: answer.content, refusal: answer.refusal || null };
  const choices = [{ index: 0, message, finish_reason: answer.finish, logprobs: null }];
  return { choices, model: answer.model, ...(usage ? { usage } : {}) } as CompletionSoFar;
}

async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new AppError("ai_timeout")), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}
