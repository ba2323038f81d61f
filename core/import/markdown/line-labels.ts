/**
 * Keeps lines that begin with a label such as `a)`, `(1)` or `9a.` separate. Markdown sees no list there, but readers
 * look for the labels.
 */
import type { ListItem, Nodes, Paragraph, Parents, PhrasingContent, Root } from "mdast";
import { eachNode } from "#core/markdown/each-node.ts";
import { plainText } from "#core/markdown/plain-text.ts";
import type { ConversionReport } from "./report.ts";
import { texts } from "./note-texts.ts";

/** A possible meaning of a label: `9a` is [9, 1]; `i` is [9], the ninth letter, or [1], the first numeral. */
type LabelMeaning = readonly number[];

interface Label {
  /** The label as written, such as `(a)`. */
  text: string;
  /** The punctuation around the value and the kind of value, which are equal for `(a)` and `(b)`. */
  shape: string;
  values: readonly LabelMeaning[];
}

interface LineEnd {
  parent: Parents;
  /** The index of the text in `parent` that contains the line end; `at` is the offset in it. */
  child: number;
  at: number;
}

interface TextLine {
  text: string;
  /** The line end before this line; undefined for the first line and for a line after a hard break. */
  end: LineEnd | undefined;
}

/** Matches labels that can't be Markdown list numbers, such as `9a.`. */
const unmistakableLabel = /^(?:\(?\d+[a-z][.)]|\(@|@\.)/;

/**
 * Adds a hard break to the tree before each line with a label, because Markdown would join the lines of a paragraph.
 * Lines of prose stay. The report names each kind of label once, and lines that begin with a field such as `Owner:`,
 * which stay joined.
 *
 * @param lineOf gives the line of the file for a line of the parsed text
 */
export function breakBeforeLabels(tree: Root, report: ConversionReport, lineOf: (line: number) => number): void {
  const kinds = new Map<string, { first: string; line: number; count: number; isApart: boolean }>();
  const countLabel = (label: Label, line: number, isApart: boolean): void => {
    const key = `${label.shape} ${isApart}`;
    const kind = kinds.get(key) ?? { first: label.text, line: lineOf(line), count: 0, isApart };
    kinds.set(key, { ...kind, count: kind.count + 1 });
  };
  const fields: { name: string; line: number }[] = [];
  eachNode(tree, (node, parents) => {
    if (node.type !== "paragraph") return;
    const start = node.position?.start.line ?? 1;
    const lines = linesOfParagraph(node);
    const labels = lines.map(({ text }) => readLabel(text));
    const [first] = labels;
    const found = lines.flatMap(({ end }, index) => {
      const label = labels[index];
      return end !== undefined &&
        label !== undefined &&
        beginsWithLabel(label, index, labels, lines, listNumberOf(node, parents))
        ? [{ end, label, line: start + index }]
        : [];
    });
    if (found.length > 0 && first !== undefined && isPartOfSequence(first, labels)) countLabel(first, start, true);
    else if (first !== undefined && unmistakableLabel.test(first.text)) countLabel(first, start, false);
    for (const { label, line } of found) countLabel(label, line, true);
    lines.forEach(({ text, end }, index) => {
      const [before, name] = [lines[index - 1]?.text ?? "", field.exec(text)?.[0]];
      if (end !== undefined && name !== undefined && field.test(before)) fields.push({ name, line: start + index });
    });
    // go from the last label to the first, so that earlier positions stay valid
    for (const { end } of found.toReversed()) addHardBreakAt(end);
  });
  const [one] = fields;
  if (one !== undefined) {
    report.add("line-ends", texts.joined({ count: fields.length, name: one.name }), lineOf(one.line));
  }
  for (const { first, line, count, isApart } of kinds.values()) {
    report.add("labels", texts[isApart ? "labels" : "labelsOnly"]({ first, more: count - 1 }), line);
  }
}

/** Matches a field such as `Owner:` at the beginning of a line, with words after it. */
const field = /^\p{Lu}[\p{L}\p{N}]*(?: [\p{L}\p{N}]+){0,2}:(?=\s+\S)/u;

/** Returns the number of the list item that begins with the paragraph; undefined for another paragraph. */
function listNumberOf(paragraph: Paragraph, parents: readonly Nodes[]): number | undefined {
  const [list, item] = parents.slice(-2);
  if (list?.type !== "list" || list.ordered !== true || item?.type !== "listItem") return undefined;
  return item.children[0] === paragraph
    ? (list.start ?? 1) + list.children.indexOf(item satisfies ListItem)
    : undefined;
}

/**
 * Tells whether a line begins with a label: its neighbors have labels too, or it is the first label below another label
 * or a colon.
 */
function beginsWithLabel(
  label: Label,
  index: number,
  labels: readonly (Label | undefined)[],
  lines: readonly TextLine[],
  number: number | undefined,
): boolean {
  if (isPartOfSequence(label, labels)) return true;
  if (number !== undefined && label.values.some((value) => followsLabel([number], value))) return true;
  const above = lines[index - 1]?.text ?? "";
  const isBelow = labels[index - 1] !== undefined || (index === 1 && number !== undefined) || /[:：]\s*$/.test(above);
  return isBelow && label.values.some((value) => value.at(-1) === 1);
}

function isPartOfSequence(label: Label, labels: readonly (Label | undefined)[]): boolean {
  return labels.some(
    (other) =>
      other !== undefined &&
      other !== label &&
      other.text !== label.text &&
      other.shape === label.shape &&
      (isUnmistakableLabel(label) ||
        other.values.some((one) => label.values.some((value) => followsLabel(one, value) || followsLabel(value, one)))),
  );
}

/** Tells whether two lines with labels of this shape can't be prose, even if the numbers jump. */
function isUnmistakableLabel({ shape }: Label): boolean {
  return ["1.", "1)", "a)"].includes(shape);
}

/** Tells whether one label follows another: 2 and 2a follow 1, 2.2 and 2.1.1 follow 2.1, and 3 follows 2.4. */
function followsLabel(one: LabelMeaning, next: LabelMeaning): boolean {
  const last = next.length - 1;
  if (next.length > one.length)
    return next.length === one.length + 1 && next[last] === 1 && isSameLabelValue(one, next.slice(0, last));
  return isSameLabelValue(one.slice(0, last), next.slice(0, last)) && next[last] === (one[last] ?? 0) + 1;
}

function isSameLabelValue(one: LabelMeaning, other: LabelMeaning): boolean {
  return one.every((part, index) => part === other[index]);
}

const labelPatterns = [
  /^(\()([a-z]|[ivx]{2,5}|[A-Z]|[IVX]{2,5}|\d{1,4}[a-z]?)(\))(?=\s)/,
  /^()([a-z]|[ivx]{2,5}|[A-Z]|[IVX]{2,5}|\d{1,9}[a-z]?)([.)])(?=\s)/,
  /^()(\d{1,3}(?:\.\d{1,3}){1,5})([.)]?)(?=\s)/,
  /^(§§?\s?)(\d{1,4}[a-z]?)()(?=\s)/,
  /^(\(@)([\w-]*)(\))(?=\s)/,
  /^(@)()(\.)(?=\s)/,
];

