import { cleanText } from "../../markdown/clean-text.ts";

/** A document's text for use between tags and in quoted attributes: cleaned as in PDFs and Word files, and escaped. */
export function escapeHtml(text: string): string {
  return cleanText(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
