// oxlint-disable-next-line no-restricted-imports -- allowed here, because `engines` replaces the parsers that run code
import matter from "gray-matter";
import { AppError } from "#core/errors.ts";
import { parseFrontMatter, splitFrontMatter, type FrontMatter } from "./front-matter.ts";
import { refusals } from "./refusals.ts";

export interface MarkdownFile {
  frontMatter: FrontMatter;
  body: string;
}

function refuseFrontMatter(): never {
  throw new AppError("invalid_input", refusals.notYaml(), { line: 1 });
}

const refusing = { parse: refuseFrontMatter, stringify: refuseFrontMatter };

/**
 * gray-matter would evaluate `---js` and read dates with an old YAML parser, so all engines except for this YAML engine
 * refuse (`docs/spec/markdown.md`).
 */
const engines = {
  yaml: { parse: (raw: string): object => parseFrontMatter(raw), stringify: refuseFrontMatter },
  js: refusing,
  javascript: refusing,
  json: refusing,
  coffee: refusing,
  toml: refusing,
};

/**
 * Reads a file of format v1 on the server and in the CLI; browsers use `splitFrontMatter`. Throws `invalid_input` like
 * `parseFrontMatter`.
 */
export function readMarkdownFile(text: string): MarkdownFile {
  const { raw, body } = splitFrontMatter(text);
  if (raw === null) return { frontMatter: {}, body };
  // gray-matter ends the front matter at any line that begins with ---, this program only at a line that is exactly ---
  if (/^---/m.test(raw)) return { frontMatter: parseFrontMatter(raw), body };
  const { data } = matter(`---\n${raw}\n---\n`, { engines, language: "yaml" });
  return { frontMatter: data as FrontMatter, body };
}
