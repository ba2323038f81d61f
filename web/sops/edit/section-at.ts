/** The heading above a line of Markdown; null above the first. A heading-like line in code doesn't count. */
export function sectionAt(markdown: string, line: number): string | null {
  let [heading, fence]: [string | null, string | null] = [null, null];
  for (const text of markdown.split("\n").slice(0, line)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(text)?.[1];
    if (mark && (fence === null || (mark[0] === fence[0] && mark.length >= fence.length))) {
      fence = fence === null ? mark : null;
      continue;
    }
    const words = fence === null ? /^ {0,3}#{1,6}\s+(.+?)\s*#*$/.exec(text)?.[1] : undefined;
    if (words !== undefined) heading = words.replaceAll(/[*_`\\]/gu, "");
  }
  return heading;
}
