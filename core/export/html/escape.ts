import { cleanText } from "../../markdown/clean-text.ts";

/** Text of a document as it can appear between tags and in quoted attributes: cleaned as in PDFs and Word files, and escaped. */
export function escapeHtml(text: string): string {
  return cleanText(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
