/**
 * Finds the first key that appears twice in an object. Parsers disagree on which of the two counts, so a proxy or a log
 * could see another request than the server (RFC 8259 §4).
 * @param text valid JSON
 * @returns null if no key does
 */
export function findDuplicateKey(text: string): string | null {
  /** The keys of each object that isn't closed yet; null for a list. */
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === "{") open.push(new Set());
    else if (char === "[") open.push(null);
    else if (char === "}" || char === "]") open.pop();
    else if (char === '"') {
      const end = endOfString(text, at);
      const keys = open.at(-1);
      if (keys && isKey(text, end)) {
        const key = JSON.parse(text.slice(at, end)) as string;
        if (keys.has(key)) return key;
        keys.add(key);
      }
      at = end - 1;
    }
  }
  return null;
}

/** Returns the index after the closing quote. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = text.indexOf('"', at);
    let backslashes = 0;
    while (text[at - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return at + 1;
  }
}

function isKey(text: string, from: number): boolean {
  let at = from;
  while (text[at] === " " || text[at] === "\n" || text[at] === "\r" || text[at] === "\t") at++;
  return text[at] === ":";
}
