/**
 * Numbers of SOPs. The company's scheme makes the next number and decides which chosen numbers are allowed. A number
 * has capital letters, digits, `-` and `.`, and ends with the digits that count up. Browsers load this file with the
 * settings, so it has no zod.
 */

import type { Sop } from "../sops/schema.ts";
import { sentences, type MessageWithId } from "../language/catalog.ts";

const refusals = sentences("core.numbers.refusals", {
  longScheme: "Use at most {most} characters",
  end: "End the scheme with {seq}, once: the digits that count up",
  digits: "Use 1 to 9 digits: {least} to {most}",
  unknownPart: "{whole} is not known. Use {category}, {year} and {seq}",
  capitals: "Use capital letters A to Z, digits, - and . beside {category}, {year} and {seq}",
  separator: "Write - or . before {seq}",
  start: "Begin with a letter or digit, and write - and . only between others",
  letters: "Begin with letters or {category}, so that texts can name the number",
  unclear: "The number {number} can mean {labels}. Write it as one of them",
  or: "{first} or {second}",
  otherScheme: "\"{wanted}\" doesn't fit the company's numbers. Write one such as {example}",
});

/** The scheme of numbers such as `SOP-0042`. */
export const defaultNumberScheme = "SOP-{seq:4}";

/** The facts about an SOP that its number contains. */
export interface NumberFacts {
  /** The slug of the SOP's category; null without a category. */
  category: string | null;
  year: number;
}

type SchemePart = { kind: "text"; text: string } | { kind: "category" | "year" };

export interface NumberScheme {
  /** The parts before the counting digits. */
  parts: SchemePart[];
  /** The minimum number of counting digits. */
  width: number;
}

export const numberLimits = { scheme: 60, number: 100 };

/** Parts of a scheme as people write them, for messages. Braces in the text of a message would be parameters. */
const placeholders = { category: "{category}", year: "{year}", seq: "{seq:3}" };
const { seq } = placeholders;
const placeholder = /\{([^{}]*)\}/g;
const shape = /^[A-Z0-9]+(?:[.-][A-Z0-9]+)*[.-]\d{1,9}$/;

/** @returns the scheme, or the sentence about an error with its solution */
export function readNumberScheme(source: string): NumberScheme | MessageWithId {
  const text = source.trim();
  if (text.length > numberLimits.scheme) return refusals.longScheme({ most: numberLimits.scheme });
  const end = /\{seq(?::(\d+))?\}$/.exec(text);
  if (end === null || text.indexOf("{seq") !== end.index) return refusals.end({ seq });
  const width = Number(end[1] ?? 1);
  if (width < 1 || width > 9) return refusals.digits({ least: "{seq:1}", most: "{seq:9}" });
  const before = text.slice(0, end.index);
  const parts: SchemePart[] = [];
  let at = 0;
  for (const match of before.matchAll(placeholder)) {
    const [whole, name = ""] = match;
    if (name !== "category" && name !== "year") return refusals.unknownPart({ whole, ...placeholders });
    if (match.index > at) parts.push({ kind: "text", text: before.slice(at, match.index) });
    parts.push({ kind: name });
    at = match.index + whole.length;
  }
  if (at < before.length) parts.push({ kind: "text", text: before.slice(at) });
  const scheme = { parts, width };
  const texts = parts.flatMap((part) => (part.kind === "text" ? [part.text] : []));
  if (texts.some((one) => /[^A-Z0-9.-]/.test(one))) return refusals.capitals(placeholders);
  if (!/[.-]$/.test(before)) return refusals.separator({ seq });
  if (!shape.test(numberFromScheme(scheme, { category: "x", year: 2000 }, 1))) return refusals.start();
  if (!parts.some((part) => part.kind === "category" || (part.kind === "text" && /[A-Z]/.test(part.text))))
    return refusals.letters({ category: placeholders.category });
  return scheme;
}

/** Reads a stored scheme. An invalid one counts as the default. */
export function parseStoredScheme(source: string | undefined): NumberScheme {
  const scheme = readNumberScheme(source ?? defaultNumberScheme);
  return "text" in scheme ? { parts: [{ kind: "text", text: "SOP-" }], width: 4 } : scheme;
}

