import { limits } from "../limits.ts";
import { imageSize } from "./image-size.ts";

/**
 * The reason why an image is too large to decode, as the end of a sentence that starts with the image's name; null for
 * a smaller image. A few kilobytes can hold billions of pixels, so the size in bytes doesn't help.
 */
export function imageProblem(bytes: Uint8Array): string | null {
  const size = imageSize(bytes);
  if (size === null) return null;
  const pixels = size.width * size.height;
  if (pixels > limits.imagePixels) {
    return `has ${millions(pixels)} pixels; the limit is ${millions(limits.imagePixels)}`;
  }
  const all = pixels * size.frames;
  if (size.frames > 1 && all > limits.animationPixels) {
    return `has ${millions(all)} pixels in its ${size.frames} frames; the limit is ${millions(limits.animationPixels)}`;
  }
  return null;
}

/** Writes a count such as `81 million`, rounded up, so that a number over a limit never reads like the limit. */
export function millions(count: number): string {
  return `${Math.ceil(count / 1_000_000).toLocaleString("en")} million`;
}
