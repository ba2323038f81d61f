/**
 * Highlights words with comments. If the browser has the CSS highlight API, the elements of the text stay as they are.
 */

export interface HighlightedComment {
  id: string;
  range: Range;
  active: boolean;
}

/** Highlights the words of these comments. @returns a function that removes the highlights */
export function showHighlights(marked: readonly HighlightedComment[]): () => void {
  return typeof CSS !== "undefined" && "highlights" in CSS ? highlightRanges(marked) : wrapInMarks(marked);
}

const [otherHighlight, activeHighlight] = ["comments", "comment-active"];

function highlightRanges(marked: readonly HighlightedComment[]): () => void {
  const rangesOf = (active: boolean) => marked.filter((one) => one.active === active).map(({ range }) => range);
  CSS.highlights.set(otherHighlight, new Highlight(...rangesOf(false)));
  const front = new Highlight(...rangesOf(true));
  front.priority = 1;
  CSS.highlights.set(activeHighlight, front);
  return () => {
    CSS.highlights.delete(otherHighlight);
    CSS.highlights.delete(activeHighlight);
  };
}

/**
 * Wraps each piece of text in `<mark>`, for browsers without the highlight API. Starts at the end, so that earlier
 * offsets stay valid.
 */
function wrapInMarks(marked: readonly HighlightedComment[]): () => void {
  const made = marked.flatMap(({ id, range, active }) =>
    textNodesInRange(range)
      .toReversed()
      .map(([node, start, end]) => {
        const middle = start > 0 ? node.splitText(start) : node;
        if (end - start < middle.length) middle.splitText(end - start);
        const mark = document.createElement("mark");
        mark.dataset["thread"] = id;
        if (active) mark.dataset["active"] = "";
        middle.replaceWith(mark);
        mark.append(middle);
        return mark;
      }),
  );
  return () => {
    for (const mark of made) {
      const parent = mark.parentNode;
      mark.replaceWith(...mark.childNodes);
      parent?.normalize();
    }
  };
}

/** Returns the pieces of text in a range, without pieces that are only spaces. */
function textNodesInRange(range: Range): [node: Text, start: number, end: number][] {
  const found: [Text, number, number][] = [];
  const walker = document.createTreeWalker(range.commonAncestorContainer, NodeFilter.SHOW_TEXT);
  for (let node: Node | null = walker.currentNode; node; node = walker.nextNode()) {
    if (!(node instanceof Text) || !range.intersectsNode(node)) continue;
    const start = node === range.startContainer ? range.startOffset : 0;
    const end = node === range.endContainer ? range.endOffset : node.length;
    if (end > start && node.data.slice(start, end).trim() !== "") found.push([node, start, end]);
  }
  return found;
}