/** The start of a number, such as `HR-2026-`. SOPs with the same start share a count. */
export function numberStart({ parts }: NumberScheme, { category, year }: NumberFacts): string {
  return parts
    .map((part) => {
      if (part.kind === "text") return part.text;
      return part.kind === "year" ? String(year) : (category ?? "uncategorized").toUpperCase();
    })
    .join("");
}

/** The number for a count by the scheme, such as `HR-2026-007` for 7. */
export function numberFromScheme(scheme: NumberScheme, facts: NumberFacts, count: number): string {
  return numberStart(scheme, facts) + String(count).padStart(scheme.width, "0");
}

/**
 * Normalizes the characters of a number: ASCII capitals and digits, `-` for any dash, no spaces beside `-` and `.`.
 * Superscript or circled digits become a sign that no number contains, because they would otherwise become further
 * digits.
 */
function normalizedNumberText(text: string): string {
  return text
    .replace(/[\p{No}\p{Nl}]/gu, "#")
    .normalize("NFKC")
    .trim()
    .toUpperCase()
    .replace(/\s*[\p{Pd}\u00AD\u2043\u2212]+\s*/gu, "-")
    .replace(/\s*\.\s*/g, ".");
}

/**
 * Reads a number as people write it, and returns the stored form: `sop 42`, `SOP–0042` and `SOP42` are `SOP-0042`. Null
 * for a text that can't be a number.
 */
export function readNumber(text: string): string | null {
  const written = normalizedNumberText(text).replace(/[\s_]+/g, "-");
  const number = shape.test(written) ? written : written.replace(/(?<=[A-Z])(?=\d+$)/, "-");
  if (number.length > numberLimits.number || !shape.test(number)) return null;
  const digits = /^SOP-(\d+)$/.exec(number)?.[1];
  return digits === undefined ? number : `SOP-${String(Number(digits)).padStart(4, "0")}`;
}

/** A key that is equal for two spellings of one number (`HR-7`, `hr-007`), and sorts numbers by their value. */
export function numberKey(number: string): string {
  return number.toLowerCase().replace(/\d+/g, (digits) => digits.replace(/^0+(?=\d)/, "").padStart(9, "0"));
}

/** Tells whether a text has only the digits of a number, without its start. */
export function isBareNumber(text: string): boolean {
  return /^\d{1,9}$/.test(normalizedNumberText(text));
}

/**
 * Replaces letters and digits that look alike: `SOP-OOO8` and `S0P-0008` become `SOP-0008`. Letters after the last `-`
 * or `.` become digits; before it, digits beside letters become letters.
 */
export function withLookalikesReplaced(text: string): string {
  const [, start = "", count = ""] = /^(.*[-.\s_])?(.*)$/.exec(normalizedNumberText(text)) ?? [];
  const digitsAsLetters = (part: string) =>
    /[A-Z]/.test(part) ? part.replaceAll("0", "O").replaceAll("1", "I") : part;
  return start.replace(/[A-Z0-9]+/g, digitsAsLetters) + count.replace(/[OQ]/g, "0").replace(/[IL|]/g, "1");
}

/** The numbers that a spelling can mean. */
export interface NumberReading {
  /** The `numberKey` of the number as written; null for a text without `-` or `.`. */
  own: string | null;
  /** The `numberKey` of each number that the text can mean. */
  keys: string[];
}

const spellingsAtMost = 24;

/**
 * Finds the numbers that a text can mean. A text that can't be a number has no key.
 * @param starts the possible starts of a number whose text has only its digits
 */
export function readPossibleNumbers(text: string, starts: readonly string[] = []): NumberReading {
  if (isBareNumber(text))
    return { own: null, keys: starts.map((start) => numberKey(start + normalizedNumberText(text))) };
  const number = readNumber(text);
  if (number === null) return { own: null, keys: [] };
  const key = numberKey(number);
  const own = shape.test(normalizedNumberText(text)) ? key : null;
  const parts = number.match(/[A-Z]+|\d+/g) ?? [];
  let spellings = [""];
  for (const [index, part] of parts.entries()) {
    const isMixed = /\d/.test(parts[index - 1] ?? "") !== /\d/.test(part);
    const signs = index === 0 ? [""] : isMixed && index < parts.length - 1 ? ["-", ".", ""] : ["-", "."];
    spellings = spellings.flatMap((before) => signs.map((sign) => before + sign + part));
    if (spellings.length > spellingsAtMost) return { own, keys: [key] };
  }
  return { own, keys: [...new Set([key, ...spellings.map(numberKey)])] };
}

