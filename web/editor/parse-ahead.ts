/** Parses the text that the user may edit next while they read it. Parsing is most of the work of opening an editor. */
import type { Root } from "mdast";
import { splitLists } from "#core/markdown/list-numbers.ts";
import { parseInParts } from "#core/markdown/parse-parts.ts";
import { parseMarkdown } from "#core/markdown/parse.ts";
import { whenIdle } from "../preload-links.ts";

/** The latest request; the object tells two requests for one text apart. */
let latest: { markdown: string } | null = null;
let ahead: { markdown: string; root: Root } | null = null;

/** Parses part by part when the browser is idle. Only the latest requested text is kept. */
export async function parseAhead(markdown: string): Promise<void> {
  if (ahead?.markdown === markdown) return;
  const own = { markdown };
  latest = own;
  ahead = null;
  const parts = parseInParts(markdown, parseMarkdown);
  for (;;) {
    await new Promise<void>(whenIdle);
    if (latest !== own) return;
    const { done, value } = parts.next();
    if (!done) continue;
    ahead = { markdown, root: value };
    latest = null;
    return;
  }
}

/** The blocks of a text as the editor shows them. A tree that was parsed ahead is returned once, because the caller may change it. */
export function takeParsed(markdown: string): Root {
  const root = ahead?.markdown === markdown ? ahead.root : parseMarkdown(markdown);
  latest = null;
  ahead = null;
  splitLists(root, markdown);
  return root;
}

/** The same for a caller that only looks up positions: a tree that was parsed ahead stays. */
export function shownTree(markdown: string): Root {
  const root = parseMarkdown(markdown);
  splitLists(root, markdown);
  return root;
}
