/** Decides from which side a document is read, for all exports. */
import { fromRight, isRightToLeft } from "../text/clean-text.ts";
import type { ExportDocument } from "./document.ts";

const languages = /^(?:ar|arc|ckb|dv|fa|he|iw|nqo|ps|sd|syr|ug|ur|yi)(?:-|$)/i;
const anyLetter = /\p{L}/gu;
/** Code and addresses have Latin letters in any language, so they don't count. */
const notWords = /^(`{3,}|~{3,})[^]*?^\1|`[^`\n]*`|\]\([^)\s]*|https?:\/\/\S+|<[^>\n]*>/gm;

/**
 * Tells whether a document as a whole is read from right to left: title, tables, lists, page headers and footers. Its
 * language decides, or the majority of its letters. A document without a right-to-left letter never is.
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
const fromLeftMark = "\u200e";
const space = "[ \\u00a0\\u202f]";
const digit = "[\\d\\u06f0-\\u06f9]";
const sign = `(?:[<>≤≥~≈]${space}?|[±+−-])`;
/** A number, with groups of three digits or an exponent: 12.5, 1 000, 10⁻³, 3½. */
const number = `${digit}(?:${digit}|[.,:/])*(?:${space}\\d{3}(?!${digit}))*[½¼¾⁺⁻⁰¹²³⁴-⁹]*`;
const unit = `(?:[ \\u00a0\\u202f_/-]?(?:[%‰]|°${space}?[CFK]?|[µμ]?[A-Za-zΩ]{1,5}[²³⁻¹]*(?:[/·][A-Za-zµμ]{1,5}[\\d²³]?)*))`;
/** Between the numbers of a range or a size: 80-90, 5 – 7, 10×20, -20…-10. */
const joint = `(?:${space}?(?:[-−–—…×]|\\.{2,3})${space}?[-−+±]?)`;
const between = `(?:${space}?[<>≤≥]${space}?[A-Za-z]{1,3}${space}?[<>≤≥]${space}?)`;

/**
 * Matches a number or range with its sign and unit (80 °C, 5–7 bar, ≤ 5 %, 1200-X, 10 × 20 mm), one with three parts or
 * more (2026-11-28), or a telephone number (+49 30 1234). After a right-to-left letter, a hyphen belongs to a prefix.
 */
export const measures = new RegExp(
  `(?:(?<![\\p{L}\\p{N}.,:/\\u200e-])${sign}?|(?<=[\\p{Script=Hebrew}\\p{Script=Arabic}]-))` +
    `(?:(?:${number}${unit}?(?:${joint}|${between})){0,3}${number}(?:${unit}|(?:-\\d+){2,})|(?:(?<=\\+)|0)\\d+(?:[ -]\\d+)+)(?![\\p{L}\\p{N}])`,
  "gu",
);

/** A sign apart from its number, which the text after it would take along. */
const signApart = /[ \u00a0\u202f][%‰°]$/;

/**
 * Keeps the order of numbers and their units in a right-to-left text. Without the mark, "80 °C" reads "C° 80" there.
 */
export function keepMeasureOrder(text: string): string {
  const markAfter = (measure: string) => (signApart.test(measure) ? fromLeftMark : "");
  return text.replace(measures, (measure) => `${fromLeftMark}${measure}${markAfter(measure)}`);
}

/** A line of words, such as a title, whose numbers keep their order. */
export function lineInOrder(text: string): string {
  return isTextRightToLeft(text, true) ? keepMeasureOrder(text) : text;
}
