/** Which side a document is read from, for all exports. */
import { fromRight, isRightToLeft } from "../text/clean-text.ts";
import type { ExportDocument } from "./document.ts";

const languages = /^(?:ar|arc|ckb|dv|fa|he|iw|nqo|ps|sd|syr|ug|ur|yi)(?:-|$)/i;
const anyLetter = /\p{L}/gu;
/** Code and addresses have Latin letters in any language. */
const notWords = /^(`{3,}|~{3,})[^]*?^\1|`[^`\n]*`|\]\([^)\s]*|https?:\/\/\S+|<[^>\n]*>/gm;

/**
 * Is a document read from the right as a whole: title, tables, lists, head and foot of its pages? Its language decides, or the
 * larger part of its letters. A document without a letter from the right never is.
 */
export function isDocumentRightToLeft({ lang, title, markdown }: Pick<ExportDocument, "lang" | "title" | "markdown">) {
  const text = `${title}\n${markdown.replace(notWords, " ")}`;
  if (!fromRight.test(text)) return false;
  if (lang !== null && languages.test(lang)) return true;
  const letters = text.match(anyLetter) ?? [];
  return letters.filter((letter) => fromRight.test(letter)).length * 2 > letters.length;
}

/** Is a piece of text read from the right? In a document from the left its first letter decides, in one from the right any. */
export function isTextRightToLeft(text: string, inDocument: boolean): boolean {
  return inDocument ? fromRight.test(text) : isRightToLeft(text);
}

/** Says that what follows is read from the left. It has no width. */
const fromLeftMark = "\u200e";
/**
 * A number with its sign and unit (80 °C, 5–7 bar, ≤ 5 %, 1200-X), or of three parts or more (2026-11-28). After a letter from the
 * right, a hyphen belongs to a prefix.
 */
export const measures =
  /(?:(?<![\p{L}\p{N}.,:/\u200e-])(?:[<>≤≥~≈][ \u00a0\u202f]?|[±+−-])?|(?<=[\p{Script=Hebrew}\p{Script=Arabic}]-))[\d\u06f0-\u06f9][\d\u06f0-\u06f9.,:/–]*(?:[ \u00a0\u202f_/-]?(?:[%‰]|°[ \u00a0\u202f]?[CFK]?|[µμ]?[A-Za-zΩ]{1,5}(?:[/·][A-Za-zµμ]{1,5}\d?)*)|(?:-\d+){2,})(?![\p{L}\p{N}])/gu;

/**
 * A text with letters from the right, in which numbers keep their order and their unit. Without the mark, "80 °C" reads
 * "C° 80" there.
 */
export function keepMeasures(text: string): string {
  return text.replace(measures, (measure) => fromLeftMark + measure);
}

/** A line of words, such as a title, with its numbers in order. */
export function lineInOrder(text: string): string {
  return isTextRightToLeft(text, true) ? keepMeasures(text) : text;
}
