/** Finds the text blocks of rendered HTML: the text between two block tags. */
const inline = new Set("a em strong del code sub sup kbd br img input".split(" "));

export function isInlineTag(tagName: string): boolean {
  return inline.has(tagName);
}

/** Replaces white space of any kind and length by one space. */
export function withSingleSpaces(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

const tokens = /<(\/?)([a-z][a-z0-9]*)(?:"[^"]*"|'[^']*'|[^"'>])*>|<!--[\s\S]*?-->|[^<]+|</g;

/**
 * @param html the output of `renderHtml`: sanitised, attributes quoted, `<` and `&` of the text escaped
 * @returns the text of each block, in order, without empty ones
 */
export function blocksOfHtml(html: string): string[] {
  const blocks: string[] = [];
  let text = "";
  const closeBlock = () => {
    const block = withSingleSpaces(text);
    if (block !== "") blocks.push(block);
    text = "";
  };
  for (const [token, , tagName] of html.matchAll(tokens)) {
    if (tagName !== undefined) {
      if (tagName === "br") text += " ";
      else if (!isInlineTag(tagName)) closeBlock();
    } else if (!token.startsWith("<!--")) {
      text += decodeCharacterReferences(token);
    }
  }
  closeBlock();
  return blocks;
}

const named: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'", nbsp: "\u00A0" };

function decodeCharacterReferences(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|([a-z]+));/gi, (all, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return named[name] ?? all;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : all;
  });
}
