/** Blocks → the body of a Word file. */
import {
  Bookmark,
  BorderStyle,
  CheckBox,
  HeadingLevel,
  Paragraph,
  Tab,
  TextRun,
  type IParagraphOptions,
  type ParagraphChild,
} from "docx";
import type { Block, List, ListItem } from "../blocks.ts";
import { codeName } from "./groups.ts";
import { step } from "./numbering.ts";
import { bidirectional, type Flow, type FlowContext, type Place } from "./place.ts";
import { runsOf } from "./runs.ts";
import { alertGrades, isHazard, tintOf } from "../../markdown/alert-grades.ts";
import { colours } from "./styles.ts";
import { tableOf } from "./table.ts";

export const topLevel: Place = { indent: 0, lists: 0, frame: {} };

export function flowOf(blocks: readonly Block[], context: FlowContext, place: Place): Flow[] {
  return blocks.flatMap((block, at) => {
    const isCaptioned = block.type === "paragraph" && blocks[at + 1]?.type === "caption";
    return isCaptioned
      ? [paragraph(runsOf(block.children, context, block.rtl), place, { keepNext: true })]
      : blockFlow(block, context, place);
  });
}

function blockFlow(block: Block, context: FlowContext, place: Place): Flow[] {
  switch (block.type) {
    case "paragraph":
      return [paragraph(runsOf(block.children, context, block.rtl), place, bidirectional(block.rtl))];
    case "caption":
      return [
        paragraph(runsOf(block.children, context, block.rtl), place, { style: "Caption", ...bidirectional(block.rtl) }),
      ];
    case "heading": {
      const runs = runsOf(block.children, context, block.rtl);
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
      const summary = runsOf(block.summary, context, false, { bold: true });
      const title = summary.length === 0 ? [] : [paragraph(summary, place, { keepNext: true })];
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

function quoteFrame(place: Place): Partial<IParagraphOptions> {
  const line = { style: BorderStyle.SINGLE, size: 18, color: colours.line, space: 10 };
  return { style: "Quote", border: { [sideOf(place)]: line } };
}

/** Indents change sides with the direction of a paragraph, its borders don't. */
function sideOf({ frame }: Place): "left" | "right" {
  return frame.bidirectional === true ? "right" : "left";
}

/** As Word writes colors. */
const hex = (color: string): string => color.slice(1);

function framed(place: Place, frame: Partial<IParagraphOptions>): Place {
  return { ...place, indent: place.indent + 200, frame: { ...place.frame, ...frame } };
}

function paragraph(children: ParagraphChild[], place: Place, own: Partial<IParagraphOptions> = {}): Paragraph {
  const indent = place.indent > 0 && own.numbering === undefined ? { indent: { left: place.indent } } : {};
  return new Paragraph({ ...indent, ...place.frame, ...own, children });
}

function listFlow(list: List, context: FlowContext, place: Place): Flow[] {
  const numbering = context.numbering.list(list.ordered, list.start, place.lists);
  const tasks = context.numbering.tasks(place.lists);
  const inner: Place = { ...place, indent: place.indent + step, lists: place.lists + 1 };
  return list.items.flatMap((item, index) => {
    const [first, ...rest] = item.children;
    const opens = first?.type === "paragraph" ? first : { children: [], rtl: false };
    const others = first?.type === "paragraph" ? rest : item.children;
    const runs = [...tick(item, list), ...runsOf(opens.children, context, opens.rtl)];
    const isLast = index === list.items.length - 1 && place.lists === 0;
    const spacing = list.tight && !isLast ? { spacing: { after: 40 } } : {};
    const isTask = item.checked !== null && !list.ordered;
    const own = {
      numbering: isTask ? tasks : numbering,
      indent: { left: inner.indent, hanging: step },
      ...(isTask && { tabStops: [{ type: "left" as const, position: inner.indent }] }),
    };
    const line = new Paragraph({ ...place.frame, ...spacing, ...bidirectional(opens.rtl), ...own, children: runs });
    return [line, ...context.groups.mark("in", flowOf(others, context, inner))];
  });
}

function tick({ checked }: ListItem, { ordered }: List): ParagraphChild[] {
  if (checked === null) return [];
  const symbols = {
    checkedState: { value: "2612", font: "MS Gothic" },
    uncheckedState: { value: "2610", font: "MS Gothic" },
  };
  const box = new CheckBox({ checked, ...symbols }) as unknown as ParagraphChild;
  return [box, ordered ? new TextRun(" ") : new TextRun({ children: [new Tab()] })];
}

/** One paragraph, so that readers get it as one piece of code. */
function codeOf(text: string, place: Place): Paragraph {
  const lines = text
    .split("\n")
    .map((line, index) => new TextRun(index === 0 ? { text: line } : { text: line, break: 1 }));
  const fromLeft = place.frame.bidirectional === true ? { bidirectional: false } : {};
  return paragraph(lines, place, { style: "CodeBlock", ...fromLeft, shading: { fill: colours.sunken } });
}
