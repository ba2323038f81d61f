import { cleanLine, cleanText } from "./clean-text.ts";

/** Escapes text between tags. In attributes, quotes must be escaped too. */
export function escapeBetweenTags(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Cleans a text by `cleanText`, and escapes it for use between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return escapeQuotes(cleanText(text));
}

/** Like `escapeHtml`, for a title or another short text, in which `cleanLine` closes the isolates. */
export function escapeLine(text: string): string {
  return escapeQuotes(cleanLine(text));
}

function escapeQuotes(text: string): string {
  return escapeBetweenTags(text).replaceAll('"', "&quot;").replaceAll("'", "&#39;");
}
