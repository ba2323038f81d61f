/** Runs random values of front matter through import, `fmt` and push. The stored text must be the written text. */
import fc from "fast-check";
import { readMarkdownDocument } from "#core/import/markdown/markdown-file.ts";
import { fileTextOf, parseFrontMatter, splitFrontMatter, type FrontMatter } from "#core/markdown/front-matter.ts";

const digits = (most: number) => fc.stringMatching(new RegExp(`^\\d{1,${most}}$`));

/**
 * Values without quotes as people write them: versions, forms, codes, times, dates, words that YAML reads as other
 * types.
 */
const scalars = fc.oneof(
  digits(22),
  fc.tuple(digits(4), digits(4)).map((parts) => parts.join(".")),
  fc.tuple(digits(2), digits(2), digits(2)).map((parts) => parts.join(".")),
  fc
    .tuple(fc.constantFrom("-", "+", "0", "00", "0x", "0o", "1e", "1E+", "v", "."), digits(5))
    .map((parts) => parts.join("")),
  fc.tuple(digits(2), digits(2)).map((parts) => parts.join(":")),
  fc.constantFrom(
    ..."true True TRUE false False FALSE yes no NO on off Y n 2026-03-29 2026-03-29T23:30:00-08:00 .inf -.Inf .nan 1_000 0x1F 1e3 5.0 1. -0 +7 0 -1 1,5 10% a-b QM-012 é 停止".split(
      " ",
    ),
  ),
);

interface Header {
  title: string;
  tags: string[];
  extra: string;
  inner: string[];
}

const headers: fc.Arbitrary<Header> = fc.record({
  title: scalars,
  tags: fc.array(scalars, { minLength: 1, maxLength: 3 }),
  extra: scalars,
  inner: fc.array(scalars, { minLength: 1, maxLength: 3 }),
});

const yamlOf = ({ title, tags, extra, inner }: Header) =>
  `---\nTitle: ${title}\ntags: [${tags.map(inFlow).join(", ")}]\nrevision: ${extra} # as printed\nforms:\n${inner.map((item) => `  - ${item}`).join("\n")}\n---\n\nText.\n`;

/** Quotes an item with a comma, which would end the item. */
function inFlow(item: string): string {
  return item.includes(",") ? `'${item}'` : item;
}

const tomlOf = ({ title, tags, extra, inner }: Header) => {
  const item = (text: string) => (/^[\w.+:-]+$/.test(text) ? text : `'${text}'`);
  const items = (texts: readonly string[]) => `[${texts.map(item).join(", ")}]`;
  return `+++\ntitle = ${item(title)}\ntags = ${items(tags)}\nrevision = ${item(extra)} # as printed\nforms = ${items(inner)}\n+++\n\nText.\n`;
};

function differencesOf(way: string, { title, tags, extra, inner }: Header, stored: FrontMatter): string[] {
  const pairs: [string, unknown, unknown][] = [
    ["title", title, stored.title],
    ["tags", tags, stored.tags],
    ["x-revision", extra, String(stored["x-revision"])],
    ["x-forms", inner, stored["x-forms"]],
  ];
  return pairs.flatMap(([key, written, read]) =>
    JSON.stringify(written) === JSON.stringify(read)
      ? []
      : [`${way}: ${key} is ${JSON.stringify(read)}, written ${JSON.stringify(written)}`],
  );
}

/**
 * @param from the first seed, included
 * @param to the last seed, not included
 * @returns a line for each value that differs from the written one
 */
export function frontMatterDifferences(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, index) => from + index).flatMap((seed) =>
    fc.sample(headers, { seed, numRuns: 1 }).flatMap((header) =>
      [yamlOf(header), tomlOf(header)].flatMap((text) => {
        const { frontMatter, body } = readMarkdownDocument({ path: "a.md", text });
        const file = fileTextOf(frontMatter, body);
        const again = readMarkdownDocument({ path: "a.md", text: file });
        return [
          ...differencesOf("import", header, frontMatter),
          ...differencesOf("file", header, parseFrontMatter(splitFrontMatter(file).raw ?? "")),
          ...(fileTextOf(again.frontMatter, again.body) === file ? [] : [`a second import changes\n${file}`]),
        ];
      }),
    ),
  );
}
