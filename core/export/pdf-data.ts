/** The data for the Typst template: plain data, which never becomes markup. */
import type { ExportBlock } from "./blocks.ts";
import { controlBlockRows, documentVersionText, exportTexts, pageNumberWords, versionMarks } from "./document.ts";
import type { ExportDocument } from "./document.ts";
import { cleanLine, cleanText } from "../text/clean-text.ts";
import { isDocumentRightToLeft, isTextRightToLeft, lineWithMeasureOrder } from "./direction.ts";
import { alertGrades, alertKinds, isHazard, signSvgOf, alertTintOf } from "../markdown/alert-grades.ts";
import { blocksForTypesetting } from "./settable.ts";

export interface PlacedImage {
  /** The path of the image file, as the template reads it. */
  path: string;
  /** The size in points, at 96 pixels to the inch as on the screen. */
  width: number;
  height: number;
}

export interface PdfData {
  number: string;
  title: string;
  description: string;
  version: string;
  status: string;
  state: string;
  /** The watermark of an unpublished version; null for a published one. */
  mark: string | null;
  company: string;
  words: {
    uncontrolled: string;
    /** The words around the page number and the number of pages. */
    page: string[];
    continued: string;
    lostImage: string;
    /** The words around the alternative text of a missing image. */
    lostImageOf: string[];
  };
  facts: [name: string, value: string][];
  /** The address in the QR code `/qr.svg`; null without a QR code. */
  address: string | null;
  lang: string;
  region: string | null;
  /** True if the whole document is read from right to left. */
  rtl: boolean;
  /** True if the title is read from right to left. */
  titleRtl: boolean;
  /** Names of additional fonts, best first. */
  fonts: string[];
  keywords: string[];
  author: string[];
  date: { year: number; month: number; day: number; hour: number; minute: number; second: number };
  pictures: Record<string, PlacedImage>;
  /** Files inside the PDF, below `/attached/`. */
  attached: { name: string; about: string }[];
  /** The colors and signs of each kind of alert. */
  grades: typeof gradeLooks;
  blocks: ExportBlock[];
}

const gradeLooks = Object.fromEntries(
  alertKinds.map((kind) => {
    const { color, word } = alertGrades[kind];
    return [kind, { color, word, tint: alertTintOf(kind), panel: isHazard(kind), sign: signSvgOf(kind) }];
  }),
);

export function pdfDataOf(
  document: ExportDocument,
  blocks: readonly ExportBlock[],
  images: Record<string, PlacedImage>,
): PdfData {
  const [lang = "en", region] = (document.lang ?? "en").split("-");
  const rtl = isDocumentRightToLeft(document);
  const at = new Date(document.at);
  const clean = (text: string) => cleanText(text).replace(/\s+/g, " ").trim();
  const orderedLine = (text: string) => lineWithMeasureOrder(cleanLine(text).replace(/\s+/g, " ").trim());
  return {
    number: clean(document.number),
    title: orderedLine(document.title),
    description: orderedLine(document.description),
    version: documentVersionText(document),
    status: exportTexts.states[document.state],
    state: document.state,
    mark: versionMarks[document.state],
    company: clean(document.company ?? ""),
    words: {
      uncontrolled: exportTexts.uncontrolled,
      page: pageNumberWords(),
      continued: exportTexts.continued,
      lostImage: exportTexts.lostImage,
      lostImageOf: exportTexts.lostImageOf({ alt: "\0" }).split("\0"),
    },
    facts: controlBlockRows(document).map(([name, value]) => [name, cleanText(value)]),
    address: document.address ?? null,
    lang: lang.toLowerCase(),
    region: region !== undefined && /^[a-z]{2}$/i.test(region) ? region.toUpperCase() : null,
    rtl,
    titleRtl: isTextRightToLeft(document.title, rtl),
    fonts: [],
    keywords: document.tags.map(clean),
    author: [document.owner ?? document.writtenBy?.name ?? document.company ?? ""].map(clean).filter(Boolean),
    date: {
      year: at.getUTCFullYear(),
      month: at.getUTCMonth() + 1,
      day: at.getUTCDate(),
      hour: at.getUTCHours(),
      minute: at.getUTCMinutes(),
      second: at.getUTCSeconds(),
    },
    pictures: images,
    attached: [],
    grades: gradeLooks,
    blocks: blocksForTypesetting(blocks),
  };
}
