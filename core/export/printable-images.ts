import { imageSizeProblem, toMillions } from "../assets/image-limits.ts";
import { imageSize } from "../assets/image-size.ts";
import { AppError } from "../errors.ts";
import { limits } from "../limits.ts";
import { refusals } from "./refusals.ts";

/**
 * Returns the images of a text that can be printed, by their names in the text. PDF and Word exports decode all of them
 * in memory, so their pixels are limited.
 * @param names the names of the images in the text @param given the bytes by name; the alternative text replaces a
 *   missing image
 * @throws AppError `unprocessable` if the images have too many pixels together
 */
export function printableImages(
  names: readonly string[],
  given: Readonly<Record<string, Uint8Array>>,
): { images: Record<string, Uint8Array>; warnings: string[] } {
  const images: Record<string, Uint8Array> = {};
  const warnings: string[] = [];
  const pixels = new Map<string, number>();
  for (const name of names) {
    const bytes = given[name];
    const size = bytes === undefined ? null : imageSize(bytes);
    const problem = bytes === undefined ? null : imageSizeProblem(bytes);
    if (bytes === undefined || size === null) warnings.push(`an image is missing: ${name}`);
    else if (problem !== null) warnings.push(`an image ${problem}: ${name}`);
    else {
      images[name] = bytes;
      // a name with and without extension can mean the same image, so the hash alone is the key
      pixels.set(name.slice(0, 64), size.width * size.height);
    }
  }
  const together = [...pixels.values()].reduce((sum, one) => sum + one, 0);
  if (together <= limits.printPixels) return { images, warnings };
  throw tooManyPixelsError(together, limits.printPixels);
}

/** @param limit the limit in pixels, as for `together` */
export function tooManyPixelsError(together: number, limit: number): AppError {
  return new AppError(
    "unprocessable",
    refusals.largeImages({ together: toMillions(together), limit: toMillions(limit) }),
  );
}
