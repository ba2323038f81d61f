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
/**
 * Matches a number with its sign and unit (80 °C, 5–7 bar, ≤ 5 %, 1200-X), or with three parts or more (2026-11-28).
 * After a right-to-left letter, a hyphen belongs to a prefix.
 */
export const measures =
  /(?:(?<![\p{L}\p{N}.,:/\u200e-])(?:[<>≤≥~≈][ \u00a0\u202f]?|[±+−-])?|(?<=[\p{Script=Hebrew}\p{Script=Arabic}]-))[\d\u06f0-\u06f9][\d\u06f0-\u06f9.,:/–]*(?:[ \u00a0\u202f_/-]?(?:[%‰]|°[ \u00a0\u202f]?[CFK]?|[µμ]?[A-Za-zΩ]{1,5}(?:[/·][A-Za-zµμ]{1,5}\d?)*)|(?:-\d+){2,})(?![\p{L}\p{N}])/gu;

/**
 * Keeps the order of numbers and their units in a right-to-left text. Without the mark, "80 °C" reads "C° 80" there.
 */
export function keepMeasures(text: string): string {
  return text.replace(measures, (measure) => fromLeftMark + measure);
}

/** A line of words, such as a title, whose numbers keep their order. */
export function lineInOrder(text: string): string {
  return isTextRightToLeft(text, true) ? keepMeasures(text) : text;
}
