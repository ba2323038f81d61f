/** `bench faithful:cost`: processor time of conversions with their check, beside the same without it. */
import { CliError } from "../cli/exit.ts";
import { bodyWithoutFrontMatter, formatFile } from "../cli/format-file.ts";
import { AppError } from "../core/errors.ts";
import { differencesOfReadings } from "../core/faithful/compare.ts";
import { bodyOfHtml } from "../core/import/html/content.ts";
import { findMarkupWithoutEffect } from "../core/faithful/markup.ts";
import { readingOfHtml } from "../core/markdown/html/reading.ts";
import { differencesOfWriting } from "../core/faithful/written.ts";
import { canonicalBody } from "../core/import/markdown/canonical-body.ts";
import { readMarkdownDocument } from "../core/import/markdown/markdown-file.ts";
import { normaliseText } from "../core/markdown/format.ts";
import { splitFrontMatter } from "../core/markdown/front-matter.ts";
import { parseHtml } from "../core/markdown/html-tree.ts";
import { parseMarkdown } from "../core/markdown/parse.ts";
import { renderHtml } from "../core/markdown/render.ts";
import { corpusFiles, textOf } from "../test/corpus.ts";
import { figureBesidePeer, median, type Figure } from "./figure.ts";

const rounds = 7;

/** Milliseconds of this process for all inputs, the median of some rounds. */
function timeOf<Input>(inputs: readonly Input[], run: (input: Input) => unknown): number {
  const times = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage();
    for (const input of inputs) run(input);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return median(times);
}

function works<Input>(inputs: readonly Input[], run: (input: Input) => unknown): Input[] {
  return inputs.filter((input) => {
    try {
      run(input);
      return true;
    } catch (error) {
      if (error instanceof AppError || error instanceof CliError) return false;
      throw error;
    }
  });
}

function* figure<Input>(
  name: string,
  goal: string,
  all: readonly Input[],
  run: (input: Input) => unknown,
  check: (input: Input) => unknown,
): Generator<Figure> {
  const inputs = works(all, run);
  const [whole, alone] = [timeOf(inputs, run), timeOf(inputs, check)];
  yield figureBesidePeer(`faithful.cost ${name}, ${inputs.length} texts`, "ms", whole, whole - alone, goal);
}

export function* cost(): Generator<Figure> {
  const files = corpusFiles(".md").map((file) => ({ path: file.name, text: textOf(file) }));
  const bodies = works(files, readMarkdownDocument).map((file) => {
    const { body } = splitFrontMatter(file.text);
    const document = readMarkdownDocument(file);
    const html = renderHtml(document.body);
    return { ...file, source: body, stored: document.body, tree: parseMarkdown(body), html, view: parseHtml(html) };
  });
  yield* figure("import of Markdown", "≤ 1.15", bodies, readMarkdownDocument, ({ source, stored, tree }) => [
    differencesOfWriting(source, stored),
    findMarkupWithoutEffect(tree, source),
  ]);
  yield* figure(
    "save of Markdown with its view",
    "≤ 1.15",
    bodies,
    ({ stored }) => renderHtml(canonicalBody({ markdown: stored, title: "" }).markdown),
    ({ stored }) => differencesOfWriting(stored, stored),
  );
  yield* figure(
    "save of HTML with its view",
    "≤ 1.15",
    bodies,
    ({ html }) => bodyOfHtml({ content: html, title: "" }),
    ({ view }) => differencesOfReadings(readingOfHtml(view), readingOfHtml(view)),
  );
  const formatted = works(bodies, ({ path, text }) => formatFile(text, path)).map((file) => ({
    ...file,
    before: normaliseText(bodyWithoutFrontMatter(file.text)),
    after: bodyWithoutFrontMatter(formatFile(file.text, file.path)),
  }));
  yield* figure(
    "fmt",
    "≤ 1.3",
    formatted,
    ({ path, text }) => formatFile(text, path),
    ({ before, after }) => differencesOfWriting(before, after),
  );
}
