/** Finds the lines on which a text contains an address, for messages such as `a.md (line 4, 9)`. */

/** The line numbers (1-based) on which an address is written, each once. */
export function lineNumbersOfAddress(text: string, address: string): number[] {
  const lines = new Set<number>();
  // `a.md` must not be found in `a.mdx`; an address such as `[[b]]` ends with its brackets
  const isOpen = /[\w/.%-]$/.test(address);
  let line = 1;
  let done = 0;
  for (let at = text.indexOf(address); at !== -1; at = text.indexOf(address, at + 1)) {
    const isEnd = !isOpen || !/[\w/.%-]/.test(text[at + address.length] ?? "");
    const isWhole = isEnd && !/[\w/.%#-]/.test(text[at - 1] ?? "");
    line += text.slice(done, at).match(/\r\n?|\n/g)?.length ?? 0;
    done = at;
    if (isWhole) lines.add(line);
  }
  return [...lines];
}

/** Writes a name with its lines: `a.md (line 4, 9)`. */
export function nameWithLines(name: string, lines: readonly number[]): string {
  return lines.length === 0 ? name : `${name} (line ${lines.join(", ")})`;
}
