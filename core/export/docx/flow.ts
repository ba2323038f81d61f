/** Turns blocks into the body of a Word file. */
import {
  Bookmark,
  BorderStyle,
  HeadingLevel,
  ImportedXmlComponent,
  Paragraph,
  Tab,
  TextRun,
  type IParagraphOptions,
  type IRunOptions,
  type ParagraphChild,
} from "docx";
import { plainText, type Block, type List, type ListItem, type Paragraph as TextBlock } from "../blocks.ts";
import { isTextRightToLeft } from "../direction.ts";
import { codeName } from "./groups.ts";
import { step } from "./numbering.ts";
import { bidirectional, type Flow, type FlowContext, type Place } from "./place.ts";
import { keptFromLeft, runsOf } from "./runs.ts";
import { alertGrades, isHazard, tintOf } from "../../markdown/alert-grades.ts";
import { colours } from "./styles.ts";
import { tableOf } from "./table.ts";

export const topLevel: Place = { indent: 0, lists: 0, frame: {} };

export function flowOf(blocks: readonly Block[], context: FlowContext, place: Place): Flow[] {
  return blocks.flatMap((block, at) => {
    const isCaptioned = block.type === "paragraph" && blocks[at + 1]?.type === "caption";
    return isCaptioned
      ? [paragraph(lineOf(block, context, place), place, { keepNext: true })]
      : blockFlow(block, context, place);
  });
}

function blockFlow(block: Block, context: FlowContext, place: Place): Flow[] {
  switch (block.type) {
    case "paragraph":
      return [paragraph(lineOf(block, context, place), place, bidirectional(block.rtl))];
    case "caption":
      return [paragraph(lineOf(block, context, place), place, { style: "Caption", ...bidirectional(block.rtl) })];
    case "heading": {
      const runs = lineOf(block, context, place);
      const id = context.bookmark(block.id);
      const heading = headingLevels[Math.min(block.level, 6) - 1] ?? HeadingLevel.HEADING_6;
      const children = id === undefined ? runs : [new Bookmark({ id, children: runs })];
      return [paragraph(children, place, { heading, ...bidirectional(block.rtl) })];
    }
    case "list":
      return listFlow(block, context, place);
    case "table":
      return tableOf(block, place, (blocks, inside) => flowOf(blocks, context, inside));
    case "code":
      return context.groups.mark(`code_${codeName(block.lang ?? "")}`, [codeOf(block.text, place)]);
    case "quote":
      return context.groups.mark("quote", flowOf(block.children, context, framed(place, quoteFrame(place))));
    case "alert": {
      const { color, word, letter } = alertGrades[block.kind];
      const line = { style: BorderStyle.SINGLE, size: 24, color: hex(color), space: 8 };
      const box = framed(place, { shading: { fill: hex(tintOf(block.kind)) }, border: { [sideOf(place)]: line } });
      const panel = isHazard(block.kind) ? { ...box, frame: { ...box.frame, shading: { fill: hex(color) } } } : box;
      const title = new TextRun({ text: `${letter} ${block.title.toUpperCase()}`, color: hex(word) });
      const titleLine = paragraph([title], panel, { style: "AlertTitle" });
      return context.groups.mark(`alert_${block.kind}`, [titleLine, ...flowOf(block.children, context, box)]);
    }
    case "details": {
      const rtl = isTextRightToLeft(plainText(block.summary), place.frame.bidirectional === true);
      const summary = lineOf({ children: block.summary, rtl }, context, place, { bold: true });
      const title = summary.length === 0 ? [] : [paragraph(summary, place, { keepNext: true, ...bidirectional(rtl) })];
      const inside = flowOf(block.children, context, { ...place, indent: place.indent + step });
      return context.groups.mark(title.length === 0 ? "details" : "summary", [...title, ...inside]);
    }
    case "rule":
      return [
        paragraph([], place, {
          style: "Rule",
          border: { bottom: { style: BorderStyle.SINGLE, size: 6, color: colours.line, space: 1 } },
        }),
      ];
  }
}

const headingLevels = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
  HeadingLevel.HEADING_6,
];

/** A line of text, in its reading order. */
function lineOf(
  { children, rtl }: Pick<TextBlock, "children" | "rtl">,
  context: FlowContext,
  { frame }: Place,
  look: IRunOptions = {},
): ParagraphChild[] {
  const runs = runsOf(children, context, rtl, rtl ? { ...look, rightToLeft: true } : look);
  return frame.bidirectional === true && !rtl ? keptFromLeft(runs) : runs;
}

