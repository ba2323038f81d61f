/**
 * Runs texts with all kinds of marks, numbers and scripts through `fmt`. Readers must show the same words and code
 * before and after.
 */
import fc from "fast-check";
import { lintAndFix } from "../../core/lint/fix.ts";
import { formatMarkdown, normaliseText } from "../../core/markdown/format.ts";
import { parseFrontMatter, splitFrontMatter } from "../../core/markdown/front-matter.ts";
import { readers, shownCode, shownWords } from "./readers.ts";

export interface Difference {
  seed: number;
  reader: string;
  source: string;
  formatted: string;
  before: string;
  after: string;
}

const marks = "* ** *** _ __ ~ ~~ | || \\ \\\\ \\| \\( \\) ` `` [ ] ( ) < > & ! # - + = : \" ' $ ^ .".split(" ");
const words = [
  ..."20 25 °C 200 300 50 mm 5 7 bar 10 15 min 1.5 3/4 kg m² H 2 O x P a the Valve snake_case 50% №7".split(" "),
  ..."注意 重要 正文 「 」 ： 。 、 を読む 밸브 (주) 를 닫는다 צנטריפוגה 12 مضخة ② １２ é ü ß 😀 „ “ ‘ ’ – …".split(
    " ",
  ),
  ..."&amp; &nbsp; &lt; &#42; &copy; <b> </b> <br> <kbd> </kbd> <strong> </strong> <em> </em> <sub> </sub>".split(" "),
  ..."https://a.example/x_y <https://a.example> <a@b.example> [x](https://a.example) ![i](a.png) [^1] [r]".split(" "),
];
const lines = [
  "\n",
  "\n",
  "\n\n",
  "\n\n",
  "\n- ",
  "\n1. ",
  "\n> ",
  "\n## ",
  "\n### ",
  "\n\n    ",
  "  \n",
  "\\\n",
  "\n| a | b |\n| --- | --- |\n| ",
  " | ",
  " |\n| ",
  "\n\n```\n",
  "\n```\n\n",
  "\n\n~~~\n",
  "\n---\n",
  "\n***\n",
  "\n\n[^1]: ",
  "\n\n[r]: /u\n\n",
  "\n- [ ] ",
];

const document = fc
  .array(
    fc.oneof(
      { arbitrary: fc.constantFrom(...marks), weight: 4 },
      { arbitrary: fc.constantFrom(...words), weight: 6 },
      { arbitrary: fc.constant(" "), weight: 3 },
      { arbitrary: fc.constantFrom(...lines), weight: 2 },
    ),
    { minLength: 4, maxLength: 40 },
  )
  .map((pieces) => pieces.join(""));

/** @returns words and code that a view shows differently after `lint --fix`. A fix may add spaces, as in "5mm" */
export function fixDifferences(from: number, to: number): Difference[] {
  const found: Difference[] = [];
  for (let seed = from; seed < to; seed += 1) {
    const [source = ""] = fc.sample(document, { seed, numRuns: 1 });
    const formatted = lintAndFix(source, { path: "a.md", preset: "regulated" }).text;
    if (formatted === source) continue;
    // the first heading can become the title
    const [before = "", after = ""] = [source, formatted].map((text) => {
      const { raw, body } = splitFrontMatter(text);
      const html = readers.ours(body);
      const title = raw === null ? "" : String(parseFrontMatter(raw).title ?? "");
      return [title + shownWords(html), ...shownCode(html)].join("\n").replaceAll(/[^\S\n]+/g, "");
    });
    if (before !== after) found.push({ seed, reader: "ours", source, formatted, before, after });
  }
  return found;
}

/** @returns the differences that readers show after `fmt`, for a text of each seed from `from` up to but not `to` */
export function findDifferences(from: number, to: number): Difference[] {
  const found: Difference[] = [];
  for (let seed = from; seed < to; seed += 1) {
    const [source = ""] = fc.sample(document, { seed, numRuns: 1 });
    found.push(...differencesOf(source).map((difference) => ({ seed, ...difference })));
  }
  return found;
}

/** @returns the differences that readers show after `fmt` */
export function differencesOf(text: string): Omit<Difference, "seed">[] {
  const source = normaliseText(text);
  const formatted = formatMarkdown(source);
  const found: Omit<Difference, "seed">[] = [];
  const compare = (reader: string, before: string, after: string) => {
    if (before !== after) found.push({ reader, source, formatted, before, after });
  };
  const again = formatMarkdown(formatted);
  compare("fmt", formatted, again);
  const was = readers.ours(source);
  compare("ours", shownWords(was), shownWords(readers.ours(formatted)));
  compare("ours, code", shownCode(was).join("\n"), shownCode(readers.ours(formatted)).join("\n"));
  for (const name of ["gfm", "commonmark"] as const) {
    const [before, after] = [source, formatted].map((one) => readers[name](one));
    if (before === undefined || after === undefined) continue;
    // a reader of CommonMark alone shows the marks of tables, notes and strikethrough, which our format may change
    if (name === "commonmark" && (source.includes("[^") || /<(?:del|table|input)\b/.test(was))) continue;
    compareOutside(name, was, before, after, compare);
  }
  return found;
}

/**
 * Compares with another reader. If our dialect reads a mark differently, the formatted text must lead that reader to
 * our reading.
 */
function compareOutside(
  name: string,
  ours: string,
  before: string,
  after: string,
  compare: (reader: string, before: string, after: string) => void,
): void {
  const [was, is] = [shownWords(before), shownWords(after)];
  if (was !== is && is !== shownWords(ours)) compare(name, was, is);
  const codes = shownCode(after).join("\n");
  if (shownCode(before).join("\n") !== codes && codes !== shownCode(ours).join("\n")) {
    compare(`${name}, code`, shownCode(before).join("\n"), codes);
  }
}
