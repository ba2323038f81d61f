const headingLevelOf = ({ tagName }: Element) => Number(/^H([1-6])$/.exec(tagName)?.[1] ?? 0);

/**
 * Hides headings without content below them. Their words stay in the HTML, because positions of comments count them. A
 * text with headings only is an outline and stays unchanged.
 */
export function withoutEmptyHeadings(html: string): string {
  if (!/<\/h[1-6]>\s*(?:<h[1-6]|$)/.test(html)) return html;
  const { body } = new DOMParser().parseFromString(html, "text/html");
  const fromTheEnd = [...body.children].toReversed();
  if (fromTheEnd.every((element) => headingLevelOf(element) > 0)) return html;
  let below = 1;
  for (const element of fromTheEnd) {
    const level = headingLevelOf(element);
    if (level > 0 && below > 0 && below <= level) element.setAttribute("hidden", "");
    else below = level;
  }
  return body.innerHTML;
}
