import { imageNamesIn, type ExportBlock } from "#core/export/blocks.ts";
import { imageSize } from "#core/assets/image-size.ts";
import { printableImages } from "#core/export/printable-images.ts";
import { AppError } from "#core/errors.ts";
import { isDocumentRightToLeft } from "#core/export/direction.ts";
import { printWarnings } from "#core/faithful/printed.ts";
import { fontSets, chineseFontSetOf, missingCharactersOf, missingFontMessage } from "#core/export/fonts.ts";
import { pdfDataOf, type PdfData, type PlacedImage } from "#core/export/pdf-data.ts";
import type { Images, PrintedFile, PrintAsk } from "#core/export/printing.ts";
import { createQrSvg } from "#core/export/qr-code.ts";
import { readExportBlocks } from "#core/export/read-blocks.ts";
import { withoutLinks } from "#core/export/settable.ts";
import type { Typesetter } from "./typst.ts";
import { refusals } from "./refusals.ts";

/** Points on paper per pixel on the screen, at 96 pixels per inch. */
const pointsPerPixel = 0.75;

/** Creates the PDF of a document. @throws AppError `font_missing` for characters that no font has, `unprocessable` */
export function printPdf(typesetter: Typesetter, ask: PrintAsk, given: Images): PrintedFile {
  const blocks = readExportBlocks(ask.html, isDocumentRightToLeft(ask.document));
  const warnings = tightLayoutWarnings(blocks);
  const files = new Map<string, Uint8Array>();
  const { address, proof } = ask.document;
  if (address) files.set("qr.svg", Buffer.from(createQrSvg(address)));
  const pictures = placeImages(blocks, given, files, warnings);
  let data = pdfDataOf(ask.document, blocks, pictures);
  warnings.push(...printWarnings(ask.html, data.blocks));
  // archive formats allow no attached files
  const attached = ask.standard === null ? (proof?.files ?? []) : [];
  for (const { name, content } of attached) files.set(`attached/${name}`, content);
  const abouts = ["This version as Markdown", "The commit of this version"];
  data = { ...data, attached: attached.map(({ name }, index) => ({ name, about: abouts[index] ?? "" })) };
  const text = allPdfText(data);
  const { families, files: fonts, lacking } = typesetter.fontsFor(text, ask.document.lang);
  if (lacking.length > 0) {
    const missing = missingCharactersOf(lacking, ask.document);
    throw new AppError("font_missing", missingFontMessage(missing), missing);
  }
  data = { ...data, fonts: families };
  const { set: han, chosen } = chineseFontSetOf(ask.document.lang, text);
  if (!chosen) warnings.push(`Han characters are set as ${fontSets[han].label}: name the language in the document`);
  const options = { standard: ask.standard, timestamp: Math.floor(Date.parse(ask.document.at) / 1000), fonts };
  const typesetPdf = () => withWarnings(warnings, typesetter.pdf(data, files, options));
  try {
    return typesetPdf();
  } catch (error) {
    // a broken image must not make the whole document fail
    const broken = [...files].filter(([path, bytes]) => !typesetter.canShow(path, bytes)).map(([path]) => path);
    if (broken.length === 0 && !isAboutLinks(error)) throw error;
    const isBroken = ({ path }: PlacedImage) => broken.includes(path.slice(1));
    data = { ...data, pictures: Object.fromEntries(Object.entries(data.pictures).filter(([, one]) => !isBroken(one))) };
    for (const path of broken) warnings.push(`an image can't be read: ${path.replace("pictures/", "")}`);
    if (isAboutLinks(error)) {
      data = { ...data, blocks: withoutLinks(data.blocks) };
      warnings.push("the typesetter can't set the links of this document: they are text");
    }
    return typesetPdf();
  }
}

/** The maximum number of columns of a table in the smallest type: on a landscape page, and inside a list or box. */
const mostColumns = { page: 60, place: 20 };
/** The number of letters in a line of a landscape page, at two thirds of the usual type size. */
const smallType = 210;

/**
 * Returns notes for users about parts that look different in print than on the screen.
 * @throws AppError `unprocessable` for tables with more columns than fit on a page
 */
function tightLayoutWarnings(blocks: readonly ExportBlock[]): string[] {
  const found = new Set<string>();
  const findTightLayout = (all: readonly ExportBlock[], most: number): void => {
    for (const block of all) {
      if (block.type === "list") for (const item of block.items) findTightLayout(item.children, mostColumns.place);
      if (block.type === "quote" || block.type === "alert" || block.type === "details") {
        findTightLayout(block.children, mostColumns.place);
      }
      if (block.type !== "table") continue;
      const columns = block.shares.length;
      if (columns > most) {
        throw new AppError("unprocessable", refusals.wideTable({ columns, most }));
      }
      if (block.letters > smallType) found.add(`a table of ${columns} columns is set in small type`);
      for (const { cells } of block.rows) for (const cell of cells) findTightLayout(cell.children, mostColumns.place);
    }
  };
  findTightLayout(blocks, mostColumns.page);
  return [...found];
}

/**
 * Says whether a link made the typesetter fail. For example, it fails at a link before a soft hyphen in right-to-left
 * text.
 */
function isAboutLinks(error: unknown): boolean {
  return error instanceof Error && /\blink ancestor\b/.test(error.message);
}

/** Puts the warnings about what the PDF leaves out before the typesetter's warnings. */
function withWarnings(warnings: readonly string[], { bytes, warnings: more }: PrintedFile): PrintedFile {
  return { bytes, warnings: [...warnings, ...more.map((one) => `the typesetter says: ${one}`)] };
}

/**
 * Adds the printable images to `files`, and warnings about the others to `warnings`.
 * @returns the place of each image, by name
 */
function placeImages(
  blocks: readonly ExportBlock[],
  given: Images,
  files: Map<string, Uint8Array>,
  warnings: string[],
): Record<string, PlacedImage> {
  const placed: Record<string, PlacedImage> = {};
  const { images, warnings: leftOut } = printableImages(imageNamesIn(blocks), given);
  warnings.push(...leftOut);
  for (const [name, bytes] of Object.entries(images)) {
    const size = imageSize(bytes);
    if (size === null) continue;
    const path = `pictures/${name.split(".")[0]}.${size.type === "jpeg" ? "jpg" : size.type}`;
    files.set(path, bytes);
    placed[name] = { path: `/${path}`, width: size.width * pointsPerPixel, height: size.height * pointsPerPixel };
  }
  return placed;
}

/** Returns all text that the pages show, to find the needed fonts. */
function allPdfText({ number, title, description, facts, company, blocks }: PdfData): string {
  return JSON.stringify([number, title, description, facts, company, blocks]);
}
