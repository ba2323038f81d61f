import { isHazard } from "#core/markdown/alert-grades.ts";

/**
 * Alert kinds of other tools → the kinds of this product. MkDocs has about a dozen kinds, and other tools use its
 * names.
 */
const alertKinds: Readonly<Record<string, string>> = {
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
  danger: "DANGER",
  error: "CAUTION",
  failure: "CAUTION",
  bug: "CAUTION",
};

/** The alert kind for a word of another tool; undefined for a word that names none. */
export function alertKindForWord(word: string): string | undefined {
  const key = word.toLowerCase();
  return Object.hasOwn(alertKinds, key) ? alertKinds[key] : undefined;
}

/** The title for a box without one: `example` → Example. */
export function titleOfKind(word: string): string {
  const written = word === word.toUpperCase() ? word.toLowerCase() : word;
  const words = written.toLowerCase() === "seealso" ? "see also" : written.replace(/(?<=\p{L})[-_]+(?=\p{L})/gu, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function alertKindOrNote(word: string): string {
  return alertKindForWord(word) ?? "NOTE";
}

/** Tells whether readers must see an alert at once, so that it never becomes a folded block. */
export function isSafety(kind: string): boolean {
  return isHazard(kind.toLowerCase()) || kind === "IMPORTANT";
}
