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
  if (unusual.test(text) || !text.isWellFormed() || deep.test(text) || eastAsianStars.test(text)) return true;
  const hasTables = text.includes("|") && lineOfTag.test(text);
  if (!hasTables && !otherStars.test(text)) return false;
  return text.split(/\n[ \t>]*\n/).some((part) => mixesOtherStars(part) || (hasTables && hasTagInTable(part)));
}

/**
 * Matches stars that can open and close emphasis by other rules in GFM or the native parser than in this product's
 * dialect: beside digits, and between an underscore and a letter.
 */
const otherStars = /\p{Nd}\*|\*\p{Nd}|[^\s\p{P}\p{S}]\*+_|_\*+[^\s\p{P}\p{S}]/u;
/** Matches marks that the native parser takes for emphasis or strikethrough, and that may be text in the dialect. */
const otherMarks = new RegExp(`(?<!~)~(?!~)|${otherStars.source}`, "u");

/**
 * Tells whether a paragraph has such stars and runs of different lengths. Whether these runs pair up depends on both
 * directions of each run (CommonMark 6.2, rules 9 and 10), so the tree doesn't show that the rules differ.
 */
function mixesOtherStars(part: string): boolean {
  if (!otherStars.test(part)) return false;
  const runs = part.match(/\\[^]|\*+/g)?.filter((run) => run.startsWith("*")) ?? [];
  return new Set(runs).size > 1 || runs.some((run) => run.length > 2);
}

const rowOfDashes = /^(?=[|: \t>]*-)[-|: \t>]+$/m;
const lineOfTag = /^[ \t>]*<\/?[a-z][^\n]*>[ \t]*$/im;

/** Tells whether a tag is alone on a line of a table. It ends the table, but the native parser takes it for a row. */
function hasTagInTable(part: string): boolean {
  const start = part.search(rowOfDashes);
  return start !== -1 && lineOfTag.test(part.slice(start));
}

/**
 * Matches rare text on which the parsers may differ: NUL, a single carriage return, a byte order mark, text that may be
 * a bare address, and a mark after an escaped mark.
 */
const unusual =
  /\0|\r(?!\n)|\uFEFF|\/[\w.+-]+@(?![-\w]+(?:[/\s)]|$))|(?<![\s(*~\w]|^|:\/\/)www\.|www\.(?![\w-])|\\([*_~])\1/i;
const deep = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))){100}/m;
