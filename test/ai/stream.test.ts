/** Answers in pieces: joined, reported as they arrive, and refused when they end too early. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { openProvider } from "#core/ai/provider.ts";
import { startFakeProvider, send, type FakeProvider } from "../fake-provider.ts";
import { completion, quotedKey as key } from "../provider-failures.ts";

const Answer = z.object({ words: z.array(z.string()) });
const question = { name: "words", system: "Give words.", data: {}, answer: Answer };
const good = { words: Array.from({ length: 100 }, (_, at) => `word ${at}`) };

let provider: FakeProvider;
beforeAll(async () => {
  provider = await startFakeProvider(key);
});
afterAll(() => provider.stop());
beforeEach(() => {
  provider.answer = null;
  provider.answerChat = () => good;
  provider.chats.length = 0;
});

function listen(idleMs = 5000, signal?: AbortSignal) {
  const heard: string[] = [];
  const settings = { apiKey: key, baseUrl: provider.url, model: "small" };
  const open = openProvider(settings, 5000, signal, { onText: (text) => void heard.push(text), idleMs });
  return { open, heard };
}

const begins = (response: ServerResponse) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const piece = { choices: [{ index: 0, delta: { content: '{"words":["a' }, finish_reason: null }] };
  response.write(`data: ${JSON.stringify(piece)}\n\n`);
};

describe("a streamed answer", () => {
  test("is heard as it comes, put together, and counted", async () => {
    const { open, heard } = listen();
    const reply = await open.ask(question);
    expect(reply).toMatchObject({ value: good, model: "small-2026", calls: 1 });
    expect(heard.length).toBeGreaterThan(3);
    expect(heard.at(-1)).toBe(JSON.stringify(good));
    expect(open.spent).toEqual({
      hasUnknownCost: false,
      usage: { promptTokens: 70, completionTokens: 30 },
      calls: 1,
      model: "small-2026",
    });
  });

  test.each<[string, (request: IncomingMessage, response: ServerResponse) => void, string]>([
    ["cut off", (_, response) => (begins(response), void setTimeout(() => response.destroy(), 50)), "ai_unreachable"],
    ["ended without its end", (_, response) => (begins(response), void response.end()), "ai_unreachable"],
    [
      "ended by an error",
      (_, response) => (begins(response), void response.end('data: {"error":{"message":"sk-x"}}\n\n')),
      "ai_unreachable",
    ],
    ["of nonsense", (_, response) => (begins(response), void response.end("data: {nonsense\n\n")), "ai_malformed"],
  ])("that is %s is refused, and counts", async (_, answer, code) => {
    provider.answer = answer;
    const { open } = listen();
    await expect(open.ask(question)).rejects.toMatchObject({ code });
    expect(open.spent.usage.promptTokens).toBeGreaterThan(0);
  });

  test("gives up a silent stream before the deadline, and tells the provider", async () => {
    const closed = new Promise<void>((resolve) => {
      provider.answer = (_, response) => {
        response.on("close", () => resolve());
        begins(response);
      };
    });
    await expect(listen(200).open.ask(question)).rejects.toMatchObject({ code: "ai_timeout" });
    await closed;
  });

  test("gives up a stream without a reader at once, and counts what was sent", async () => {
    const client = new AbortController();
    const closed = new Promise<void>((resolve) => {
      provider.answer = (_, response) => {
        response.on("close", () => resolve());
        begins(response);
        client.abort();
      };
    });
    const { open } = listen(5000, client.signal);
    await expect(open.ask(question)).rejects.toMatchObject({ code: "ai_unreachable" });
    await closed;
    expect(open.spent.usage.promptTokens).toBeGreaterThan(0);
  });

  test("comes whole from a server that knows no streams", async () => {
    provider.answer = (_, response) => send(response, 200, completion({ content: JSON.stringify(good) }));
    expect((await listen().open.ask(question)).value).toEqual(good);
  });

  test("is asked for whole from a server that refuses streams, and schemas", async () => {
    let asked = 0;
    provider.answer = (request, response) => {
      let body = "";
      request.on("data", (piece: Buffer) => (body += piece.toString()));
      request.on("end", () => {
        asked += 1;
        const { stream, response_format: format } = JSON.parse(body) as Record<string, unknown>;
        if (stream === true) return send(response, 400, { error: { message: "stream_options is not supported" } });
        if (format) return send(response, 400, { error: { message: "response_format: unknown field" } });
        send(response, 200, completion({ content: JSON.stringify(good) }));
      });
    };
    const { open } = listen();
    expect((await open.ask(question)).value).toEqual(good);
    expect([asked, open.spent.calls]).toEqual([2, 2]);
  });
});

test("tokens that a provider does not count are guessed", async () => {
  provider.answer = (_, response) =>
    send(response, 200, completion({ content: JSON.stringify(good) }, "stop", { usage: undefined }));
  const open = openProvider({ apiKey: key, baseUrl: provider.url, model: "small" }, 5000);
  await open.ask(question);
  const { promptTokens, completionTokens } = open.spent.usage;
  expect(completionTokens).toBe(Math.ceil(JSON.stringify(good).length / 3));
  expect(promptTokens).toBeGreaterThan(20);
});

test("a provider that can't be reached, or refuses at the door, costs nothing", async () => {
  for (const status of [401, 404, 429, 500]) {
    provider.answer = (_, response) => send(response, status, { error: { message: "no" } });
    const open = openProvider({ apiKey: key, baseUrl: provider.url, model: "small" }, 5000);
    await expect(open.ask(question)).rejects.toThrow();
    expect(open.spent.usage).toEqual({ promptTokens: 0, completionTokens: 0 });
  }
  const gone = openProvider({ apiKey: key, baseUrl: "http://127.0.0.1:9/v1", model: "small" }, 5000);
  await expect(gone.ask(question)).rejects.toMatchObject({ code: "ai_unreachable" });
  expect(gone.spent.usage).toEqual({ promptTokens: 0, completionTokens: 0 });
});
