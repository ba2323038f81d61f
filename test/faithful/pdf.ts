/** Prints generated tables and reads the paper with another program: words, places and columns. */
import type { PrintAsk } from "#core/export/printing.ts";
import { renderHtml } from "#core/markdown/render.ts";
import { printPdf } from "../../server/export/print-pdf.ts";
import type { Typesetter } from "../../server/export/typst.ts";
import { documentOf, htmlWords } from "../export-words.ts";
import { pdfPages } from "../pdf-text.ts";
import { aPng } from "../images.ts";
import { large, madeTable, small, words, type MadeCell, type MadeTable, type TableOptions } from "./tables.ts";

export interface PdfOptions extends TableOptions {
  typesetter: Typesetter;
}

/**
 * Prints the tables of these seeds in a single document.
 * @returns the differences between the tables and their paper, in words
 */
export function pdfDifferences(first: number, count: number, options: PdfOptions): string[] {
  const word = words();
  const tables = Array.from({ length: count }, (_, index) => madeTable(first + index, word, options));
  const intro = options.fromRight === true ? "\u05e9\u05dc\u05d5\u05dd ".repeat(40_000) : "";
  const markdown = tables.map(({ html }, index) => `Table ${index + 1}\n\n${html}\n`).join("\n");
  const document = {
    ...documentOf(markdown, { lang: options.fromRight === true ? "he" : "en" }),
    markdown: intro + markdown,
  };
  const ask: PrintAsk = { format: "pdf", document, html: renderHtml(markdown), standard: null };
  const { bytes, warnings } = printPdf(options.typesetter, ask, images);
  const paper = readPaper(bytes, { head: 75, foot: 62 });
  const told = warnings.filter((one) => !expectedWarning.test(one)).map((one) => `warning: ${one}`);
  return [...told, ...placeFaults(paper), ...tables.flatMap((table) => tableFaults(table, paper))];
}

/** @returns words of a text that its paper lacks, and words that are outside their page or on others */
export function paperFaults(markdown: string, typesetter: Typesetter): string[] {
  const html = renderHtml(markdown);
  const ask: PrintAsk = { format: "pdf", document: documentOf(markdown), html, standard: null };
  const { bytes } = printPdf(typesetter, ask, images);
  const paper = readPaper(bytes, { head: 75, foot: 62 });
  const shown = { ...paper, letters: paper.letters.toUpperCase() };
  const missing = htmlWords(html).filter((word) => lettersOf(word) !== "" && find(word, shown).times === 0);
  return [...placeFaults(paper), ...missing.map((word) => `"${word}" is missing`)];
}

/** Warnings that change no word: one for Han characters in a document without a language, and one for small type. */
const expectedWarning = /^Han characters are set as|^a table of \d+ columns is set in small type$/;

const images = { [small]: aPng(30, 30), [large]: aPng(500, 900) };

interface Box {
  page: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
  text: string;
}

interface Paper {
  boxes: Box[];
  /** All letters between heads and feet of pages, in the order of the file. */
  letters: string;
  /** The box of each letter. */
  boxOf: Box[];
  /** The size of each page in points. */
  sizes: { width: number; height: number }[];
}

const fromRightLetter = /[\u0590-\u06ff]/;
const lettersOf = (text: string) => text.normalize("NFKC").replace(/[^\p{L}]+/gu, "");
const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Margins in points: 23 mm at the sides, 32 and 26 mm above and below. */
const margin = { side: 65.2, top: 90.7, bottom: 73.7 };

