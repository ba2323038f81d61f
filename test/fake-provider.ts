/** An AI provider on loopback that knows one key. Tests script its behavior. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";

/** The request of a chat, as far as tests check it. */
export interface ChatRequest {
  model: string;
  messages: { role: string; content: string }[];
  response_format?: { type: string; json_schema: { name: string; schema: unknown } };
  stream?: boolean;
}

export interface FakeProvider {
  /** The value for OPENAI_BASE_URL. */
  url: string;
  knownKey: string;
  /** All requests that the provider received. */
  readonly requests: { path: string; authorization: string; headers: IncomingMessage["headers"] }[];
  /** All chats that the provider received with the known key. */
  readonly chats: ChatRequest[];
  /** Answers the next requests in its place; null restores the normal answers. */
  answer: ((request: IncomingMessage, response: ServerResponse) => void) | null;
  /**
   * The model's answer to a chat. An object is sent as JSON, in pieces for a stream; text as it is.
   * `chat.response_format.json_schema.name` says what was requested: `sop_draft`, `sop_edits` … Null: no such path.
   */
  answerChat: ((chat: ChatRequest) => object | string | Promise<object | string>) | null;
  /** Tokens reported for each chat. */
  usage: { prompt_tokens: number; completion_tokens: number };
  stop(): Promise<void>;
}

export async function startFakeProvider(knownKey: string): Promise<FakeProvider> {
  const provider: FakeProvider = {
    url: "",
    knownKey,
    requests: [],
    chats: [],
    answer: null,
    answerChat: null,
    usage: { prompt_tokens: 70, completion_tokens: 30 },
    stop: () => Promise.resolve(),
  };
  const server = createServer((request, response) => {
    const authorization = request.headers.authorization ?? "";
    provider.requests.push({ path: request.url ?? "", authorization, headers: request.headers });
    if (provider.answer) return provider.answer(request, response);
    if (authorization !== `Bearer ${provider.knownKey}`) {
      // a real provider quotes the key in its refusal
      return send(response, 401, { error: { message: `Incorrect API key provided: ${authorization}`, type: "x" } });
    }
    if (provider.answerChat && request.url?.endsWith("/chat/completions")) {
      return void chat(provider, request, response).catch(() => response.destroy());
    }
    send(response, 200, { object: "list", data: [{ id: "small", object: "model", created: 0, owned_by: "us" }] });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  provider.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  provider.stop = () =>
    new Promise((stopped) => {
      server.closeAllConnections();
      server.close(() => stopped());
    });
  return provider;
}

async function chat(provider: FakeProvider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chatRequest = JSON.parse(await textOf(request)) as ChatRequest;
  provider.chats.push(chatRequest);
  const answer = await provider.answerChat?.(chatRequest);
  const content = typeof answer === "string" ? answer : JSON.stringify(answer);
  const about = { id: "c1", created: 0, model: `${chatRequest.model}-2026` };
  if (chatRequest.stream !== true) {
    const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }];
    return send(response, 200, { ...about, object: "chat.completion", choices, usage: provider.usage });
  }
  const say = (piece: object) =>
    response.write(`data: ${JSON.stringify({ ...about, object: "chat.completion.chunk", ...piece })}\n\n`);
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (let at = 0; at < content.length; at += 200) {
    say({ choices: [{ index: 0, delta: { content: content.slice(at, at + 200) }, finish_reason: null }] });
    await setTimeout(1);
  }
  say({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
  say({ choices: [], usage: provider.usage });
  response.end("data: [DONE]\n\n");
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

export function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
