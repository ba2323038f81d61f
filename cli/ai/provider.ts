/** The AI provider that the environment names: OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL. */
import type { ProviderSettings } from "#core/ai/client.ts";
import { isKeyText } from "#core/settings/ai-key.ts";
import { invalid } from "../exit.ts";
import { isLoopback } from "../server.ts";

/** @returns null where there is no key. @throws exit 2 for an address that keys must not travel to */
export function providerSettings(env: NodeJS.ProcessEnv): ProviderSettings | null {
  const { OPENAI_API_KEY, OPENAI_BASE_URL: address, OPENAI_MODEL: model } = env;
  const apiKey = OPENAI_API_KEY?.trim();
  if (!apiKey) return null;
  if (!isKeyText(apiKey))
    throw invalid("openai_api_key", "OPENAI_API_KEY isn't a valid key: it has spaces or other invalid characters");
  if (!address) return { apiKey, baseUrl: null, model: model || null };
  const url = URL.canParse(address) ? new URL(address) : null;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  if (!isSafe) throw invalid("openai_base_url", `OPENAI_BASE_URL ${address}: must use https, or http on this machine`);
  return { apiKey, baseUrl: address.replace(/\/+$/, ""), model: model || null };
}
