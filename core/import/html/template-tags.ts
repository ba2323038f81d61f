/** Opens the placeholder for a site generator's tag while HTML is parsed. */
export const templateMark = "\uE0E0";

/**
 * `{{ … }}` and `{% … %}` can contain quotes and angle brackets that are no HTML. They are removed and put back
 * unchanged.
 */
export function hideTemplateTags(html: string): { text: string; show(markdown: string): string } {
  const tags: string[] = [];
  const text = html.replace(/\{\{[^]*?\}\}|\{%[^]*?%\}/g, (tag) => `${templateMark}${tags.push(tag) - 1}\uE0E1`);
  const show = (markdown: string) =>
    markdown
      .replace(/%EE%83%A0(\d+)%EE%83%A1/gi, `${templateMark}$1\uE0E1`)
      .replace(/\uE0E0(\d+)\uE0E1/g, (_, index: string) => (tags[Number(index)] ?? "").replace(/\s+/g, " "));
  return { text, show };
}
