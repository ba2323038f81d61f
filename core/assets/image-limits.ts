import { limits } from "../limits.ts";
import { imageSize } from "./image-size.ts";

/** An image's pixels and the limit, in millions; `frames` of an animation whose frames together are too much. */
export interface ExcessPixels {
  pixels: number;
  limit: number;
  frames: number | null;
}

/**
 * The pixels of an image that is too large to decode; null for a smaller image. A few kilobytes can hold billions of
 * pixels, so the size in bytes doesn't help.
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

/** The same as the end of a sentence that starts with the image's name. */
export function imageProblem(bytes: Uint8Array): string | null {
  const excess = excessPixels(bytes);
  if (excess === null) return null;
  const [pixels, limit] = [excess.pixels, excess.limit].map((count) => count.toLocaleString("en"));
  const frames = excess.frames === null ? "" : ` in its ${excess.frames} frames`;
  return `has ${pixels} million pixels${frames}; the limit is ${limit} million`;
}

/** Rounded up, so that a number over a limit never reads like the limit. */
export const toMillions = (count: number): number => Math.ceil(count / 1_000_000);
