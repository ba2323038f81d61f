/** Finds the lines of addresses in a text, for notes. */

/** The line numbers (1-based) on which an address is written, each once. */
export function lineNumbersOfAddress(text: string, address: string): number[] {
  const lines = new Set<number>();
  // if the address ends with a character of names, the next character must not continue it; `[[b]].` ends with its own
  // marks
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
