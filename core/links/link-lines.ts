/** The places of addresses in a text, for notes. */

/** The lines (1-based) that write an address, each once. */
export function linesOf(text: string, address: string): number[] {
  const lines = new Set<number>();
  // a sign that ends a name, as in `[[b]].`, parts it from what follows
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

/** `a.md (line 4, 9)`. */
export function placeText(name: string, lines: readonly number[]): string {
  return lines.length === 0 ? name : `${name} (line ${lines.join(", ")})`;
}
