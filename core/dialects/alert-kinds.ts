/** The alert kinds of other tools → GitHub's five. MkDocs has a dozen kinds, and other tools use its names. */
export const alertKinds: Readonly<Record<string, string>> = {
  note: "NOTE",
  info: "NOTE",
  information: "NOTE",
  seealso: "NOTE",
  todo: "NOTE",
  abstract: "NOTE",
  summary: "NOTE",
  example: "NOTE",
  question: "NOTE",
  quote: "NOTE",
  aside: "NOTE",
  tip: "TIP",
  hint: "TIP",
  success: "TIP",
  check: "TIP",
  done: "TIP",
  important: "IMPORTANT",
  warning: "WARNING",
  warn: "WARNING",
  attention: "WARNING",
  caution: "CAUTION",
  danger: "CAUTION",
  error: "CAUTION",
  failure: "CAUTION",
  bug: "CAUTION",
};

/** GitHub's kind for a word of another tool, undefined for a word that names none. */
export function knownKind(word: string): string | undefined {
  const key = word.toLowerCase();
  return Object.hasOwn(alertKinds, key) ? alertKinds[key] : undefined;
}

export function kindOf(word: string): string {
  return knownKind(word) ?? "NOTE";
}

/** A reader must see it at once, so it never becomes a block that is folded. */
export function isSafety(kind: string): boolean {
  return kind === "WARNING" || kind === "CAUTION" || kind === "IMPORTANT";
}
