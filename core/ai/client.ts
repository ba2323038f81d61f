/** The only access to an AI provider: all requests start here, redirects are refused, and answers have a size limit. */
import OpenAI from "openai";

export interface ProviderSettings {
  apiKey: string;
  /**
   * The address of an OpenAI-compatible server; null for OpenAI. Only the operator sets it, because the key and the
   * texts are sent there.
   */
  baseUrl: string | null;
  /** The name of the model; null for `defaultModel`. */
  model: string | null;
  /** The maximum length of one answer in tokens; `answerTokensDefault` when absent. */
  answerTokens?: number;
}

/** The model if the operator names none. A small model is enough, because it fills in a form that the server checks. */
export const defaultModel = "gpt-5-mini";

const defaultBaseUrl = "https://api.openai.com/v1";
const answerAtMost = 2 * 1024 * 1024;

/**
 * Creates a client for the provider, which refuses redirects and limits the size of answers.
 * @param timeoutMs milliseconds until the answer to one request starts; callers limit the time of all requests together
 */
export function createOpenAiClient({ apiKey, baseUrl }: Omit<ProviderSettings, "model">, timeoutMs: number): OpenAI {
  return new OpenAI({
    apiKey,
    baseURL: baseUrl ?? defaultBaseUrl,
    // without null, the package would read these settings from the environment and could send one customer's key to
    // another customer's host
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
  // a redirect would send the key to a host that the operator didn't configure
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
