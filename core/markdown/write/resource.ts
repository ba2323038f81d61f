const punctuationAfterBackslash = /\\(?=[!-/:-@[-`{-~])/g;
const characterReference = /&(?=#\d{1,7};|#[xX][\da-fA-F]{1,6};|[A-Za-z][A-Za-z\d]{0,31};)/g;

/** Writes the `(destination "title")` of a link or image. */
export function writeResource(url: string, title: string | null | undefined): string {
  return `(${writeDestination(url, title)}${title ? ` ${writeTitle(title)}` : ""})`;
}

/** Writes a destination, in angle brackets if it contains characters that would end a bare one. */
export function writeDestination(url: string, title?: string | null): string {
  if (url === "") return title ? "<>" : "";
  const kept = url.replace(punctuationAfterBackslash, "\\\\").replace(characterReference, "\\&");
  // eslint-disable-next-line no-control-regex -- control characters end a bare destination (CommonMark 6.3)
  if (/[\u0000-\u0020\u007f]/.test(url) || url.startsWith("<")) {
    return `<${kept.replace(/[<>]/g, "\\$&").replaceAll("\n", "&#xA;")}>`;
  }
  return hasBalancedParentheses(url) ? kept : kept.replace(/[()]/g, "\\$&");
}

function hasBalancedParentheses(url: string): boolean {
  let depth = 0;
  for (const character of url) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** Writes a title in double quotes. */
export function writeTitle(title: string): string {
  const kept = title.replace(/\\(?=[!-/:-@[-`{-~]|$)/g, "\\\\").replace(characterReference, "\\&");
  return `"${kept.replaceAll('"', '\\"')}"`;
}

/** Writes the label of a reference or definition. The block around it indents its lines. */
export function writeLabel(label: string): string {
  return label
    .replace(/[ \t]*\n[ \t]*/g, "\n")
    .replace(/\\(?=[!-/:-@[-`{-~]|$)/g, "\\\\")
    .replace(/[[\]]/g, "\\$&");
}
