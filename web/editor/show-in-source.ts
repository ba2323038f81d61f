import type { MarkdownPosition } from "./finding-places.ts";

/** Selects the words at a position of the canonical text in the source, scrolls to them and focuses them. */
export function showInSource(area: HTMLTextAreaElement, canonical: string, at: MarkdownPosition): void {
  const [from, to] = sourceRange(area.value, canonical, at);
  area.focus({ preventScroll: true });
  area.setSelectionRange(from, to);
  const top = topOfOffset(area, from);
  area.scrollTop = top - area.clientHeight / 2;
  const { scrollingElement: page } = document;
  if (page) page.scrollTop += area.getBoundingClientRect().top + top - area.scrollTop - window.innerHeight / 3;
}

/**
 * Returns how many pixels a character is below the top of the text area's content. A text area can't tell, so its text
 * is rendered in a copy and measured.
 */
function topOfOffset(area: HTMLTextAreaElement, offset: number): number {
  const copy = document.createElement("div");
  copy.className = `${area.className} invisible absolute`;
  copy.style.cssText = `width: ${area.offsetWidth}px; white-space: pre-wrap; overflow-wrap: break-word`;
  const mark = document.createElement("span");
  copy.append(area.value.slice(0, offset), mark);
  area.before(copy);
  const top = mark.offsetTop;
  copy.remove();
  return top;
}

/**
 * Finds a position of the canonical text in the text as typed: the same occurrence of the same words, or the start of
 * the line if the words are gone.
 */
export function sourceRange(source: string, canonical: string, at: MarkdownPosition): [from: number, to: number] {
  const [start, end] = [
    offsetOfLineAndColumn(canonical, at.line, at.column),
    offsetOfLineAndColumn(canonical, at.endLine, at.endColumn),
  ];
  if (source === canonical) return [start, end];
  const words = canonical.slice(start, end);
  let from = -1;
  if (words.trim() !== "") {
    const before = canonical.slice(0, start).split(words).length;
    for (let count = 0; count < before && (count === 0 || from !== -1); count += 1) {
      from = source.indexOf(words, from + 1);
    }
  }
  if (from !== -1) return [from, from + words.length];
  const line = offsetOfLineAndColumn(source, at.line, 1);
  return [line, line];
}

function offsetOfLineAndColumn(text: string, line: number, column: number): number {
  const above = text.split("\n").slice(0, Math.max(0, line - 1));
  return Math.min(text.length, above.reduce((sum, { length }) => sum + length + 1, 0) + column - 1);
}
