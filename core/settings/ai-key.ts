/** Masks a user's AI key, and recognizes the masked key when a form sends it back (`docs/spec/entities.md`). */
import { sentences } from "../language/catalog.ts";

const dot = "•";
export const keyRefusals = sentences("core.settings.ai-key", {
  characters: "An API key has no spaces and only ASCII",
  invalid: "Invalid Key: Please enter a valid API key to test.",
});

/**
 * The masked form of a key, such as `sk-••••abcd`, by which its user recognizes it. A short key is masked completely.
 */
export function maskedKeyOf(key: string): string {
  const start = key.startsWith("sk-") ? "sk-" : "";
  const end = key.length >= 16 ? key.slice(-4) : "";
  return `${start}${dot.repeat(4)}${end}`;
}

/** Tells whether a text contains the dot of masked keys, which no valid key contains. */
export function isMaskedKey(value: string): boolean {
  return value.includes(dot);
}

/** Tells whether a text can be a key. Keys are sent in an HTTP header, so they are printable ASCII without spaces. */
export function canBeApiKey(value: string): boolean {
  return /^[\x21-\x7e]{1,500}$/.test(value);
}
