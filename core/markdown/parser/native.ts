/** The parser of server and CLI: 20 times as fast as micromark, with the same trees. The browser has `micromark.ts`. */
import type { Root } from "mdast";
import { hasFrontMatter, type ParseOptions } from "./front-matter.ts";
import * as micromark from "./micromark.ts";
import { alignQuotes } from "./quotes.ts";

/** Undefined where it has no binary for this platform. */
const satteri = await import("satteri").catch(() => undefined);

/** Whether it is there. */
export const isNative = satteri !== undefined;

export function parse(text: string, options: ParseOptions): Root {
  if (satteri === undefined || needsMicromark(text)) return micromark.parse(text, options);
  const frontmatter = options.frontMatter && hasFrontMatter(text);
  const tree = satteri.markdownToMdast(text, { features: { frontmatter } }) as Root;
  if (text.includes(">")) alignQuotes(tree);
  return tree;
}

/** Where the two disagree, or where one takes long: `native.test.ts` has examples. */
export function needsMicromark(text: string): boolean {
  return unusual.test(text) || !text.isWellFormed() || deep.test(text);
}

/**
 * NUL, a carriage return alone, a byte order mark, and what only may be a bare address. An email address has a dot after
 * the `@`, and `www.` after a letter or digit is none.
 */
const unusual = /\0|\r(?!\n)|\uFEFF|\/[\w.+-]+@(?![-\w]+(?:[/\s)]|$))|(?<![\s(*~\w]|^|:\/\/)www\.|www\.(?![\w-])/i;
const deep = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))){100}/m;
