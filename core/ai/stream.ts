import type OpenAI from "openai";
import { AppError } from "#core/errors.ts";

export interface Listening {
  /** The answer as far as it has come. */
  onText(text: string): void;
  /** A provider that says nothing for this long has stopped; 20 s. */
  idleMs?: number;
}

const idleMsUsual = 20_000;

type Request = Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, "stream">;
export type Completed = Partial<OpenAI.ChatCompletion> | null | undefined;

/**
 * A completion put together from its pieces. A server that knows no streams and answers whole is read as it answers.
 * @throws AppError ai_timeout when it falls silent, before the deadline too
 */
export async function listenTo(
  client: OpenAI,
  request: Request,
  signal: AbortSignal,
  { onText, idleMs = idleMsUsual }: Listening,
): Promise<Completed> {
  const { data: stream, response } = await client.chat.completions
    .create({ ...request, stream: true, stream_options: { include_usage: true } }, { signal })
    .withResponse();
  if (!response.headers.get("content-type")?.includes("text/event-stream")) {
    return (await inTime(response.json(), idleMs)) as Completed;
  }
  const pieces = stream[Symbol.asyncIterator]();
  const answer = { content: "", refusal: "", finish: null as string | null, model: "" };
  let usage: OpenAI.CompletionUsage | null | undefined;
  try {
    for (;;) {
      const next = await inTime(pieces.next(), idleMs);
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
    // it had begun to answer, so the connection broke on the way
    throw error instanceof AppError || error instanceof SyntaxError ? error : new AppError("ai_unreachable");
  } finally {
    stream.controller.abort();
  }
  // without its end it was cut off: half an answer is none
  if (answer.finish === null) throw new AppError("ai_unreachable");
  const message = { role: "assistant", content: answer.content, refusal: answer.refusal || null };
  const choices = [{ index: 0, message, finish_reason: answer.finish, logprobs: null }];
  return { choices, model: answer.model, ...(usage ? { usage } : {}) } as Completed;
}

async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new AppError("ai_timeout")), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}
