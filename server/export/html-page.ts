/**
 * Exports an SOP as one HTML file. A render thread makes the text, and the images are read from the database while the
 * file is sent.
 */
import { Readable } from "node:stream";
import type { Context } from "koa";
import { AppError } from "#core/errors.ts";
import type { ExportDocument } from "#core/export/document.ts";
import type { SopVersionDocument } from "../database/documents.ts";
import { holdSlotUntilSent } from "../http/answers.ts";
import { abortOnDisconnect } from "../http/disconnect.ts";
import type { Services } from "../http/services.ts";
import type { PageInPieces } from "../render/tasks.ts";
import {
  assertImageBytes,
  readPageImages,
  findStoredImages,
  type PageImage,
  type StoredImages,
} from "./stored-images.ts";
import { refusals } from "./refusals.ts";

export interface HtmlBody {
  body: string | Readable;
  /** The size of the body in bytes, for the header of the answer. */
  length: number;
  /** Warnings for the user, as for the other formats. */
  warnings: string[];
}

type HtmlPageServices = Pick<Services, "damage" | "db" | "blobs" | "shares" | "render">;

interface PageContents {
  document: ExportDocument;
  html: string;
  version: Pick<SopVersionDocument, "companyId" | "assets">;
}

/**
 * Creates the file after a check of its images. The body reads each image again when it is sent, so that the server has
 * only one in memory. A file with images has a slot of `downloads` until its response is closed.
 * @throws AppError `unprocessable` if the images have too many bytes, `rate_limited` and `busy` from the queues
 */
export async function createHtmlPage(
  services: HtmlPageServices,
  ctx: Context,
  { document, html, version }: PageContents,
): Promise<HtmlBody> {
  const stored = await findStoredImages(services, version);
  if (stored.list.length === 0) {
    const { texts } = await services.render.documentAsHtmlFile({ document, html, images: {} });
    const body = texts.join("");
    return { body, length: Buffer.byteLength(body), warnings: missingImageWarnings(html, version, new Map()) };
  }
  await holdSlotUntilSent(ctx, services.shares.downloads);
  const read = refuseReadsAfterDisconnect(stored, abortOnDisconnect(ctx));
  const images = await readPageImages(read);
  const types = Object.fromEntries([...images].map(([name, { type }]) => [name, type]));
  const page = await services.render.documentAsHtmlFile({ document, html, images: types });
  const places = page.names.flatMap((name) => images.get(name) ?? []);
  // an image that the text shows twice counts twice, because the file contains it twice
  assertImageBytes(places.reduce((sum, { size }) => sum + size, 0));
  const length =
    page.texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) +
    places.reduce((sum, { size }) => sum + base64Length(size), 0);
  return {
    body: Readable.from(htmlPagePieces(page, places, read)),
    length,
    warnings: missingImageWarnings(html, version, images),
  };
}

/** Returns a warning for each image of the text that the page can't show. */
function missingImageWarnings(
  html: string,
  { assets }: PageContents["version"],
  images: ReadonlyMap<string, PageImage>,
): string[] {
  return [...new Set(assets)].flatMap((hash) => {
    const name = images.has(hash) ? null : new RegExp(`<img [^>]*?(${hash}(?:\\.\\w+)?)`).exec(html)?.[1];
    return name ? [`an image is missing: ${name}`] : [];
  });
}

/** Returns the images with a `read` that fails once the client has disconnected. */
function refuseReadsAfterDisconnect({ read, ...stored }: StoredImages, left: AbortSignal): StoredImages {
  return {
    ...stored,
    async read(image) {
      if (left.aborted) throw new AppError("busy", refusals.clientLeft());
      return read(image);
    },
  };
}

/** The number of bytes of an image to encode at once: a multiple of three, so that the base64 texts can be joined. */
const sliceBytes = 384 * 1024;

const base64Length = (bytes: number) => 4 * Math.ceil(bytes / 3);

async function* htmlPagePieces(
  { texts }: PageInPieces,
  places: readonly PageImage[],
  { read, turn }: StoredImages,
): AsyncGenerator<string> {
  yield texts[0] ?? "";
  for (const [index, place] of places.entries()) {
    const bytes = await read(place);
    // the error ends the response before its announced length, so the client notices the failure
    if (bytes === null) throw new Error(`the image ${place.sha256} was damaged during the export`);
    const image = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at < image.length; at += sliceBytes) {
      yield await turn(() => image.toString("base64", at, at + sliceBytes));
    }
    yield texts[index + 1] ?? "";
  }
}