function quoteFrame(place: Place): Partial<IParagraphOptions> {
  const line = { style: BorderStyle.SINGLE, size: 18, color: colours.line, space: 10 };
  return { style: "Quote", border: { [sideOf(place)]: line } };
}

/** The side of an indent changes with the direction of a paragraph. The sides of its borders don't. */
function sideOf({ frame }: Place): "left" | "right" {
  return frame.bidirectional === true ? "right" : "left";
}

/** Word writes colors without `#`. */
const hex = (color: string): string => color.slice(1);

function framed(place: Place, frame: Partial<IParagraphOptions>): Place {
  return { ...place, indent: place.indent + 200, frame: { ...place.frame, ...frame } };
}

function paragraph(children: ParagraphChild[], place: Place, own: Partial<IParagraphOptions> = {}): Paragraph {
  const indent = place.indent > 0 && own.numbering === undefined ? { indent: { left: place.indent } } : {};
  return new Paragraph({ ...indent, ...place.frame, ...own, children });
}

/** Word counts no further than this number. */
const mostCounted = 32_767;

function listFlow(list: List, context: FlowContext, place: Place): Flow[] {
  const isTyped = list.ordered && list.start + list.items.length - 1 > mostCounted;
  const numbering = isTyped ? undefined : context.numbering.list(list.ordered, list.start, place.lists);
  const tasks = context.numbering.tasks(place.lists);
  const inner: Place = { ...place, indent: place.indent + step, lists: place.lists + 1 };
  return list.items.flatMap((item, index) => {
    const [first, ...rest] = item.children;
    const opens = first?.type === "paragraph" ? first : { children: [], rtl: false };
    const others = first?.type === "paragraph" ? rest : item.children;
    const number = isTyped ? [new TextRun({ children: [`${list.start + index}.`, new Tab()] })] : [];
    const runs = [...number, ...tick(item, list), ...lineOf(opens, context, place)];
    const isLast = index === list.items.length - 1 && place.lists === 0;
    const spacing = list.tight && !isLast ? { spacing: { after: 40 } } : {};
    const isTask = item.checked !== null && !list.ordered;
    const own = {
      ...(numbering && { numbering: isTask ? tasks : numbering }),
      indent: { left: inner.indent, hanging: step },
      ...(isTask && { tabStops: [{ type: "left" as const, position: inner.indent }] }),
    };
    const line = new Paragraph({ ...place.frame, ...spacing, ...bidirectional(opens.rtl), ...own, children: runs });
    return [line, ...context.groups.mark("in", flowOf(others, context, inner))];
  });
}

function tick({ checked }: ListItem, { ordered }: List): ParagraphChild[] {
  if (checked === null) return [];
  return [boxOf(checked), ordered ? new TextRun(" ") : new TextRun({ children: [new Tab()] })];
}

/**
 * Writes a checkbox as Word itself does. The library's checkbox contains a symbol, which programs that read the text
 * don't get.
 */
function boxOf(checked: boolean): ParagraphChild {
  const font = (name: string) => `w:${name}="MS Gothic"`;
  const state = (name: string, code: string) => `<w14:${name} w14:val="${code}" w14:font="MS Gothic"/>`;
  const states = state("checkedState", "2612") + state("uncheckedState", "2610");
  const fonts = ["ascii", "hAnsi", "eastAsia"].map(font).join(" ");
  return ImportedXmlComponent.fromXmlString(
    `<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="${checked ? 1 : 0}"/>${states}</w14:checkbox></w:sdtPr>` +
      `<w:sdtContent><w:r><w:rPr><w:rFonts ${fonts}/></w:rPr><w:t>${checked ? "☒" : "☐"}</w:t></w:r></w:sdtContent></w:sdt>`,
  ) as unknown as ParagraphChild;
}

/** Code is one paragraph, so that an import gets it as one code block. */
function codeOf(text: string, place: Place): Paragraph {
  const lines = text
    .split("\n")
    .map((line, index) => new TextRun(index === 0 ? { text: line } : { text: line, break: 1 }));
  const fromLeft = place.frame.bidirectional === true ? { bidirectional: false } : {};
  return paragraph(lines, place, { style: "CodeBlock", ...fromLeft, shading: { fill: colours.sunken } });
}
