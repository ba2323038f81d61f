/** The parser of server and CLI: 20 times as fast as remark, with the same trees. The browser uses `micromark.ts`. */
import type { Root } from "mdast";
import { eastAsianStars } from "../flanking.ts";
import { hasForeignMarks } from "./attention.ts";
import { hasFrontMatter, type ParseOptions } from "./front-matter.ts";
import { readDialectForms } from "./own-forms.ts";
import { alignQuotes } from "./quotes.ts";
import * as reference from "./remark.ts";

/** The native parser; undefined on a platform for which the package has no binary. */
const satteri = await import("satteri").catch(() => undefined);

export const isNative = satteri !== undefined;

export function parse(text: string, options: ParseOptions): Root {
  if (satteri === undefined || needsReferenceParser(text)) return reference.parse(text, options);
  const frontmatter = options.frontMatter && hasFrontMatter(text);
  const tree = satteri.markdownToMdast(text, { features: { frontmatter } }) as Root;
  if (otherMarks.test(text) && hasForeignMarks(tree, text)) return reference.parse(text, options);
  if (text.includes(">")) alignQuotes(tree);
  readDialectForms(tree, text);
  return tree;
}

/**
 * Tells whether a text needs the reference parser, because the native parser would give another tree or take long.
 * `native.test.ts` has examples.
 */
export function needsReferenceParser(text: string): boolean {
  return unusual.test(text) || !text.isWellFormed() || deep.test(text) || eastAsianStars.test(text);
}

/** Matches marks that are emphasis or strikethrough in GFM, and may be text in this product's dialect. */
const otherMarks = /(?<!~)~(?!~)|\p{Nd}\*|\*\p{Nd}/u;

/**
 * Matches rare text on which the parsers may differ: NUL, a single carriage return, a byte order mark, text that may be
 * a bare address, and a mark after an escaped mark.
 */
const unusual =
  /\0|\r(?!\n)|\uFEFF|\/[\w.+-]+@(?![-\w]+(?:[/\s)]|$))|(?<![\s(*~\w]|^|:\/\/)www\.|www\.(?![\w-])|\\([*_~])\1/i;
const deep = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))){100}/m;
