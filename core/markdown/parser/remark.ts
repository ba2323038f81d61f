import type { Root } from "mdast";
import { remark } from "remark";
import remarkFrontmatter from "remark-frontmatter";
import remarkGfm from "remark-gfm";
import type { Processor } from "unified";
import { gfmOptions, ownMarks } from "./attention.ts";
import { hasFrontMatter, type ParseOptions } from "./front-matter.ts";
import { completeDialectTree } from "./micromark.ts";

const body = remark().use(remarkGfm, gfmOptions).use(addDialectMarks).freeze();
const file = remark().use(remarkFrontmatter, ["yaml"]).use(remarkGfm, gfmOptions).use(addDialectMarks).freeze();

function addDialectMarks(this: Processor): void {
  const data = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), ownMarks];
}

/**
 * The reference parser: CommonMark with GFM as a syntax tree, in this product's dialect (`docs/spec/markdown.md`).
 * Every other parser must give the same tree. Throws `RangeError` for a text that nests deeper than the stack.
 */
export function parse(text: string, { frontMatter }: ParseOptions): Root {
  return completeDialectTree((frontMatter && hasFrontMatter(text) ? file : body).parse(text), text);
}