function readLabel(line: string): Label | undefined {
  for (const pattern of labelPatterns) {
    const [text, open, value = "", close] = pattern.exec(line) ?? [];
    if (text === undefined) continue;
    const kind = /^[a-z]+$/.test(value) ? "a" : /^[A-Z]+$/.test(value) ? "A" : /\./.test(value) ? "1.1" : "1";
    const shape = `${open?.trim()}${open === "(@" ? "" : kind}${close}`;
    // accept any two example labels of Pandoc in sequence, because they are counted across the whole text
    return { text, shape, values: text.includes("@") ? [[1], [2]] : possibleLabelValues(value) };
  }
  return undefined;
}

const numerals = "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx".split(" ");

function possibleLabelValues(value: string): LabelMeaning[] {
  const small = value.toLowerCase();
  if (/^[a-z]+$/.test(small)) {
    const numeral = numerals.indexOf(small) + 1;
    return [...(small.length === 1 ? [[small.charCodeAt(0) - 96]] : []), ...(numeral > 0 ? [[numeral]] : [])];
  }
  const letter = /[a-z]$/.exec(small)?.[0];
  return [
    [
      ...small.split(".").map((part) => Number.parseInt(part, 10)),
      ...(letter === undefined ? [] : [letter.charCodeAt(0) - 96]),
    ],
  ];
}

function linesOfParagraph(paragraph: Paragraph): TextLine[] {
  const lines: TextLine[] = [{ text: "", end: undefined }];
  const appendText = (text: string): void => {
    const line = lines.at(-1);
    if (line !== undefined) line.text += text;
  };
  const walkChildren = (parent: Parents): void => {
    parent.children.forEach((node, child) => {
      if (node.type === "break") lines.push({ text: "", end: undefined });
      else if (node.type === "text") {
        let from = 0;
        for (const { index } of node.value.matchAll(/\n/g)) {
          appendText(node.value.slice(from, index));
          lines.push({ text: "", end: { parent, child, at: index } });
          from = index + 1;
        }
        appendText(node.value.slice(from));
      } else if ("children" in node) walkChildren(node);
      else appendText(plainText(node));
    });
  };
  walkChildren(paragraph);
  return lines;
}

function addHardBreakAt({ parent, child, at }: LineEnd): void {
  const node = parent.children[child];
  if (node?.type !== "text") return;
  const [before, after] = [node.value.slice(0, at), node.value.slice(at + 1)];
  const parts: PhrasingContent[] = [
    ...(before === "" ? [] : [{ type: "text", value: before } as const]),
    { type: "break" },
    ...(after === "" ? [] : [{ type: "text", value: after } as const]),
  ];
  (parent.children as PhrasingContent[]).splice(child, 1, ...parts);
}
