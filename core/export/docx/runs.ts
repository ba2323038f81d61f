import {
  ExternalHyperlink,
  FootnoteReferenceRun,
  ImageRun,
  ImportedXmlComponent,
  InternalHyperlink,
  TextRun,
  type IRunOptions,
  type ParagraphChild,
} from "docx";
import type { ExportBlock, ExportInline } from "../blocks.ts";
import { measurePattern } from "../direction.ts";
import { missingImageText } from "../document.ts";
import { imageSize } from "../../assets/image-size.ts";
import type { BookmarkGroups } from "./groups.ts";

/** The images, and functions that add footnotes, bookmarks and warnings while a line is written. */
export interface LineContext {
  pictures: Record<string, Uint8Array>;
  warn(text: string): void;
  /** Adds a footnote. @returns its number in Word */
  footnote(number: number, blocks: readonly ExportBlock[]): number;
  groups: BookmarkGroups;
  /** Returns the bookmark of a heading; undefined for an unknown heading. */
  bookmark(id: string): string | undefined;
}

/** The maximum width of an image on a page, in pixels; `highest` is the maximum height. */
const widest = 620;
const highest = 560;

export function runsOfInlines(
  nodes: readonly ExportInline[],
  context: LineContext,
  rtl: boolean,
  marks: IRunOptions = rtl ? { rightToLeft: true } : {},
): ParagraphChild[] {
  return nodes.flatMap((node): ParagraphChild[] => {
    switch (node.type) {
      case "text":
        return textRunsOf(node.text, marks);
      case "code": {
        const code = [new TextRun({ ...marks, rightToLeft: false, style: "InlineCode", text: node.text })];
        return marks.rightToLeft === true ? withLeftToRightMarks(code) : code;
      }
      case "break":
        return [new TextRun({ break: 1 })];
      case "link":
        return docxLinkRuns(node, context, rtl, marks);
      case "image":
        return [imageRun(node, context, marks)];
      case "footnote":
        return footnoteReferenceRuns(node, context);
      case "footnote-again":
        return [repeatedNoteField(node.number, marks)];
      default:
        return runsOfInlines(node.children, context, rtl, { ...marks, ...marked[node.type] });
    }
  });
}

export function textRunsOf(text: string, marks: IRunOptions): ParagraphChild[] {
  if (marks.rightToLeft !== true) return [new TextRun({ ...marks, text })];
  return measureRunsOf(text.replaceAll(leftToRight, ""), marks);
}

function measureRunsOf(text: string, marks: IRunOptions): ParagraphChild[] {
  const out: ParagraphChild[] = [];
  let done = 0;
  for (const { index, 0: part } of text.matchAll(measurePattern)) {
    if (index > done) out.push(new TextRun({ ...marks, text: text.slice(done, index) }));
    out.push(measureRunOf(part, marks));
    done = index + part.length;
  }
  if (done < text.length) out.push(new TextRun({ ...marks, text: text.slice(done) }));
  return out;
}

/** An invisible character after which the text reads from left to right. */
export const leftToRight = "\u200E";

/**
 * Returns the runs between marks that keep the order of left-to-right words in a right-to-left paragraph. Without the
 * marks, "5–7 bar" would be shown as "bar 7–5".
 */
export function withLeftToRightMarks(runs: readonly ParagraphChild[]): ParagraphChild[] {
  return runs.length === 0 ? [] : [new TextRun(leftToRight), ...runs, new TextRun(leftToRight)];
}

function measureRunOf(text: string, { rightToLeft: _rightToLeft, ...marks }: IRunOptions): TextRun {
  return new TextRun({ ...marks, text: leftToRight + text + leftToRight });
}

const marked = {
  strong: { bold: true },
  em: { italics: true },
  del: { strike: true },
  sub: { subScript: true },
  sup: { superScript: true },
  kbd: { style: "Keyboard" },
} as const satisfies Record<string, IRunOptions>;

function docxLinkRuns(
  { url, children }: Extract<ExportInline, { type: "link" }>,
  context: LineContext,
  rtl: boolean,
  marks: IRunOptions,
): ParagraphChild[] {
  const inner = runsOfInlines(children, context, rtl, { ...marks, style: "Hyperlink" });
  if (!url.startsWith("#")) return [new ExternalHyperlink({ link: url, children: inner })];
  const anchor = context.bookmark(url.slice(1));
  return anchor === undefined ? inner : [new InternalHyperlink({ anchor, children: inner })];
}

/** Returns a footnote with a bookmark, to which further references to the footnote link. */
function footnoteReferenceRuns(
  { number, children }: Extract<ExportInline, { type: "footnote" }>,
  { groups, footnote }: LineContext,
): ParagraphChild[] {
  const [start, end] = groups.pair(noteBookmarkName(number));
  return [start, new FootnoteReferenceRun(footnote(number, children)), end] as ParagraphChild[];
}

/** Returns a field for a further reference to a footnote. Word shows the footnote's number in the field. */
function repeatedNoteField(number: number, marks: IRunOptions): ParagraphChild {
  const field = new ImportedXmlComponent("w:fldSimple", { "w:instr": ` NOTEREF ${noteBookmarkName(number)} \\f \\h ` });
  field.push(new TextRun({ ...marks, superScript: true, text: String(number) }));
  return field as unknown as ParagraphChild;
}

function noteBookmarkName(number: number): string {
  return `_note${number}`;
}

const wordTypes = { png: "png", jpeg: "jpg", gif: "gif" } as const;

function imageRun(
  node: Extract<ExportInline, { type: "image" }>,
  context: LineContext,
  marks: IRunOptions,
): ParagraphChild {
  const bytes = context.pictures[node.asset];
  const size = bytes === undefined ? null : imageSize(bytes);
  if (bytes === undefined || size === null || size.type === "webp") {
    if (size?.type === "webp") context.warn(`Word can't show a WebP image: ${node.asset}`);
    return new TextRun({ ...marks, italics: true, text: `[${missingImageText(node.alt)}]` });
  }
  const requested = (node.width ?? size.width) / size.width;
  const fit = Math.min(requested, widest / size.width, highest / size.height);
  return new ImageRun({
    type: wordTypes[size.type],
    data: bytes,
    transformation: { width: Math.round(size.width * fit), height: Math.round(size.height * fit) },
    altText: { name: node.asset, title: node.alt, description: node.alt },
  });
}
