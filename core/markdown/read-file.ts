// oxlint-disable-next-line no-restricted-imports -- the one place that tames it: no engine of its own ever runs
import matter from "gray-matter";
import { AppError } from "#core/errors.ts";
import { parseFrontMatter, splitFrontMatter, type FrontMatter } from "./front-matter.ts";

export interface MarkdownFile {
  frontMatter: FrontMatter;
  body: string;
}

function refuse(): never {
  throw new AppError("invalid_input", "Only YAML front matter is read. Write it between two lines of ---", { line: 1 });
}

const refusing = { parse: refuse, stringify: refuse };

/** gray-matter evaluates `---js` and reads dates with an old YAML: every engine but ours refuses (`docs/spec/markdown.md`). */
const engines = {
  yaml: { parse: (raw: string): object => parseFrontMatter(raw), stringify: refuse },
  js: refusing,
  javascript: refusing,
  json: refusing,
  coffee: refusing,
  toml: refusing,
};

/** Reads a file of format v1 (server and CLI; browsers use `splitFrontMatter`). Throws `invalid_input` as `parseFrontMatter` does. */
export function readMarkdownFile(text: string): MarkdownFile {
  const { raw, body } = splitFrontMatter(text);
  if (raw === null) return { frontMatter: {}, body };
  // gray-matter ends the block at any line that merely begins with ---, ours at a line that is ---
  if (/^---/m.test(raw)) return { frontMatter: parseFrontMatter(raw), body };
  const { data } = matter(`---\n${raw}\n---\n`, { engines, language: "yaml" });
  return { frontMatter: data as FrontMatter, body };
}
