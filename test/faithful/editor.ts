/**
 * Opens texts in the editor, types a letter and saves. Any other change that a reader sees is a difference. Needs a
 * page, such as jsdom.
 */
import fc from "fast-check";
import { TextSelection } from "@milkdown/kit/prose/state";
import type { EditorView } from "@milkdown/kit/prose/view";
import { differencesOfReadings } from "#core/faithful/compare.ts";
import { readingOfHtml, type ReadingToken } from "#core/markdown/html/reading.ts";
import { formatMarkdown } from "#core/markdown/format.ts";
import { parseMarkdown } from "#core/markdown/parse.ts";
import { renderWithTree } from "#core/markdown/render.ts";
import { readEditorDocument, writeDocument } from "../../web/editor/document.ts";
import { loadText, openTextEditor, typeText } from "../../web/testing/text-editor.ts";

export interface EditorDifference {
  seed: number;
  /** The text that was opened. */
  markdown: string;
  /** The text that was saved. */
  saved: string;
  what: string;
}

/** A letter that no generated text has. */
const letter = "ŧ";

/** @returns further changes after a letter was typed, in the texts of the seeds `from` to `to - 1` */
export async function editorDifferences(from: number, to: number): Promise<EditorDifference[]> {
  const { view, close } = await openTextEditor("");
  const found: EditorDifference[] = [];
  for (let seed = from; seed < to; seed += 1) {
    const [[blocks, at] = [[], 0]] = fc.sample(fc.tuple(document, fc.nat()), { seed, numRuns: 1 });
    const markdown = formatMarkdown(blocks.map((block) => block.text).join("\n\n"));
    const owners = blocks.flatMap(({ text }, index) => parseMarkdown(text).children.map(() => index));
    const shown = (index: number) =>
      blocks.map((block, which) => (which === owners[index] ? (block.shown ?? block.text) : block.text));
    const saved = typeInto(view, markdown, at);
    if (saved === null) continue;
    const what = differenceOf(markdown, saved, formatMarkdown(shown(saved.block).join("\n\n")));
    if (what !== null) found.push({ seed, markdown, saved: saved.text, what });
  }
  await close();
  return found;
}

interface Typed {
  text: string;
  /** The block with the typed letter. */
  block: number;
  /** True if no word is beside the letter. */
  isAlone: boolean;
}

/** @returns null if the text has no place for a letter */
function typeInto(view: EditorView, markdown: string, at: number): Typed | null {
  const doc = readEditorDocument(view.state.schema, markdown);
  loadText(view, doc);
  const places: number[] = [];
  view.state.doc.descendants((node, pos) => {
    // no letter is typed into source, which is Markdown itself, or into an address, which is its own text
    if (node.type.name === "source_block" || !node.isTextblock) return node.type.name !== "source_block";
    for (let offset = 0; offset <= node.content.size; offset += 1) {
      const { nodeBefore, nodeAfter } = view.state.doc.resolve(pos + 1 + offset);
      const isAddress = [nodeBefore, nodeAfter].some((one) =>
        one?.marks.some(({ type, attrs }) => type.name === "link" && String(attrs["href"]).includes(one.text ?? "")),
      );
      if (!isAddress) places.push(pos + 1 + offset);
    }
    return false;
  });
  const place = places[at % Math.max(1, places.length)];
  if (place === undefined) return null;
  view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, place)));
  const $place = view.state.doc.resolve(place);
  const isAlone = $place.parent.children.every(({ type, text }) => type.name.endsWith("break") || text?.trim() === "");
  typeText(view, letter);
  return { text: writeDocument(view.state.doc), block: $place.index(0), isAlone };
}

