/**
 * Finds email addresses in pasted text, separated by commas, semicolons, spaces or lines, also in the form "Name
 * <address>".
 */
const pattern = /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>.]+$/;

export interface PastedAddresses {
  /** Addresses in the order of the text, each once. */
  addresses: string[];
  /** Words with an `@` that are not addresses. Words without an `@` count as names and are ignored. */
  unreadable: string[];
}

export function emailAddressesIn(text: string): PastedAddresses {
  const words = text
    .split(/[\s,;]+/)
    .map((word) => word.replaceAll(/^[<("']+|[>)"'.]+$/g, ""))
    .filter((word) => word.includes("@"));
  const unique = [...new Map(words.map((word) => [word.toLowerCase(), word])).values()];
  return {
    addresses: unique.filter((word) => pattern.test(word)),
    unreadable: unique.filter((word) => !pattern.test(word)),
  };
}
