import { limits } from "../limits.ts";
import { imageSize } from "./image-size.ts";

/**
 * The pixels of an image and the exceeded limit, in millions. `frames` is the number of frames if only the whole
 * animation is too large.
 */
export interface ExcessPixels {
  pixels: number;
  limit: number;
  frames: number | null;
}

/**
 * Returns the pixels of an image that is too large to decode; null for a smaller image. The size in bytes says nothing,
 * because a few kilobytes can hold billions of pixels.
 */
export function excessPixels(bytes: Uint8Array): ExcessPixels | null {
  const size = imageSize(bytes);
  if (size === null) return null;
  const pixels = size.width * size.height;
  if (pixels > limits.imagePixels)
    return { pixels: toMillions(pixels), limit: toMillions(limits.imagePixels), frames: null };
  const all = pixels * size.frames;
  if (size.frames === 1 || all <= limits.animationPixels) return null;
  return { pixels: toMillions(all), limit: toMillions(limits.animationPixels), frames: size.frames };
}

/**
 * Describes an image that is too large, as the end of a sentence that starts with the image's name; null for a smaller
 * image.
 */
export function imageSizeProblem(bytes: Uint8Array): string | null {
  const excess = excessPixels(bytes);
  if (excess === null) return null;
  const [pixels, limit] = [excess.pixels, excess.limit].map((count) => count.toLocaleString("en"));
  const frames = excess.frames === null ? "" : ` in its ${excess.frames} frames`;
  return `has ${pixels} million pixels${frames}; the limit is ${limit} million`;
}

/** Converts to millions, rounded up so that a number above a limit never looks equal to it. */
export const toMillions = (count: number): number => Math.ceil(count / 1_000_000);
