import { limits } from "../limits.ts";
import { imageSize } from "./image-size.ts";

/**
 * Why an image is too large to be decoded, as the end of a sentence that begins with its name; null where it isn't. A few
 * kilobytes can hold billions of pixels, so its size in bytes says nothing.
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

/** `81 million`; what is over a limit never reads like the limit. */
export function millions(count: number): string {
  return `${Math.ceil(count / 1_000_000).toLocaleString("en")} million`;
}
