/** The one door to the AI provider: the address comes from the operator alone, answers are bounded, redirects end there. */
import OpenAI from "openai";
import type { Config } from "../config.ts";

const defaultBaseUrl = "https://api.openai.com/v1";
const answerAtMost = 2 * 1024 * 1024;

/** Everything is said here: the package would take from the environment what is left out. */
export function createProvider(config: Pick<Config, "openai">, apiKey: string, timeoutMs: number): OpenAI {
  return new OpenAI({
    apiKey,
    baseURL: config.openai.baseUrl ?? defaultBaseUrl,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    timeout: timeoutMs,
    maxRetries: 0,
    logLevel: "off",
    fetch: boundedFetch,
  });
}

async function boundedFetch(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  // a redirect would carry the key to a host that nobody configured
  const answer = await fetch(url, { ...init, redirect: "error" });
  const { status, statusText, headers } = answer;
  if (!answer.body) return answer;
  let size = 0;
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > answerAtMost) controller.error(new Error("the provider's answer is too large"));
      else controller.enqueue(chunk);
    },
  });
  return new Response(answer.body.pipeThrough(bounded), { status, statusText, headers });
}