/** Tells whether a text spells this number. The counting digits of the number alone also spell it. */
export function isSpellingOfNumber(text: string, label: string): boolean {
  return readPossibleNumbers(text, [label.replace(/\d+$/, "")]).keys.includes(numberKey(label));
}

/** Returns the SOP with the number as written; if none has it, all SOPs that the text can mean. */
export function sopsNamedByNumber<T extends { labelKey: string }>(
  { own, keys }: NumberReading,
  all: readonly T[],
): T[] {
  const found = all.filter(({ labelKey }) => keys.includes(labelKey));
  const exact = found.find(({ labelKey }) => labelKey === own);
  return exact === undefined ? found : [exact];
}

/** Returns the error message for a text that can mean several SOPs. */
export function unclearNumberMessage(text: string, all: readonly { label: string }[]): MessageWithId {
  const [first = "", ...others] = all.map(({ label }) => label).sort();
  const labels = others
    .slice(0, 4)
    .reduce<string | MessageWithId>((before, label) => refusals.or({ first: before, second: label }), first);
  return refusals.unclear({ number: text.trim(), labels });
}

/** Tells whether a number has the form of the scheme, in any category and year. */
export function isNumberOfScheme(source: string, text: string): boolean {
  if (isBareNumber(text)) return constantStartOf(source) !== null;
  return new RegExp(`^${numberPatternOf(source)}$`).test(readNumber(text) ?? "");
}

/**
 * Tells whether a text is nearly a number of the scheme: with more text after the number (`SOP-0042 v2`), or with only
 * digits, `-` and `.` (`42.0`).
 */
export function isNearlyNumberOfScheme(source: string, text: string): boolean {
  if (isBareNumber(text) || isNumberOfScheme(source, text)) return false;
  const number = readNumber(text) ?? "";
  return !/[A-Z]/.test(number) || new RegExp(`^${numberPatternOf(source)}[.-]`).test(number);
}

function numberPatternOf(source: string): string {
  const scheme = parseStoredScheme(source);
  const forms = { category: "[A-Z0-9]+(?:-[A-Z0-9]+)*", year: "\\d{4}" };
  const start = scheme.parts.map((part) =>
    part.kind === "text" ? part.text.replaceAll(".", "\\.") : forms[part.kind],
  );
  return `${start.join("")}\\d{1,9}`;
}

/** The start of all numbers of a scheme; null if each category or year has its own start. */
export function constantStartOf(source: string): string | null {
  const scheme = parseStoredScheme(source);
  return scheme.parts.every(({ kind }) => kind === "text") ? numberStart(scheme, { category: null, year: 0 }) : null;
}

/**
 * Tells whether an SOP's number can't change anymore, because readers, tags or files may have it. The server also fixes
 * the number of an unpublished SOP that was published before.
 */
export function hasFixedNumber({
  status,
  published,
  scheduled,
}: Pick<Sop, "status" | "published" | "scheduled">): boolean {
  return status !== "draft" || published !== null || scheduled !== null;
}

/** An example of a company's numbers: not the first one, which most companies already use. */
export function exampleNumber(source: string | undefined, facts: NumberFacts): string {
  return numberFromScheme(parseStoredScheme(source), facts, 7);
}

/**
 * Writes a chosen number as the scheme spells it.
 * @param facts `year` is used for the example in an error only; the number can have any year
 * @returns the number, or the reason why it doesn't fit and a solution
 */
export function spellNumberByScheme(
  source: string,
  facts: NumberFacts,
  wanted: string,
): { number: string; reason?: never } | { number?: never; reason: MessageWithId } {
  const scheme = parseStoredScheme(source);
  const written = readNumber(wanted);
  const pattern = scheme.parts.map((part) =>
    part.kind === "year" ? "\\d{4}" : numberStart({ ...scheme, parts: [part] }, facts).replace(/\./g, "\\."),
  );
  const [, start, digits] = new RegExp(`^(${pattern.join("")})(\\d{1,9})$`).exec(written ?? "") ?? [];
  if (start === undefined || digits === undefined || Number(digits) === 0)
    return {
      reason: refusals.otherScheme({ wanted: wanted.trim(), example: exampleNumber(source, facts) }),
    };
  return { number: start + String(Number(digits)).padStart(scheme.width, "0") };
}
