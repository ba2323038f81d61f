import { picturesOf, type Block } from "#core/export/blocks.ts";
import { imageSize } from "#core/assets/image-size.ts";
import { printableImages } from "#core/export/printable-images.ts";
import { pdfData, type PlacedPicture } from "#core/export/pdf-data.ts";
import type { Pictures, Printed, PrintAsk } from "#core/export/printing.ts";
import { qrSvg } from "#core/export/qr-code.ts";
import { readBlocks } from "#core/export/read-blocks.ts";
import { withoutLinks } from "#core/export/settable.ts";
import type { Typesetter } from "./typst.ts";

/** Pixels on the screen are points on paper at 96 to the inch. */
const pointsPerPixel = 0.75;
/** Replaces a character that no font has, if the standard needs every character to be visible. */
const replacement = "\u25a1";

/** @throws AppError unprocessable */
export function printPdf(typesetter: Typesetter, ask: PrintAsk, given: Pictures): Printed {
  const blocks = readBlocks(ask.html);
  const warnings: string[] = [];
  const files = new Map<string, Uint8Array>();
  const { address } = ask.document;
  if (address) files.set("qr.svg", Buffer.from(qrSvg(address)));
  const pictures = placePictures(blocks, given, files, warnings);
  let data = pdfData(ask.document, blocks, pictures);
  const lacking = typesetter.missing(
    JSON.stringify([data.number, data.title, data.description, data.facts, data.company, data.blocks]),
  );
  if (lacking.length > 0) {
    warnings.push(`no font has ${lacking.length === 1 ? "this character" : "these characters"}: ${named(lacking)}`);
    if (ask.standard !== null) data = replaced(data, new Set(lacking));
  }
  const options = { standard: ask.standard, timestamp: Math.floor(Date.parse(ask.document.at) / 1000) };
  const set = () => withWarnings(warnings, typesetter.pdf(data, files, options));
  try {
    return set();
  } catch (error) {
    // one broken image must not fail the whole document
    const broken = [...files].filter(([path, bytes]) => !typesetter.canShow(path, bytes)).map(([path]) => path);
    if (broken.length === 0 && !isAboutLinks(error)) throw error;
    const isBroken = ({ path }: PlacedPicture) => broken.includes(path.slice(1));
    data = { ...data, pictures: Object.fromEntries(Object.entries(data.pictures).filter(([, one]) => !isBroken(one))) };
    for (const path of broken) warnings.push(`an image can't be read: ${path.replace("pictures/", "")}`);
    if (isAboutLinks(error)) {
      data = { ...data, blocks: withoutLinks(data.blocks) };
      warnings.push("the typesetter can't set the links of this document: they are text");
    }
    return set();
  }
}

/** It fails on a link before a soft hyphen in text from the right, for one. */
function isAboutLinks(error: unknown): boolean {
  return error instanceof Error && /\blink ancestor\b/.test(error.message);
}

/** Adds the typesetter's warnings about omissions, so that readers don't have to find them on paper. */
function withWarnings(warnings: readonly string[], { bytes, warnings: more }: Printed): Printed {
  return { bytes, warnings: [...warnings, ...more.map((one) => `the typesetter says: ${one}`)] };
}

function placePictures(
  blocks: readonly Block[],
  given: Pictures,
  files: Map<string, Uint8Array>,
  warnings: string[],
): Record<string, PlacedPicture> {
  const placed: Record<string, PlacedPicture> = {};
  const { images, warnings: leftOut } = printableImages(picturesOf(blocks), given);
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

function named(characters: readonly string[]): string {
  const shown = characters.slice(0, 20).map((one) => {
    const code = one.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
    return `${one} (U+${code})`;
  });
  return shown.join(", ") + (characters.length > 20 ? ` and ${characters.length - 20} more` : "");
}

function replaced<Data>(data: Data, lacking: ReadonlySet<string>): Data {
  const text = [...JSON.stringify(data)].map((one) => (lacking.has(one) ? replacement : one)).join("");
  return JSON.parse(text) as Data;
}
