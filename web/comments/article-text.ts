/**
 * Reads the article on screen as the text that comments are anchored in, and finds positions of that text in the page.
 */
import { createAnchorText, type AnchorText, type AnchoredRange } from "#core/comments/anchor.ts";
import { isInlineTag } from "#core/comments/blocks.ts";
import { limits } from "#core/limits.ts";
import { notOfTextAttribute } from "./not-of-text.ts";

export interface ArticleText extends AnchorText {
  /** The page position of each character in `text`; null between two blocks. */
  places: readonly ({ node: Text; offset: number } | null)[];
}

/** Reads an article on screen. Its blocks are those that `blocksOfHtml` finds in the article's HTML. */
export function readArticleText(article: Element): ArticleText {
  const blocks: string[] = [];
  const places: ({ node: Text; offset: number } | null)[] = [];
  let block = "";
  let waiting: { node: Text; offset: number } | null = null;
  let here: ({ node: Text; offset: number } | null)[] = [];
  const closeBlock = () => {
    if (block !== "") {
      if (blocks.length > 0) places.push(null);
      blocks.push(block);
      places.push(...here);
    }
    [block, here, waiting] = ["", [], null];
  };
  const addText = (node: Text) => {
    for (let offset = 0; offset < node.data.length; offset++) {
      const character = node.data.charAt(offset);
      if (/\s/.test(character)) {
        waiting ??= { node, offset };
        continue;
      }
      if (waiting && block !== "") {
        block += " ";
        here.push(waiting);
      }
      waiting = null;
      block += character;
      here.push({ node, offset });
    }
  };
  const walkChildren = (parent: Node) => {
    for (const node of parent.childNodes) {
      if (node instanceof Text) addText(node);
      else if (node instanceof Element) visitElement(node);
    }
  };
  const visitElement = (element: Element) => {
    const tagName = element.localName;
    if (element.hasAttribute(notOfTextAttribute)) return;
    // A line break counts as a space but has no text node, so it gets the position of the next character.
    if (tagName === "br") waiting ??= nextTextPosition(element);
    else if (isInlineTag(tagName) || tagName === "mark") walkChildren(element);
    else {
      closeBlock();
      walkChildren(element);
      closeBlock();
    }
  };
  walkChildren(article);
  closeBlock();
  return { ...createAnchorText(blocks), places };
}

/** Returns the start of the first text node after an element; null if there is none. */
function nextTextPosition(element: Element): { node: Text; offset: number } | null {
  const walker = document.createTreeWalker(element.getRootNode(), NodeFilter.SHOW_TEXT);
  walker.currentNode = element;
  const node = walker.nextNode();
  return node instanceof Text ? { node, offset: 0 } : null;
}

/**
 * Returns the range in the page of an anchored range; null if the article on screen doesn't have its block or words
 * anymore.
 */
export function anchorRangeOf(article: ArticleText, place: AnchoredRange): Range | null {
  const block = article.blocks.find(({ key }) => key === place.block);
  if (!block) return null;
  return rangeBetween(article, block.start + place.start, block.start + place.end);
}

/** Returns the page's range from one index of the text to another; null if its elements are no longer in the page. */
function rangeBetween({ places }: ArticleText, start: number, end: number): Range | null {
  const [first, last] = [places[start], places[end - 1]];
  if (!first?.node.isConnected || !last?.node.isConnected) return null;
  const range = document.createRange();
  range.setStart(first.node, first.offset);
  range.setEnd(last.node, Math.min(last.offset + 1, last.node.length));
  return range;
}

export interface SelectedText {
  /** The key of the block in which the words begin. */
  block: string;
  quote: string;
  /** The index of the first character within that block. */
  start: number;
}

/**
 * Returns the selected words as an anchor, cut to the maximum length of a quote; null if the selection has no words of
 * the article.
 */
export function selectedTextOf(article: ArticleText, selection: Range): SelectedText | null {
  let [start, end] = [-1, -1];
  let node: Text | null = null;
  let [from, to] = [0, 0];
  article.places.forEach((place, at) => {
    if (!place) return;
    if (place.node !== node) {
      node = place.node;
      from = node === selection.startContainer ? selection.startOffset : 0;
      to = node === selection.endContainer ? selection.endOffset : node.length;
      if (!selection.intersectsNode(node)) to = 0;
    }
    if (place.offset < from || place.offset >= to) return;
    if (start === -1) start = at;
    end = at + 1;
  });
  while (start < end && article.text[start] === " ") start++;
  end = Math.min(end, start + limits.quoteCharacters);
  while (end > start && article.text[end - 1] === " ") end--;
  const block = article.blocks.findLast((one) => one.start <= start);
  if (start === -1 || end <= start || !block) return null;
  return { block: block.key, quote: article.text.slice(start, end), start: start - block.start };
}

/** Returns the index of the first character in a text node at or after an offset; -1 if there is none. */
export function characterIndexAt(article: ArticleText, node: Node, offset: number): number {
  return article.places.findIndex((place) => place?.node === node && place.offset >= offset);
}
