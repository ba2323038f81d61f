/** The text that somebody may edit next, read while they read it: of what opening an editor takes, most is this. */
import type { Root } from "mdast";
import { parseInParts } from "#core/markdown/parse-parts.ts";
import { parseMarkdown } from "#core/markdown/parse.ts";
import { whenIdle } from "../preload-links.ts";

/** The latest that was asked for; the object tells two askings of one text apart. */
let asked: { markdown: string } | null = null;
let ahead: { markdown: string; root: Root } | null = null;

/** Part by part, whenever nothing else is to be done; the latest text asked for is the one that is kept. */
export async function parseAhead(markdown: string): Promise<void> {
  if (ahead?.markdown === markdown) return;
  const own = { markdown };
  asked = own;
  ahead = null;
  const parts = parseInParts(markdown);
  for (;;) {
    await new Promise<void>(whenIdle);
    if (asked !== own) return;
    const { done, value } = parts.next();
    if (!done) continue;
    ahead = { markdown, root: value };
    asked = null;
    return;
  }
}

/** The tree of a text; one that was read ahead is given once, as who gets it may change it. */
export function parsed(markdown: string): Root {
  const root = ahead?.markdown === markdown ? ahead.root : parseMarkdown(markdown);
  asked = null;
  ahead = null;
  return root;
}
