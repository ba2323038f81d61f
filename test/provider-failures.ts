/** All failures of a provider (`docs/ai.md`, Failures): its answer, and our code and status. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { send } from "./fake-provider.ts";

/** The key that a refusal quotes. */
export const quotedKey = "sk-proj-Zq3vXw8LpR5tNc7mKd2y";

export type Responder = (request: IncomingMessage, response: ServerResponse) => void;

export const completion = (message: object, finish_reason = "stop", more: object = {}) => ({
  id: "c1",
  object: "chat.completion",
  model: "small-2026",
  choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason }],
  usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
  ...more,
});
export const answersWith = (content: unknown, finish?: string): Responder => {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return (_, response) => send(response, 200, completion({ content: text }, finish));
};
export const refusesWith = (status: number, error: object, headers: Record<string, string> = {}): Responder => {
  const body = { error: { message: `your key ${quotedKey} at https://provider.example`, ...error } };
  return (_, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    send(response, status, body);
  };
};
export const inTurn = (...answers: Responder[]): Responder => {
  let next = 0;
  return (request, response) => answers[Math.min(next++, answers.length - 1)]?.(request, response);
};

const html: Responder = (_, response) =>
  void response.writeHead(200, { "content-type": "text/html" }).end("<h1>Gateway</h1>");

/** Complete answers, each with its own refusal. An unreachable provider and a silent one are tested separately. */
export const providerFailures: readonly [code: string, status: number, answer: Responder][] = [
  ["ai_key_rejected", 424, refusesWith(401, { code: "invalid_api_key" })],
  ["ai_key_rejected", 424, refusesWith(403, {})],
  ["ai_model_unavailable", 424, refusesWith(404, { code: "model_not_found" })],
  ["ai_rate_limited", 429, refusesWith(429, { code: "rate_limit_exceeded" }, { "retry-after": "7" })],
  ["ai_quota_exhausted", 402, refusesWith(429, { code: "insufficient_quota" })],
  ["ai_quota_exhausted", 402, refusesWith(402, {})],
  ["ai_input_too_large", 413, refusesWith(400, { code: "context_length_exceeded" })],
  ["ai_input_too_large", 413, refusesWith(400, { type: "exceed_context_size_error" })],
  ["ai_input_too_large", 413, refusesWith(413, {})],
  ["ai_filtered", 422, refusesWith(400, { code: "content_filter" })],
  ["ai_failed", 502, refusesWith(400, { code: "odd" })],
  ["ai_failed", 502, refusesWith(418, {})],
  ["ai_unreachable", 502, refusesWith(500, {})],
  ["ai_unreachable", 502, refusesWith(503, {})],
  ["ai_timeout", 504, refusesWith(504, {})],
  ["ai_unreachable", 502, (_, response) => response.destroy()],
  ["ai_unreachable", 502, (_, response) => void response.socket?.end("nonsense\r\n\r\n")],
  ["ai_unreachable", 502, (_, response) => void response.writeHead(307, { location: "http://127.0.0.1:9/" }).end()],
  [
    "ai_refused",
    422,
    (_, response) => send(response, 200, completion({ content: null, refusal: `I ${"x".repeat(500)}` })),
  ],
  ["ai_truncated", 422, answersWith(`{"words":["a`, "length")],
  ["ai_filtered", 422, answersWith("", "content_filter")],
  ["ai_malformed", 502, answersWith("Sure! Here are some words: a")],
  ["ai_malformed", 502, answersWith({ words: "a" })],
  ["ai_malformed", 502, (_, response) => send(response, 200, completion({}, "stop", { choices: [] }))],
  ["ai_malformed", 502, (_, response) => send(response, 200, completion({}, "stop", { choices: null }))],
  ["ai_malformed", 502, (_, response) => send(response, 200, null)],
  ["ai_malformed", 502, (_, response) => send(response, 200, completion({ content: [{ type: "text" }] }))],
  ["ai_malformed", 502, html],
  [
    "ai_malformed",
    502,
    (_, response) => void response.writeHead(200, { "content-type": "application/json" }).end("<h1>"),
  ],
  ["ai_malformed", 502, (_, response) => send(response, 200, completion({ content: "x".repeat(3 * 1024 * 1024) }))],
];
