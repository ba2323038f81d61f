import { isHazard } from "#core/markdown/alert-grades.ts";

/**
 * Words for alert kinds in other tools, such as MkDocs → the alert kind of this product.
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

/** Returns the alert kind for a word of another tool, in capitals (`NOTE`); undefined for a word that names none. */
export function alertKindForWord(word: string): string | undefined {
  const key = word.toLowerCase();
  return Object.hasOwn(alertKinds, key) ? alertKinds[key] : undefined;
}

/** Returns the title for an alert without a title, made from its kind: `example` → Example. */
export function titleFromKindWord(word: string): string {
  const written = word === word.toUpperCase() ? word.toLowerCase() : word;
  const words = written.toLowerCase() === "seealso" ? "see also" : written.replace(/(?<=\p{L})[-_]+(?=\p{L})/gu, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function alertKindOrNote(word: string): string {
  return alertKindForWord(word) ?? "NOTE";
}

/** Tells whether an alert of this kind never becomes a folded block: hazards, and `IMPORTANT` in capitals. */
export function isNeverFolded(kind: string): boolean {
  return isHazard(kind.toLowerCase()) || kind === "IMPORTANT";
}