/** @param expected the opened text, with all of the edited block visible */
function differenceOf(markdown: string, { text: saved, block, isAlone }: Typed, expected: string): string | null {
  if (saved.split(letter).length !== 2) return `the letter is there ${saved.split(letter).length - 1} times`;
  if (formatMarkdown(saved) !== saved) return "another form than the canonical one";
  const [change] = differencesOfReadings(readingOf(expected), withoutLetter(readingOf(saved), isAlone));
  if (change) return `${change.kind}: ${change.before} → ${change.after} (near ${change.near})`;
  const [before, after] = [blocksOf(markdown), blocksOf(saved)];
  const other = before.findIndex((text, index) => index !== block && text !== after[index]);
  return other < 0 ? null : `block ${other} is written differently: ${after[other]}`;
}

const readingOf = (markdown: string): ReadingToken[] => readingOfHtml(renderWithTree(markdown).tree());

/**
 * Removes the typed letter. A cell that was empty has a column and a word only because of it, and its row may be
 * visible only now.
 */
function withoutLetter(seen: ReadingToken[], isAlone: boolean): ReadingToken[] {
  const at = seen.findIndex((one) => one.includes(letter));
  const left = seen.map((one) => one.replace(letter, ""));
  if (!isAlone) return left[at] === "w" || left[at] === "~" ? left.toSpliced(at, 1) : left;
  const isCell = seen[at - 1]?.startsWith("c") === true;
  const isRow = isCell && seen[at - 2]?.startsWith("r") === true && seen[at + 1]?.startsWith("c") !== true;
  return left.toSpliced(at - (isRow ? 2 : isCell ? 1 : 0), isRow ? 3 : isCell ? 2 : 1);
}

function blocksOf(markdown: string): string[] {
  return parseMarkdown(markdown).children.map(({ position }) =>
    markdown.slice(position?.start.offset ?? 0, position?.end.offset ?? 0),
  );
}

interface Block {
  text: string;
  /** The text with all cells in a visible column, as after an edit. */
  shown?: string;
}

const word = fc.constantFrom(
  "Heat",
  "valve",
  "20~25 °C",
  "80 °C",
  "200\\*300\\*50 mm",
  "2 * 3 * 4 mg",
  "5~7 bar",
  "10–15 min",
  "±0.5",
  "1.10",
  "0x1F",
  "注意",
  "読む",
  "「重要」",
  "밸브(주)",
  "שסתום",
  "صمام",
  "prêt",
  "H<sub>2</sub>O",
  "m<sup>2</sup>",
  "<kbd>Enter</kbd>",
  "`a | b`",
  "``x ` y``",
  "`2 * 3`",
  "[the list](/sop/SOP-0042)",
  '[x](https://a.example/y "T")',
  "https://a.example/z",
  "![Valve|300](/api/assets/ab.png)",
  "a\\_b",
  "snake_case",
  "\\<PIN>",
  "&lt;b&gt;",
  "AT&T",
  "[confirm: who]",
  "\\[x]",
  "C:\\data",
);
const phrase: fc.Arbitrary<string> = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "));
const edge = fc.constantFrom("", "", " ", ".", "。", "：", " 2", "x", "注");
const marked = fc
  .tuple(edge, fc.constantFrom("**", "_", "~~", "**_"), phrase, fc.constantFrom("", "<br>", "."), edge)
  .map(
    ([before, mark, inside, end, after]) => `${before}${mark}${inside}${end}${[...mark].toReversed().join("")}${after}`,
  );
const sentence = fc
  .array(fc.oneof({ weight: 3, arbitrary: phrase }, { weight: 2, arbitrary: marked }), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join(" ").trim());
const lines = fc
  .tuple(sentence, fc.constantFrom("\\\n", "\n", "<br>", "<br />"), sentence)
  .map(([one, end, other]) => `${one}${end}${other}`);
