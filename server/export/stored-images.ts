import { setImmediate } from "node:timers/promises";
import { assetTypes, assetExtensionOf } from "#core/assets/rules.ts";
import { AppError } from "#core/errors.ts";
import type { NamedImage } from "#core/export/printing.ts";
import { limits } from "#core/limits.ts";
import type { BlobKey } from "../blobs/port.ts";
import { readVerifiedBytes } from "../integrity/whole.ts";
import { currentCaller } from "../capacity/caller.ts";
import type { Filter } from "../database/port.ts";
import type { AssetDocument, SopVersionDocument } from "../database/documents.ts";
import type { Services } from "../http/services.ts";
import { refusals } from "./refusals.ts";

/** Finds and reads the stored images of a version. Users who can read the version's text can see its images. */
export interface StoredImages {
  /** Images that exports show. PDFs aren't among them, because exports only link PDFs. */
  list: StoredImage[];
  /** Reads an image. @returns null for an image that is missing or damaged: the export then shows a note instead */
  read(image: StoredImage): Promise<Uint8Array | null>;
  /** Runs work on an image in a slot of the company, after waiting requests. */
  turn<T>(work: () => T | Promise<T>): Promise<T>;
}

export interface StoredImage extends BlobKey {
  sha256: string;
  /** The names by which texts link the image. */
  names: [sha256: string, withEnding: string];
}

type ImageServices = Pick<Services, "db" | "blobs" | "damage" | "shares">;

/**
 * Finds the images without reading them.
 * @throws AppError `unprocessable` if they have more bytes than an export may have
 */
export async function findStoredImages(
  { db, blobs, damage, shares }: ImageServices,
  { companyId, assets }: Pick<SopVersionDocument, "companyId" | "assets">,
): Promise<StoredImages> {
  const collection = db.forCompany(companyId).collection("assets");
  const shown: Filter<AssetDocument> = { sha256: { $in: [...new Set(assets)] } };
  const found =
    assets.length === 0
      ? []
      : await collection.find(shown, { projection: { companyId: 1, sha256: 1, size: 1, ext: 1 } });
  const images = found.filter(({ ext }) => ext !== "pdf");
  assertImageBytes(images.reduce((sum, { size }) => sum + size, 0));
  // keep the caller, because the request is over while its response is still being sent
  const caller = currentCaller();
  const runInTurn = <T>(work: () => T | Promise<T>): Promise<T> =>
    shares.images.run(async () => {
      await setImmediate();
      return await work();
    }, caller);
  return {
    list: images.map(({ _id, sha256, ext }) => ({ _id, companyId, sha256, names: [sha256, `${sha256}.${ext}`] })),
    turn: runInTurn,
    read: (image) =>
      runInTurn(async () => {
        const bytes = await readVerifiedBytes({ blobs, damage }, image);
        // other requests run in between, because reading and hashing a large image take milliseconds each
        await setImmediate();
        return bytes;
      }),
  };
}

/** Yields the images for the printer, one at a time. */
export async function* readImagesForPrinter({ list, read }: StoredImages): AsyncGenerator<NamedImage> {
  for (const image of list) {
    const bytes = await read(image);
    if (bytes !== null) yield { names: image.names, bytes };
  }
}

/** An image in the form in which an HTML page shows it. */
export interface PageImage extends StoredImage {
  size: number;
  type: string;
}

/** Reads each image once, to check that it isn't damaged. @returns the images that a page can show, by name */
export async function readPageImages({ list, read }: StoredImages): Promise<Map<string, PageImage>> {
  const images = new Map<string, PageImage>();
  for (const image of list) {
    const bytes = await read(image);
    const type = bytes && assetExtensionOf(bytes);
    if (bytes === null || type === null) continue;
    for (const name of image.names) images.set(name, { ...image, size: bytes.length, type: assetTypes[type] });
  }
  return images;
}

/** Checks that the images of a file aren't too large. @throws AppError unprocessable */
export function assertImageBytes(together: number): void {
  if (together <= limits.exportImages) return;
  const sizeText = (bytes: number) => `${Math.ceil(bytes / 2 ** 20)} MiB`;
  throw new AppError(
    "unprocessable",
    refusals.largeImages({ has: sizeText(together), most: sizeText(limits.exportImages) }),
  );
}