/** @param frame the height of a page's head and foot, in points */
function readPaper(pdf: Uint8Array, frame: { head: number; foot: number }): Paper {
  const [html = ""] = pdfPages(pdf, "-raw", "-bbox");
  const pages = html.split("<page ").slice(1);
  const sizes: Paper["sizes"] = [];
  const boxes: Box[] = [];
  for (const [page, text] of pages.entries()) {
    const [, width = 0, height = 0] = /width="([\d.]+)" height="([\d.]+)"/.exec(text) ?? [];
    sizes.push({ width: Number(width), height: Number(height) });
    const words = text.matchAll(/<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">([^<]*)</g);
    for (const [, left, top, right, bottom, word = ""] of words) {
      const box = { left: Number(left), right: Number(right), top: Number(top), bottom: Number(bottom), page };
      const shown = word.replace(/&(\w+);/g, (_, name: string) => named[name] ?? "?");
      // the program lists the letters of a word from the left, also for right-to-left scripts
      boxes.push({ ...box, text: fromRightLetter.test(shown) ? [...shown].reverse().join("") : shown });
    }
  }
  const between = boxes.filter(({ page, top, bottom }) => {
    const middle = (top + bottom) / 2;
    return middle > frame.head && middle < (sizes[page]?.height ?? 0) - frame.foot;
  });
  const boxOf = between.flatMap((box) => Array.from(lettersOf(box.text), () => box));
  return { boxes, letters: between.map(({ text }) => lettersOf(text)).join(""), boxOf, sizes };
}

/** @returns words that are cut or overlap on a page that a browser printed, and words that are missing */
export function browserFaults(pdf: Uint8Array, words: readonly string[]): string[] {
  const paper = readPaper(pdf, { head: 0, foot: 45 });
  const outside = paper.boxes.filter(
    ({ page, left, right }) => left < -1 || right > (paper.sizes[page]?.width ?? 0) + 1,
  );
  const missing = words.filter((word) => find(word, paper).times === 0);
  return [
    ...outside.map(({ page, text }) => `page ${page + 1}: "${text}" is beside the paper`),
    ...missing.map((word) => `"${word}" is missing`),
    ...coverFaults(paper),
  ];
}

/** Words outside their page's margins, and words that overlap. */
function placeFaults({ boxes, sizes }: Paper): string[] {
  const faults: string[] = [];
  const pages = Map.groupBy(boxes, ({ page }) => page);
  for (const [page, all] of pages) {
    const { width, height } = sizes[page] ?? { width: 0, height: 0 };
    for (const box of all) {
      const where = `page ${page + 1}: "${box.text}"`;
      if (box.left < margin.side - 1 || box.right > width - margin.side + 1)
        faults.push(`${where} is beside the margins`);
      const middle = (box.top + box.bottom) / 2;
      if (middle > height - margin.bottom && middle < height - 62) faults.push(`${where} is over the foot`);
    }
  }
  return [...faults, ...coverFaults({ boxes })];
}

function coverFaults({ boxes }: Pick<Paper, "boxes">): string[] {
  const faults: string[] = [];
  for (const [page, all] of Map.groupBy(boxes, (box) => box.page)) {
    const ordered = all.map(shrunk).sort((one, other) => one.top - other.top);
    for (const [index, one] of ordered.entries()) {
      for (let next = index + 1; next < ordered.length; next += 1) {
        const other = ordered[next] as Box;
        if (other.top >= one.bottom) break;
        if (other.left < one.right && one.left < other.right)
          faults.push(`page ${page + 1}: "${one.text}" and "${other.text}" cover each other`);
      }
    }
  }
  return faults;
}

/** The box of the word's ink. The box of the word itself has the font's full height. */
function shrunk(box: Box): Box {
  const [x, y] = [Math.min(1, (box.right - box.left) * 0.1), (box.bottom - box.top) * 0.3];
  return { ...box, left: box.left + x, right: box.right - x, top: box.top + y, bottom: box.bottom - y };
}

interface Found {
  times: number;
  boxes: Box[];
}

function find(word: string, { letters, boxOf }: Paper): Found {
  const wanted = lettersOf(word);
  const places: number[] = [];
  for (let at = letters.indexOf(wanted); at !== -1; at = letters.indexOf(wanted, at + 1)) places.push(at);
  const [first] = places;
  if (first !== undefined)
    return { times: places.length, boxes: [...new Set(boxOf.slice(first, first + wanted.length))] };
  // a long word can begin on one page and end on the next one
  for (let length = wanted.length - 1; length >= 8; length -= 1) {
    const at = letters.indexOf(wanted.slice(0, length));
    if (at === -1) continue;
    const rest = wanted.slice(length);
    const page = boxOf[at]?.page ?? 0;
    const after = boxOf.findIndex((box) => box.page === page + 1);
    const more = after === -1 ? -1 : letters.indexOf(rest, after);
    if (more === -1) break;
    const all = [...boxOf.slice(at, at + length), ...boxOf.slice(more, more + rest.length)];
    return { times: 1, boxes: [...new Set(all)] };
  }
  return { times: 0, boxes: [] };
}

function tableFaults({ name, cells, fromRight }: MadeTable, paper: Paper): string[] {
  const faults: string[] = [];
  const places: { cell: MadeCell; boxes: Box[] }[] = [];
  for (const cell of cells) {
    const boxes: Box[] = [];
    for (const word of cell.words) {
      const found = find(word, paper);
      if (found.times === 0) faults.push(`${name}: "${word}" of row ${cell.row}, column ${cell.column} is missing`);
      // heads and merged cells repeat on each page
      if (found.times > 1 && !cell.header && cell.rows === 1)
        faults.push(`${name}: "${word}" is there ${found.times} times`);
      boxes.push(...found.boxes);
    }
    for (const [word, number] of cell.numbered) {
      const [box] = find(word, paper).boxes;
      if (box && !hasNumber(paper, box, number, fromRight)) faults.push(`${name}: "${word}" isn't number ${number}`);
    }
    if (boxes.length > 0) places.push({ cell, boxes });
  }
  return [...faults, ...columnFaults(name, places, fromRight), ...rowFaults(name, places)];
}

/**
 * Says whether the number of an item is before its first word, on the same line. A cell can have its text at the other
 * side.
 */
function hasNumber({ boxes }: Paper, item: Box, number: number, fromRight: boolean): boolean {
  const middle = (item.top + item.bottom) / 2;
  return boxes.some(({ page, top, bottom, left, text }) => {
    if (page !== item.page || top > middle || bottom < middle) return false;
    const gap = fromRight ? left - item.right : item.left - left;
    return gap >= -1 && gap < 400 && text.split(/[ .]/)[0] === String(number);
  });
}

function columnFaults(name: string, places: readonly { cell: MadeCell; boxes: Box[] }[], fromRight: boolean): string[] {
  const side = (box: Box) => (fromRight ? [-box.right, -box.left] : [box.left, box.right]) as [number, number];
  const faults: string[] = [];
  for (const one of places) {
    const right = Math.max(...one.boxes.map((box) => side(box)[1]));
    for (const other of places) {
      if (one.cell.column + one.cell.columns > other.cell.column) continue;
      const left = Math.min(...other.boxes.map((box) => side(box)[0]));
      if (right > left + 0.5)
        faults.push(`${name}: "${one.cell.words[0]}" isn't in a column before "${other.cell.words[0]}"`);
    }
  }
  return faults.slice(0, 3);
}

function rowFaults(name: string, places: readonly { cell: MadeCell; boxes: Box[] }[]): string[] {
  const at = ({ boxes }: { boxes: Box[] }) => Math.min(...boxes.map(({ page, bottom }) => page * 10_000 + bottom));
  const rows = new Set(places.flatMap(({ cell }) => (cell.rows === 1 ? [cell.row] : [])));
  const lastRow = Math.max(0, ...rows);
  // as in a browser, a row without own cells has no height, because all its cells are merged with others below
  const seenIn = (row: number): number => (row >= lastRow || rows.has(row) ? row : seenIn(row + 1));
  const faults: string[] = [];
  for (const one of places) {
    for (const other of places) {
      // raised letters and other fonts end a little higher or lower
      if (seenIn(one.cell.row) < other.cell.row && at(one) > at(other) + 6)
        faults.push(`${name}: "${one.cell.words[0]}" isn't above "${other.cell.words[0]}"`);
    }
  }
  return faults.slice(0, 3);
}
