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
import {
  plainTextOfInlines,
  type ExportBlock,
  type ExportList,
  type ListItem,
  type ExportParagraph as TextBlock,
} from "../blocks.ts";
import { isTextRightToLeft } from "../direction.ts";
import { bookmarkCodeName } from "./groups.ts";
import { listIndentStep } from "./numbering.ts";
import { bidirectionalOptions, type DocxBlock, type FlowContext, type DocxPlace } from "./place.ts";
import { withLeftToRightMarks, runsOfInlines } from "./runs.ts";
import { alertGrades, isHazard, alertTintOf } from "../../markdown/alert-grades.ts";
import { colours } from "./styles.ts";
import { docxTableOf } from "./table.ts";

export const topLevelPlace: DocxPlace = { indent: 0, lists: 0, frame: {} };

export function docxBlocksOf(blocks: readonly ExportBlock[], context: FlowContext, place: DocxPlace): DocxBlock[] {
  return blocks.flatMap((block, at) => {
    const isCaptioned = block.type === "paragraph" && blocks[at + 1]?.type === "caption";
    return isCaptioned
      ? [placedParagraph(lineRunsOf(block, context, place), place, { keepNext: true })]
      : docxBlocksOfBlock(block, context, place);
  });
}

function docxBlocksOfBlock(block: ExportBlock, context: FlowContext, place: DocxPlace): DocxBlock[] {
  switch (block.type) {
    case "paragraph":
      return [placedParagraph(lineRunsOf(block, context, place), place, bidirectionalOptions(block.rtl))];
    case "caption":
      return [
        placedParagraph(lineRunsOf(block, context, place), place, {
          style: "Caption",
          ...bidirectionalOptions(block.rtl),
        }),
      ];
    case "heading": {
      const runs = lineRunsOf(block, context, place);
      const id = context.bookmark(block.id);
      const heading = headingLevels[Math.min(block.level, 6) - 1] ?? HeadingLevel.HEADING_6;
      const children = id === undefined ? runs : [new Bookmark({ id, children: runs })];
      return [placedParagraph(children, place, { heading, ...bidirectionalOptions(block.rtl) })];
    }
    case "list":
      return docxBlocksOfList(block, context, place);
    case "table":
      return docxTableOf(block, place, (blocks, inside) => docxBlocksOf(blocks, context, inside));
    case "code":
      return context.groups.mark(`code_${bookmarkCodeName(block.lang ?? "")}`, [codeParagraph(block.text, place)]);
    case "quote":
      return context.groups.mark(
        "quote",
        docxBlocksOf(block.children, context, placeInFrame(place, quoteFrame(place))),
      );
    case "alert": {
      const { color, word, letter } = alertGrades[block.kind];
      const line = { style: BorderStyle.SINGLE, size: 24, color: wordColor(color), space: 8 };
      const box = placeInFrame(place, {
        shading: { fill: wordColor(alertTintOf(block.kind)) },
        border: { [indentSideOf(place)]: line },
      });
      const panel = isHazard(block.kind)
        ? { ...box, frame: { ...box.frame, shading: { fill: wordColor(color) } } }
        : box;
      const title = new TextRun({ text: `${letter} ${block.title.toUpperCase()}`, color: wordColor(word) });
      const titleLine = placedParagraph([title], panel, { style: "AlertTitle" });
      return context.groups.mark(`alert_${block.kind}`, [titleLine, ...docxBlocksOf(block.children, context, box)]);
    }
    case "details": {
      const rtl = isTextRightToLeft(plainTextOfInlines(block.summary), place.frame.bidirectional === true);
      const summary = lineRunsOf({ children: block.summary, rtl }, context, place, { bold: true });
      const title =
        summary.length === 0 ? [] : [placedParagraph(summary, place, { keepNext: true, ...bidirectionalOptions(rtl) })];
      const inside = docxBlocksOf(block.children, context, { ...place, indent: place.indent + listIndentStep });
      return context.groups.mark(title.length === 0 ? "details" : "summary", [...title, ...inside]);
    }
    case "rule":
      return [
        placedParagraph([], place, {
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

/** Returns the runs of a line of text, in its reading direction. */
function lineRunsOf(
  { children, rtl }: Pick<TextBlock, "children" | "rtl">,
  context: FlowContext,
  { frame }: DocxPlace,
  look: IRunOptions = {},
): ParagraphChild[] {
  const runs = runsOfInlines(children, context, rtl, rtl ? { ...look, rightToLeft: true } : look);
  return frame.bidirectional === true && !rtl ? withLeftToRightMarks(runs) : runs;
}

function quoteFrame(place: DocxPlace): Partial<IParagraphOptions> {
  const line = { style: BorderStyle.SINGLE, size: 18, color: colours.line, space: 10 };
  return { style: "Quote", border: { [indentSideOf(place)]: line } };
}

/** Returns the side of a paragraph's indent, which changes with the direction. The sides of borders don't change. */
function indentSideOf({ frame }: DocxPlace): "left" | "right" {
  return frame.bidirectional === true ? "right" : "left";
}

/** Returns a color without `#`, as Word writes it. */
const wordColor = (color: string): string => color.slice(1);

function placeInFrame(place: DocxPlace, frame: Partial<IParagraphOptions>): DocxPlace {
  return { ...place, indent: place.indent + 200, frame: { ...place.frame, ...frame } };
}

function placedParagraph(
  children: ParagraphChild[],
  place: DocxPlace,
  own: Partial<IParagraphOptions> = {},
): Paragraph {
  const indent = place.indent > 0 && own.numbering === undefined ? { indent: { left: place.indent } } : {};
  return new Paragraph({ ...indent, ...place.frame, ...own, children });
}

/** The greatest list number in Word. */
const mostCounted = 32_767;

function docxBlocksOfList(list: ExportList, context: FlowContext, place: DocxPlace): DocxBlock[] {
  const isTyped = list.ordered && list.start + list.items.length - 1 > mostCounted;
  const numbering = isTyped ? undefined : context.numbering.list(list.ordered, list.start, place.lists);
  const tasks = context.numbering.tasks(place.lists);
  const inner: DocxPlace = { ...place, indent: place.indent + listIndentStep, lists: place.lists + 1 };
  return list.items.flatMap((item, index) => {
    const [first, ...rest] = item.children;
    const opens = first?.type === "paragraph" ? first : { children: [], rtl: false };
    const others = first?.type === "paragraph" ? rest : item.children;
    const number = isTyped ? [new TextRun({ children: [`${list.start + index}.`, new Tab()] })] : [];
    const runs = [...number, ...taskCheckboxRuns(item, list), ...lineRunsOf(opens, context, place)];
    const isLast = index === list.items.length - 1 && place.lists === 0;
    const spacing = list.tight && !isLast ? { spacing: { after: 40 } } : {};
    const isTask = item.checked !== null && !list.ordered;
    const own = {
      ...(numbering && { numbering: isTask ? tasks : numbering }),
      indent: { left: inner.indent, hanging: listIndentStep },
      ...(isTask && { tabStops: [{ type: "left" as const, position: inner.indent }] }),
    };
    const line = new Paragraph({
      ...place.frame,
      ...spacing,
      ...bidirectionalOptions(opens.rtl),
      ...own,
      children: runs,
    });
    return [line, ...context.groups.mark("in", docxBlocksOf(others, context, inner))];
  });
}

function taskCheckboxRuns({ checked }: ListItem, { ordered }: ExportList): ParagraphChild[] {
  if (checked === null) return [];
  return [checkboxRun(checked), ordered ? new TextRun(" ") : new TextRun({ children: [new Tab()] })];
}

/** Writes a checkbox like Word. The docx package would write a symbol, which programs that read the text don't get. */
function checkboxRun(checked: boolean): ParagraphChild {
  const fontAttribute = (name: string) => `w:${name}="MS Gothic"`;
  const stateElement = (name: string, code: string) => `<w14:${name} w14:val="${code}" w14:font="MS Gothic"/>`;
  const states = stateElement("checkedState", "2612") + stateElement("uncheckedState", "2610");
  const fonts = ["ascii", "hAnsi", "eastAsia"].map(fontAttribute).join(" ");
  return ImportedXmlComponent.fromXmlString(
    `<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="${checked ? 1 : 0}"/>${states}</w14:checkbox></w:sdtPr>` +
      `<w:sdtContent><w:r><w:rPr><w:rFonts ${fonts}/></w:rPr><w:t>${checked ? "☒" : "☐"}</w:t></w:r></w:sdtContent></w:sdt>`,
  ) as unknown as ParagraphChild;
}

/** Writes code as one paragraph, so that an import reads it as one code block. */
function codeParagraph(text: string, place: DocxPlace): Paragraph {
  const lines = text
    .split("\n")
    .map((line, index) => new TextRun(index === 0 ? { text: line } : { text: line, break: 1 }));
  const fromLeft = place.frame.bidirectional === true ? { bidirectional: false } : {};
  return placedParagraph(lines, place, { style: "CodeBlock", ...fromLeft, shading: { fill: colours.sunken } });
}
