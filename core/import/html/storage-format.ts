/**
 * Confluence's storage format is XML with tags that HTML does not have. Empty ones would swallow the following content,
 * and CDATA would be a comment. Afterwards `<ac:…>` and `<ri:…>` are ordinary elements.
 */
export function writeStorageTags(html: string): string {
  if (!/<(?:ac|ri):/i.test(html)) return html;
  return html
    .replace(/<!\[CDATA\[([^]*?)\]\]>/g, (_, text: string) => escapeHtml(text))
    .replace(/<((?:ac|ri):[\w-]+)((?:\s+[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*\/>/g, "<$1$2></$1>");
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
