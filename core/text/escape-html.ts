import { cleanText } from "./clean-text.ts";

/** Text for use between tags. In attributes, quotes need it too. */
export function escapeBetweenTags(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** A document's text for use between tags and in quoted attributes: cleaned as in PDFs and Word files, and escaped. */
export function escapeHtml(text: string): string {
  return escapeBetweenTags(cleanText(text)).replaceAll('"', "&quot;").replaceAll("'", "&#39;");
}
