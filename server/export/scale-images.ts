/** Chooses which images of a document are scaled down before printing, and how far. */
import { imageSizeProblem } from "#core/assets/image-limits.ts";
import { imageSize, type ImageSize } from "#core/assets/image-size.ts";
import { tooManyPixelsError } from "#core/export/printable-images.ts";
import { limits } from "#core/limits.ts";
import type { ImageScaler } from "./image-scaler.ts";

interface Image {
  /** The name with and without the file's ending. */
  names: string[];
  bytes: Uint8Array;
  pixels: number;
  type: ImageSize["type"];
}

export interface ScaleLimits {
  /** The maximum number of pixels of an image. */
  each: number;
  /** The maximum number of pixels of all images of a document. */
  together: number;
}

/**
 * The number of pixels from which a photo is converted to JPEG. The typesetter needs 10 bytes per pixel for PNG, and 4
 * for JPEG.
 */
const photoPixels = 300_000;

/**
 * Replaces images that have more pixels than print needs, are rotated by EXIF data, or have a costly type. Decodes one
 * image at a time to save memory. Images that can't be decoded stay unchanged.
 * @throws AppError `unprocessable` if the images have too many pixels together
 */
export async function scaleImages(
  pictures: Record<string, Uint8Array>,
  scaler: ImageScaler,
  { each, together }: ScaleLimits = { each: limits.printImagePixels, together: limits.printPixels },
): Promise<void> {
  const images = scalableImages(pictures);
  const source = images.reduce((sum, { pixels }) => sum + pixels, 0);
  if (source > limits.printSourcePixels) throw tooManyPixelsError(source, limits.printSourcePixels);
  const share = Math.min(each, maxPixelsPerImage(images, together));
  for (const image of images) {
    try {
      const isFit = image.pixels <= share && !isCostly(image) && !(await scaler.isTurned(image.bytes));
      if (isFit) continue;
      const scaled = await scaler.scaled(image.bytes, share);
      for (const name of image.names) pictures[name] = scaled;
    } catch {
      // the typesetter then prints the image unchanged, or its alternative text
    }
  }
}

function scalableImages(pictures: Readonly<Record<string, Uint8Array>>): Image[] {
  return [...Map.groupBy(Object.entries(pictures), ([name]) => name.slice(0, 64)).values()].flatMap((entries) => {
    const [, bytes] = entries[0] ?? ["", new Uint8Array()];
    const size = imageSize(bytes);
    if (size === null || imageSizeProblem(bytes) !== null) return [];
    const { type, width, height } = size;
    return [{ names: entries.map(([name]) => name), bytes, pixels: width * height, type }];
  });
}

/**
 * Says whether the image must be converted because of its type: Word can't show WebP, and the typesetter decompresses
 * it.
 */
function isCostly({ type, bytes, pixels }: Image): boolean {
  return type === "webp" || (type === "png" && pixels > photoPixels && bytes.length >= pixels);
}

/**
 * Returns the maximum number of pixels of each image, so that all have at most `together`. Small images leave their
 * unused pixels to the others.
 */
function maxPixelsPerImage(images: readonly Image[], together: number): number {
  let left = together;
  const sizes = images.map(({ pixels }) => pixels).sort((a, b) => a - b);
  for (const [index, pixels] of sizes.entries()) {
    const share = left / (sizes.length - index);
    if (pixels > share) return share;
    left -= pixels;
  }
  return Infinity;
}
