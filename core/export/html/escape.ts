import { cleanText } from "../../markdown/clean-text.ts";
import { escapeHtml as betweenTags } from "../../markdown/escape-html.ts";

/** A document's text for use between tags and in quoted attributes: cleaned as in PDFs and Word files, and escaped. */
export function escapeHtml(text: string): string {
  return betweenTags(cleanText(text)).replaceAll('"', "&quot;").replaceAll("'", "&#39;");
}