const paragraph = fc.oneof(sentence, lines).map((text) => text.replace(/^[\d\s#>+*~=-]+(?=\s)/, "So "));

const cell = fc.oneof(sentence, fc.constantFrom("", "<br>", "a<br>b", "`a\\|b`", "x \\| y")).map((text) => {
  return text.replace(/`a \| b`/g, "`a`").replaceAll("|300", "");
});
const row = (cells: readonly string[]) => `|${cells.map((text) => ` ${text} |`).join("")}`;
const table = fc
  .tuple(
    fc.integer({ min: 1, max: 4 }),
    fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 }),
    fc.constantFrom("---", ":-:", "--:"),
  )
  .map(([columns, rows, rule]): Block => {
    const head = Array.from({ length: columns }, (_, index) => `H${index + 1}`);
    const width = Math.max(columns, ...rows.map((cells) => 1 + cells.findLastIndex((text) => text.trim() !== "")));
    const wide = [...head, ...Array.from({ length: width - columns }, () => "")];
    const rules = (count: number) => row(Array.from({ length: count }, (_, index) => (index < columns ? rule : "---")));
    const body = rows.map(row);
    return {
      text: [row(head), rules(columns), ...body].join("\n"),
      shown: [row(wide), rules(width), ...body].join("\n"),
    };
  });

const indent = (text: string, by: number) => text.replaceAll("\n", `\n${" ".repeat(by)}`);
const list: fc.Arbitrary<string> = fc.letrec<{ list: string; inside: string }>((again) => ({
  list: fc
    .tuple(
      fc.constantFrom("bullet", "ordered", "task"),
      fc.integer({ min: 0, max: 12 }),
      fc.array(fc.tuple(again("inside"), fc.boolean()), { minLength: 1, maxLength: 4 }),
    )
    .map(([kind, start, items]) =>
      items
        .map(([text, isDone], index) => {
          const mark =
            kind === "ordered" ? `${start + index}. ` : kind === "task" ? `- [${isDone ? "x" : " "}] ` : "- ";
          return mark + indent(text, kind === "ordered" ? mark.length : 2);
        })
        .join("\n"),
    ),
  inside: fc.oneof(
    { maxDepth: 3 },
    paragraph,
    paragraph,
    fc.tuple(paragraph, again("list")).map(([text, nested]) => `${text}\n\n${nested}`),
    fc.tuple(paragraph, fc.constantFrom("```sh\n- ls -la\n```", "> [!WARNING]\n> Hot.", "<br>")).map(([text, more]) => {
      return `${text}\n\n${more}`;
    }),
  ),
})).list;

const block: fc.Arbitrary<Block> = fc.oneof(
  table,
  fc
    .oneof(
      paragraph,
      list,
      list.map((text) => `7) seven\n8) eight\n\nBetween\n\n${text}`),
      fc.tuple(fc.integer({ min: 2, max: 6 }), sentence).map(([level, text]) => `${"#".repeat(level)} ${text}`),
      fc.tuple(sentence, sentence).map(([one, other]) => `### ${one}<br>${other}`),
      fc
        .tuple(fc.constantFrom("NOTE", "WARNING", "DANGER"), paragraph)
        .map(([kind, text]) => `> [!${kind}]\n> ${indent(text, 0).replaceAll("\n", "\n> ")}`),
      paragraph.map((text) => `> ${text.replaceAll("\n", "\n> ")}`),
      fc.constantFrom(
        '```js title="x"\nlet a = 2 * 3;\n\n  // ~~~\n```',
        "---",
        "<details>\n<summary>More</summary>\n\nInside.\n\n</details>",
        "<table>\n<tr><td rowspan=2>Day</td><td>ann</td></tr>\n<tr><td>bob</td></tr>\n</table>",
        "<br>",
        "A note[^1].\n\n[^1]: Its words.",
        "See [the text][ref].\n\n[ref]: https://a.example/r",
      ),
    )
    .map((text): Block => ({ text })),
);
/** Generates documents. A heading between the blocks keeps lists and tables apart. */
const document = fc
  .array(block, { minLength: 1, maxLength: 4 })
  .map((blocks) => blocks.flatMap((one, index): Block[] => [{ text: `## Part ${index + 1}` }, one]))
  // footnotes and references have a single definition
  .filter((blocks) =>
    ["[^1]:", "[ref]:"].every((label) => blocks.filter(({ text }) => text.includes(label)).length < 2),
  );
