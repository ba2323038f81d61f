/** The visible part of a user's AI key, and how to recognize it when a form sends it back (`docs/spec/entities.md`). */

const dot = "•";
export const invalidKeyMessage = "Invalid Key: Please enter a valid API key to test.";

/** `sk-••••abcd`: enough to recognise it by. A short key shows nothing of itself. */
export function maskKey(key: string): string {
  const start = key.startsWith("sk-") ? "sk-" : "";
  const end = key.length >= 16 ? key.slice(-4) : "";
  return `${start}${dot.repeat(4)}${end}`;
}

/** A masked key, or a piece of one: never a key. */
export function isMasked(value: string): boolean {
  return value.includes(dot);
}

/** Keys travel in a header: printable ASCII without spaces. */
export function isKeyText(value: string): boolean {
  return /^[\x21-\x7e]{1,500}$/.test(value);
}
