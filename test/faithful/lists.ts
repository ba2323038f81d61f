/** Runs random numbered lists through `fmt` and import. Readers must find the written numbers. */
import fc from "fast-check";
import type { Nodes } from "hast";
import { canonicalBody } from "#core/import/markdown/canonical-body.ts";
import { readMarkdownDocument } from "#core/import/markdown/markdown-file.ts";
import { formatMarkdown } from "#core/markdown/format.ts";
import { parseHtml } from "#core/markdown/html-tree.ts";
import { renderHtml } from "#core/markdown/render.ts";

interface Item {
  extra: string;
  inner: NumberedList | undefined;
}

interface NumberedList {
  /** The number of each item as written. */
  numbers: string[];
  sign: "." | ")";
  /** True for a blank line between items. */
  isLoose: boolean;
  /** The number of columns after the number. */
  space: number;
  items: Item[];
}

const start = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 12 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 999_999_900 }) },
);

/** Numbers as authors write them: counted, with gaps, all the same, downwards, by ten, repeated. */
const numbersOf = (count: number): fc.Arbitrary<string[]> =>
  fc
    .tuple(
      start,
      fc.oneof(
        { weight: 3, arbitrary: fc.constant(Array<number>(count).fill(1)) },
        { weight: 2, arbitrary: fc.constant(Array<number>(count).fill(0)) },
        fc.constant(Array<number>(count).fill(10)),
        fc.constant(Array<number>(count).fill(-1)),
        fc.array(fc.constantFrom(1, 1, 1, 0, 2, 3, -2), { minLength: count, maxLength: count }),
      ),
      fc.boolean(),
    )
    .map(([first, steps, isPadded]) => {
      let number = first;
      return steps.map((step, index) => {
        number = index === 0 ? first : Math.max(0, number + step);
        return isPadded && number < 10 ? `0${number}` : String(number);
      });
    });

const extra = fc.constantFrom(
  "",
  "",
  "",
  "\n```\n7. code\n9. code\n```",
  "\n| a | b |\n| - | - |\n| 1. | 3. |",
  "\nMore words.",
  "\n> 4. quoted\n> 6. quoted",
  "\n- bullet\n- bullet",
);

const { list } = fc.letrec<{ list: NumberedList; item: Item }>((tie) => ({
  item: fc.record({
    extra,
    inner: fc.option(tie("list"), { nil: undefined, depthIdentifier: "lists", maxDepth: 2, freq: 2 }),
  }),
  list: fc
    .tuple(
      fc.array(tie("item"), { minLength: 1, maxLength: 6 }),
      fc.constantFrom(".", ")"),
      fc.boolean(),
      fc.integer({ min: 1, max: 3 }),
    )
    .chain(([items, sign, isLoose, space]) =>
      numbersOf(items.length).map((numbers) => ({ numbers, sign, isLoose, space, items })),
    ),
}));

interface Written {
  text: string;
  /** Word → the number of its item. */
  numbers: Map<string, number>;
}

function write(from: NumberedList, numbers: Map<string, number>): string {
  const isSame = from.numbers.every((number) => Number(number) === Number(from.numbers[0]));
  return from.items
    .map(({ extra: more, inner }, index) => {
      const word = `W${numbers.size + 1}W`;
      numbers.set(word, isSame ? Number(from.numbers[0]) + index : Number(from.numbers[index]));
      const mark = `${from.numbers[index]}${from.sign}${" ".repeat(from.space)}`;
      const parts = [`${word} is to do.`, more, inner === undefined ? "" : `\n${write(inner, numbers)}`];
      const body = parts.filter((part) => part !== "").join("\n");
      return mark + body.replace(/\n(?=[^\n])/g, `\n${" ".repeat(mark.length)}`);
    })
    .join(from.isLoose ? "\n\n" : "\n");
}

const texts = fc.array(list, { minLength: 1, maxLength: 2 }).map((lists): Written => {
  const numbers = new Map<string, number>();
  return { text: `${lists.map((one) => `Before.\n\n${write(one, numbers)}`).join("\n\n")}\n`, numbers };
});

/** The number that a page shows before each word. */
export function shownNumbers(html: string): Map<string, number> {
  const shown = new Map<string, number>();
  const walk = (node: Nodes, number: number | undefined): void => {
    if (node.type === "text") {
      for (const [word] of node.value.matchAll(/W\d+W/g)) if (number !== undefined) shown.set(word, number);
    }
    if (!("children" in node)) return;
    let next = node.type === "element" && node.tagName === "ol" ? Number(node.properties["start"] ?? 1) : undefined;
    for (const child of node.children) {
      const isItem = child.type === "element" && child.tagName === "li" && next !== undefined;
      walk(child, isItem ? next : number);
      if (isItem && next !== undefined) next += 1;
    }
  };
  walk(parseHtml(html), undefined);
  return shown;
}

function differences(way: string, { text, numbers }: Written, shown: ReadonlyMap<string, number>): string[] {
  return [...numbers].flatMap(([word, number]) =>
    shown.get(word) === number
      ? []
      : [`${way}: ${word} is ${shown.get(word) ?? "without number"}, written ${number}\n${text}`],
  );
}

/**
 * @param from the first seed, included
 * @param to the last seed, not included
 * @returns a line for each number that differs from the written one
 */
export function listDifferences(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, index) => from + index).flatMap((seed) => {
    const [written = { text: "", numbers: new Map<string, number>() }] = fc.sample(texts, { seed, numRuns: 1 });
    const formatted = formatMarkdown(written.text);
    const numbersIn = new Map(
      [...formatted.matchAll(/(\d+)[.)] +(W\d+W)/g)].map(([, number, word = ""]) => [word, Number(number)]),
    );
    const stored = canonicalBody({ markdown: written.text, title: "T" }).markdown;
    const { body } = readMarkdownDocument({ path: "a.md", text: written.text });
    return [
      ...differences("fmt", written, numbersIn),
      ...differences("save", written, shownNumbers(renderHtml(stored))),
      ...differences("import", written, shownNumbers(renderHtml(body))),
      ...differences(
        "import after fmt",
        written,
        shownNumbers(renderHtml(canonicalBody({ markdown: formatted, title: "T" }).markdown)),
      ),
      ...(canonicalBody({ markdown: stored, title: "T" }).markdown === stored && formatMarkdown(stored) === stored
        ? []
        : [`a second save changes\n${stored}`]),
      ...(formatMarkdown(formatted) === formatted ? [] : [`a second fmt changes\n${formatted}`]),
    ];
  });
}
