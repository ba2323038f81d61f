/**
 * Builds the HTML pages of the preview and of comparisons. They allow no script and no style in documents, which come
 * from strangers.
 */

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

export interface HtmlPage {
  title: string;
  /** HTML that is already escaped or sanitized. */
  body: string;
  head?: string;
}

export function htmlPage({ title, body, head = "" }: HtmlPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
${head}</head>
<body>
${body}</body>
</html>
`;
}
