/**
 * Reads the settings of the AI provider from the environment: OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL,
 * OPENAI_HTTP_HOSTS, OPENAI_ANSWER_TOKENS.
 */
import type { ProviderSettings } from "#core/ai/client.ts";
import { addressWithoutFinalSlash, parseWebAddress } from "#core/addresses/web-address.ts";
import { isAllowedAddress, parseHttpHosts } from "#core/ai/provider-address.ts";
import { canBeApiKey } from "#core/settings/ai-key.ts";
import { invalidInputError } from "../exit.ts";
import { isLoopback } from "../server.ts";

/** @returns null without a key. @throws exit 2 for an address to which a key must not be sent */
export function readProviderSettings(env: NodeJS.ProcessEnv): ProviderSettings | null {
  const { OPENAI_API_KEY, OPENAI_BASE_URL: address, OPENAI_MODEL: model } = env;
  const apiKey = OPENAI_API_KEY?.trim();
  if (!apiKey) return null;
  if (!canBeApiKey(apiKey))
    throw invalidInputError(
      "openai_api_key",
      "OPENAI_API_KEY isn't a valid key: it has spaces or other invalid characters",
    );
  const limit = Number(env["OPENAI_ANSWER_TOKENS"]);
  const rest = { apiKey, model: model || null, ...(limit > 0 ? { answerTokens: limit } : {}) };
  if (!address) return { ...rest, baseUrl: null };
  const url = parseWebAddress(address);
  const httpHosts = parseHttpHosts(env["OPENAI_HTTP_HOSTS"] ?? "") ?? [];
  if (url === null || !isAllowedAddress(url, httpHosts, isLoopback(url.hostname)))
    throw invalidInputError("openai_base_url", `OPENAI_BASE_URL ${address}: must use https, or http on this machine`, {
      hint: "for plain http in your own network, list the host: OPENAI_HTTP_HOSTS=ollama:11434",
    });
  return { ...rest, baseUrl: addressWithoutFinalSlash(url) };
}
