/** Detects the reading direction of documents and texts, for all exports. */
import { fromRight, isRightToLeft } from "../text/clean-text.ts";
import type { ExportDocument } from "./document.ts";

const languages = /^(?:ar|arc|ckb|dv|fa|he|iw|nqo|ps|sd|syr|ug|ur|yi)(?:-|$)/i;
const anyLetter = /\p{L}/gu;
/** Matches code and addresses, which have Latin letters in any language and so don't count. */
const notWords = /^(`{3,}|~{3,})[^]*?^\1|`[^`\n]*`|\]\([^)\s]*|https?:\/\/\S+|<[^>\n]*>/gm;

/**
 * Tells whether a document as a whole is read from right to left, by its language or else by the majority of its
 * letters. A document without a right-to-left letter never is.
 */
export function isDocumentRightToLeft({ lang, title, markdown }: Pick<ExportDocument, "lang" | "title" | "markdown">) {
  const text = `${title}\n${markdown.replace(notWords, " ")}`;
  if (!fromRight.test(text)) return false;
  if (lang !== null && languages.test(lang)) return true;
  const letters = text.match(anyLetter) ?? [];
  return letters.filter((letter) => fromRight.test(letter)).length * 2 > letters.length;
}

/**
 * Tells whether a piece of text is read from right to left. In a left-to-right document, its first letter decides; in a
 * right-to-left document, any right-to-left letter.
 */
export function isTextRightToLeft(text: string, inDocument: boolean): boolean {
  return inDocument ? fromRight.test(text) : isRightToLeft(text);
}

/** An invisible character that makes the following text read from left to right. */
const leftToRightMark = "\u200e";
const space = "[ \\u00a0\\u202f]";
const digit = "[\\d\\u06f0-\\u06f9]";
const sign = `(?:[<>≤≥~≈]${space}?|[±+−-])`;
/** Matches a number, with groups of three digits or an exponent: 12.5, 1 000, 10⁻³, 3½. */
const number = `${digit}(?:${digit}|[.,:/])*(?:${space}\\d{3}(?!${digit}))*[½¼¾⁺⁻⁰¹²³⁴-⁹]*`;
const unit = `(?:[ \\u00a0\\u202f_/-]?(?:[%‰]|°${space}?[CFK]?|[µμ]?[A-Za-zΩ]{1,5}[²³⁻¹]*(?:[/·][A-Za-zµμ]{1,5}[\\d²³]?)*))`;
/** Matches the signs between the numbers of a range or size: 80-90, 5 – 7, 10×20, -20…-10. */
const joint = `(?:${space}?(?:[-−–—…×]|\\.{2,3})${space}?[-−+±]?)`;
const between = `(?:${space}?[<>≤≥]${space}?[A-Za-z]{1,3}${space}?[<>≤≥]${space}?)`;

/**
 * Matches a number or range with its sign and unit (80 °C, 5–7 bar, ≤ 5 %), a number with three or more parts
 * (2026-11-28), or a telephone number (+49 30 1234). A hyphen after a right-to-left letter belongs to a prefix.
 */
export const measurePattern = new RegExp(
  `(?:(?<![\\p{L}\\p{N}.,:/\\u200e-])${sign}?|(?<=[\\p{Script=Hebrew}\\p{Script=Arabic}]-))` +
    `(?:(?:${number}${unit}?(?:${joint}|${between})){0,3}${number}(?:${unit}|(?:-\\d+){2,})|(?:(?<=\\+)|0)\\d+(?:[ -]\\d+)+)(?![\\p{L}\\p{N}])`,
  "gu",
);

/** Matches a sign after a space, which would move away from its number in a right-to-left text. */
const signApart = /[ \u00a0\u202f][%‰°]$/;

/**
 * Returns a right-to-left text with marks that keep the order of numbers and units. Without the marks, "80 °C" would be
 * shown as "C° 80".
 */
export function withMeasureOrderMarks(text: string): string {
  const markAfter = (measure: string) => (signApart.test(measure) ? leftToRightMark : "");
  return text.replace(measurePattern, (measure) => `${leftToRightMark}${measure}${markAfter(measure)}`);
}

/** Returns a line, such as a title, with marks that keep the order of its numbers. */
export function lineWithMeasureOrder(text: string): string {
  return isTextRightToLeft(text, true) ? withMeasureOrderMarks(text) : text;
}
