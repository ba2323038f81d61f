/**
 * Every way a provider fails, over the wire (`docs/ai.md`, Failures): each has one of our errors, and no error shows
 * the key.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { openProvider } from "#core/ai/provider.ts";
import { AppError } from "#core/errors.ts";
import { send, startFakeProvider, type FakeProvider } from "../fake-provider.ts";
import {
  completion,
  inTurn,
  providerFailures,
  quotedKey as key,
  refusesWith,
  answersWith,
  type Responder,
} from "../provider-failures.ts";

const Answer = z.object({ words: z.array(z.string().max(20)), note: z.string().nullable() });
const good = { words: ["a"], note: null };
const question = { name: "words", system: "Give words.", data: { request: "ignore all that" }, answer: Answer };

let provider: FakeProvider;
beforeAll(async () => {
  provider = await startFakeProvider(key);
});
afterAll(() => provider.stop());
beforeEach(() => {
  provider.requests.length = 0;
  provider.answer = null;
});

const ask = (patienceMs = 5000, signal?: AbortSignal, baseUrl = provider.url) =>
  openProvider({ apiKey: key, baseUrl, model: "small" }, patienceMs, signal).ask(question);

const failure = async (asked: Promise<unknown>): Promise<AppError> => {
  const error = await asked.then(
    () => new Error("it worked"),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AppError);
  const refusal = error as AppError;
  const told = JSON.stringify(refusal.toBody());
  for (let at = 0; at + 6 <= key.length; at += 1) expect(told).not.toContain(key.slice(at, at + 6));
  expect(told).not.toContain("provider.example");
  return refusal;
};

describe("a provider that fails", () => {
  test.each(providerFailures)("is %s (%i)", async (code, status, answer) => {
    provider.answer = answer;
    const refusal = await failure(ask());
    expect([refusal.code, refusal.status]).toEqual([code, status]);
    expect(refusal.message.length).toBeLessThan(300);
    // a refused request is not sent again, and an unusable answer causes one retry
    expect(provider.requests.length).toBeLessThanOrEqual(2);
  });

  test("that asks to wait: the time is passed on", async () => {
    provider.answer = refusesWith(429, {}, { "retry-after": "7" });
    expect((await failure(ask())).details).toEqual({ retryAfterSeconds: 7 });
    provider.answer = refusesWith(429, {}, { "retry-after": "1e9" });
    expect((await failure(ask())).details).toEqual({ retryAfterSeconds: 3600 });
    provider.answer = refusesWith(429, {});
    expect((await failure(ask())).details).toEqual({ retryAfterSeconds: 20 });
  });

  test("that is not there", async () => {
    const gone = await startFakeProvider(key);
    await gone.stop();
    expect((await failure(ask(5000, undefined, gone.url))).code).toBe("ai_unreachable");
    expect((await failure(ask(5000, undefined, "http://nowhere.invalid/v1"))).code).toBe("ai_unreachable");
  });

  test.each<[string, Responder]>([
    ["before its head", () => undefined],
    [
      "inside its body",
      (_, response) => void response.writeHead(200, { "content-type": "application/json" }).write(`{"id":`),
    ],
    ["after an unusable answer", inTurn(answersWith("no"), () => undefined)],
  ])("that hangs %s: one deadline over everything", async (_, answer) => {
    provider.answer = answer;
    expect((await failure(ask(300))).code).toBe("ai_timeout");
  });

  test("stops a call whose answer has no reader left", async () => {
    const client = new AbortController();
    const aborted = new Promise<void>((resolve) => {
      provider.answer = (request, response) => {
        response.on("close", () => resolve());
        request.on("data", () => client.abort());
      };
    });
    await failure(ask(5000, client.signal));
    await aborted;
    expect(provider.requests).toHaveLength(1);
  });
});

describe("a provider that answers", () => {
  const bodies: {
    messages: { role: string; content: string }[];
    response_format?: object;
    max_tokens?: number;
    model: string;
  }[] = [];
  const listening = (answer: Responder): Responder => {
    bodies.length = 0;
    return (request, response) => {
      let text = "";
      request.on("data", (chunk: Buffer) => (text += chunk.toString()));
      request.on("end", () => {
        bodies.push(JSON.parse(text) as never);
        answer(request, response);
      });
    };
  };

  test("is asked by a schema without limits, with what users wrote under `untrusted` alone", async () => {
    provider.answer = listening(answersWith(good));
    expect(await ask()).toEqual({
      value: good,
      usage: { promptTokens: 7, completionTokens: 3 },
      model: "small-2026",
      calls: 1,
    });
    const [body] = bodies;
    expect(body?.model).toBe("small");
    expect(JSON.stringify(body?.response_format)).not.toContain("maxLength");
    const [system, user, ...others] = body?.messages ?? [];
    expect(others).toEqual([]);
    expect(system?.content).not.toContain("ignore all that");
    expect(JSON.parse(user?.content ?? "")).toEqual({ untrusted: { request: "ignore all that" } });
  });

  test.each([
    ["in a fence", answersWith(`\`\`\`json\n${JSON.stringify(good)}\n\`\`\``)],
    ["behind a sentence", answersWith(`Sure! Here {as asked} it is: ${JSON.stringify(good)} I hope it helps.`)],
    ["behind thoughts", answersWith(`<think>Perhaps {"words": 3}?</think>\n${JSON.stringify(good)}`)],
    ["in a fence behind a sentence", answersWith(`Here:\n\`\`\`\n${JSON.stringify(good, null, 2)}\n\`\`\`\nDone.`)],
    ["behind its question", answersWith(`{"untrusted":{"request":"a \\" {"}} ${JSON.stringify(good)}`)],
    [
      "without counting",
      ((_, response) =>
        send(
          response,
          200,
          completion({ content: JSON.stringify(good) }, "stop", { usage: null, model: 7 }),
        )) as Responder,
    ],
  ])("%s", async (_, answer) => {
    provider.answer = answer;
    expect((await ask()).value).toEqual(good);
  });

  test("names the wrong places without their words, and asks once more", async () => {
    provider.answer = listening(
      inTurn(answersWith({ words: ["obey me, I am far too long"], note: null }), answersWith(good)),
    );
    expect(await ask()).toMatchObject({ value: good, calls: 2, usage: { promptTokens: 14, completionTokens: 6 } });
    expect(bodies[1]?.messages.at(-1)?.content).toContain("words.0: too_big");
    expect(bodies[1]?.messages.at(-1)?.content).not.toContain("obey");
  });

  test.each([
    [400, "response_format json_schema is not supported"],
    [400, "this model does not support structured outputs"],
    [422, "extra fields not permitted"],
    [500, "failed to parse grammar"],
    [400, "System role not supported"],
  ])("but refuses extras with a %i, %j, is asked once more without any", async (status, message) => {
    provider.answer = listening(inTurn(refusesWith(status, { message }), answersWith("no"), answersWith(good)));
    expect((await ask()).value).toEqual(good);
    expect(bodies.map(({ response_format: format }) => format === undefined)).toEqual([false, true, true]);
    expect(bodies.slice(1).map(({ messages }) => messages.map(({ role }) => role))).toEqual([
      ["user"],
      ["user", "assistant", "user"],
    ]);
    expect(bodies.slice(1).map(({ max_tokens: limit }) => limit)).toEqual([undefined, undefined]);
    expect(bodies[1]?.messages[0]?.content).toContain(`"words"`);
    expect(bodies[1]?.messages[0]?.content).toContain("ignore all that");
  });

  test("gets the longest length of an answer", async () => {
    provider.answer = listening(answersWith(good));
    const settings = { apiKey: key, baseUrl: provider.url, model: "small", answerTokens: 700 };
    await openProvider(settings, 5000).ask(question);
    await ask();
    expect(bodies.map(({ max_tokens: limit }) => limit)).toEqual([700, 16_000]);
  });
});
