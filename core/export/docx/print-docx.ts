import { Document, HeadingLevel, Packer, Paragraph, TextRun } from "docx";
import { printWarnings } from "#core/faithful/printed.ts";
import { imageNamesIn, type ExportBlock } from "../blocks.ts";
import { cleanLine, cleanText } from "../../text/clean-text.ts";
import type { ExportDocument } from "../document.ts";
import { isDocumentRightToLeft, isTextRightToLeft } from "../direction.ts";
import { printableImages } from "../printable-images.ts";
import type { PrintedFile } from "../printing.ts";
import { readExportBlocks } from "../read-blocks.ts";
import { withoutTablesInNotes, blocksForTypesetting } from "../settable.ts";
import { docxBlocksOf, topLevelPlace } from "./flow.ts";
import { controlBlockTable, docxFooterOf, docxHeaderOf, runsOfFrameText } from "./frame.ts";
import { createBookmarkGroups } from "./groups.ts";
import { createNumberingWriter } from "./numbering.ts";
import { bidirectionalOptions, type FlowContext, type DocxPlace } from "./place.ts";
import { withReproducibleBytes } from "./same-bytes.ts";
import { docxStylesOf } from "./styles.ts";

const millimetre = 56.7;

/**
 * Writes a document as a Word file. @param html the document's text, from `renderHtml`. Throws like `readExportBlocks`.
 */
export async function createDocx(
  document: ExportDocument,
  html: string,
  pictures: Record<string, Uint8Array>,
): Promise<PrintedFile> {
  const clean = withCleanedTexts(document);
  const rtl = isDocumentRightToLeft(document);
  const blocks = withoutTablesInNotes(blocksForTypesetting(readExportBlocks(html, rtl)));
  const images = printableImages(imageNamesIn(blocks), pictures);
  const warnings = new Set<string>([...images.warnings, ...printWarnings(html, blocks)]);
  const footnotes: Record<number, { children: Paragraph[] }> = {};
  const bookmarks = new Map<string, string>();
  const numbering = createNumberingWriter();
  for (const id of headingIds(blocks))
    if (id !== "" && !bookmarks.has(id)) bookmarks.set(id, `place_${bookmarks.size + 1}`);

  const page: DocxPlace = { ...topLevelPlace, frame: bidirectionalOptions(rtl) };
  const context: FlowContext = {
    pictures: images.images,
    numbering,
    groups: createBookmarkGroups(),
    warn: (text) => void warnings.add(text),
    bookmark: (id) => bookmarks.get(id),
    footnote(number, children) {
      const flow = docxBlocksOf(children, context, {
        ...page,
        frame: { ...page.frame, style: "FootnoteText" },
      });
      const paragraphs = flow.filter((one) => one instanceof Paragraph);
      footnotes[number] = { children: paragraphs.length > 0 ? paragraphs : [new Paragraph("")] };
      return number;
    },
  };
  const body = docxBlocksOf(blocks, context, page);
  const titleRtl = isTextRightToLeft(clean.title, rtl);
  const file = new Document({
    title: clean.title,
    subject: clean.number,
    description: clean.description,
    creator: clean.owner ?? clean.writtenBy?.name ?? clean.company ?? "",
    lastModifiedBy: clean.writtenBy?.name ?? clean.owner ?? "",
    keywords: clean.tags.join(", "),
    styles: docxStylesOf(document.lang ?? "en", rtl),
    numbering: numbering.config(),
    footnotes,
    sections: [
      {
        properties: {
          page: {
            size: { width: 11_906, height: 16_838 },
            margin: {
              top: Math.round(30 * millimetre),
              bottom: Math.round(25 * millimetre),
              left: Math.round(23 * millimetre),
              right: Math.round(23 * millimetre),
              header: Math.round(14 * millimetre),
              footer: Math.round(12 * millimetre),
            },
          },
        },
        headers: { default: docxHeaderOf(clean, rtl) },
        footers: { default: docxFooterOf(clean, rtl) },
        children: [
          new Paragraph({
            style: "DocumentNumber",
            ...bidirectionalOptions(rtl),
            children: [new TextRun(clean.number)],
          }),
          new Paragraph({
            heading: HeadingLevel.TITLE,
            ...bidirectionalOptions(rtl || titleRtl),
            children: runsOfFrameText(clean.title, rtl),
          }),
          ...(clean.description === ""
            ? []
            : [
                new Paragraph({
                  style: "Description",
                  ...bidirectionalOptions(rtl),
                  children: runsOfFrameText(clean.description, rtl),
                }),
              ]),
          ...controlBlockTable(clean, rtl),
          ...body,
        ],
      },
    ],
  });
  const bytes = new Uint8Array(await Packer.toArrayBuffer(file));
  return { bytes: withReproducibleBytes(bytes, document.at), warnings: [...warnings] };
}

/** Returns the document with cleaned words around its text, such as title and names. */
function withCleanedTexts(document: ExportDocument): ExportDocument {
  const clean = (text: string) => cleanText(text).replace(/\s+/g, " ");
  const { owner, company, writtenBy } = document;
  return {
    ...document,
    number: clean(document.number),
    title: cleanLine(document.title).replace(/\s+/g, " "),
    description: cleanLine(document.description).replace(/\s+/g, " "),
    owner: owner === null ? null : clean(owner),
    company: company === null ? null : clean(company),
    writtenBy: writtenBy && { ...writtenBy, name: clean(writtenBy.name) },
    tags: document.tags.map(clean),
  };
}

function headingIds(blocks: readonly ExportBlock[]): string[] {
  return blocks.flatMap((block): string[] => {
    if (block.type === "heading") return [block.id];
    if (block.type === "list") return block.items.flatMap((item) => headingIds(item.children));
    return "children" in block && block.type !== "paragraph" ? headingIds(block.children as ExportBlock[]) : [];
  });
}
