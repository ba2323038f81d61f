/** Parses a text that the user reads and may edit next, because parsing is most of the work of opening an editor. */
import type { Root } from "mdast";
import { splitListsAtNumberJumps } from "#core/markdown/list-numbers.ts";
import { parseInParts } from "#core/markdown/parse-parts.ts";
import { parseMarkdown } from "#core/markdown/parse.ts";
import { runWhenIdle } from "../preload-links.ts";

/** The latest request to parse a text. An object, so that two requests for the same text differ. */
let latest: { markdown: string } | null = null;
let ahead: { markdown: string; root: Root } | null = null;

/**
 * Parses a text in parts while the browser is idle, and keeps its tree for `takeParsedTree`. A later request replaces
 * an earlier one.
 */
export async function parseAhead(markdown: string): Promise<void> {
  if (ahead?.markdown === markdown) return;
  const own = { markdown };
  latest = own;
  ahead = null;
  const parts = parseInParts(markdown, parseMarkdown);
  for (;;) {
    await new Promise<void>(runWhenIdle);
    if (latest !== own) return;
    const { done, value } = parts.next();
    if (!done) continue;
    ahead = { markdown, root: value };
    latest = null;
    return;
  }
}

/**
 * Returns the syntax tree of a text with its lists split as in the editor. A tree parsed ahead is returned only once,
 * because the caller may change it.
 */
export function takeParsedTree(markdown: string): Root {
  const root = ahead?.markdown === markdown ? ahead.root : parseMarkdown(markdown);
  latest = null;
  ahead = null;
  splitListsAtNumberJumps(root, markdown);
  return root;
}

/**
 * Parses a text as `takeParsedTree` does, to look up positions. A tree parsed ahead stays for the caller that opens the
 * editor.
 */
export function parseForPositions(markdown: string): Root {
  const root = parseMarkdown(markdown);
  splitListsAtNumberJumps(root, markdown);
  return root;
}
