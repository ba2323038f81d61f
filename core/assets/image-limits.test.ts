import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  gifHead,
  jpegHead,
  pngHead,
  webpCanvas,
  webpFrame,
  webpHead,
  webpLossless,
  webpLossy,
} from "../../test/images.ts";
import { imageSizeProblem } from "./image-limits.ts";
import { imageSize } from "./image-size.ts";

const sizeOf = (bytes: Uint8Array) => {
  const size = imageSize(bytes);
  return size && [size.type, size.width, size.height, size.frames];
};
const repeat = <T>(one: T, count: number): T[] => Array.from({ length: count }, () => one);

describe("the size of an image", () => {
  it.each([
    ["PNG", pngHead(900, 700), ["png", 900, 700, 1]],
    ["an animated PNG", pngHead(900, 700, repeat([900, 700], 3)), ["png", 900, 700, 3]],
    ["GIF", gifHead(900, 700, [[900, 700]]), ["gif", 900, 700, 1]],
    ["an animated GIF", gifHead(900, 700, repeat([90, 70], 3)), ["gif", 900, 700, 3]],
    ["JPEG", jpegHead(900, 700), ["jpeg", 900, 700, 1]],
    ["lossy WebP", webpHead(webpLossy(900, 700)), ["webp", 900, 700, 1]],
    ["lossless WebP", webpHead(webpLossless(900, 700)), ["webp", 900, 700, 1]],
    ["WebP with a canvas", webpHead(webpCanvas(900, 700), webpLossy(900, 700)), ["webp", 900, 700, 1]],
    ["an animated WebP", webpHead(webpCanvas(900, 700), ...repeat(webpFrame(90, 70), 3)), ["webp", 900, 700, 3]],
  ])("of %s is read from its headers", (_, bytes, size) => expect(sizeOf(bytes)).toEqual(size));

  it.each([
    ["a PNG's frame is larger than its canvas", pngHead(1, 1, [[30_000, 30_000]])],
    ["a GIF's frame is larger than its canvas", gifHead(1, 1, [[30_000, 30_000]])],
    ["a GIF's later frame is", gifHead(1, 1, [...repeat([1, 1] as [number, number], 9), [30_000, 30_000]])],
    ["a JPEG has bytes between its segments", jpegHead(30_000, 30_000, [7, 0, 0xff, 0, 9])],
    ["a JPEG has a second header", jpegHead(30_000, 30_000, [0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0])],
    ["a WebP's image is larger than its canvas", webpHead(webpCanvas(1, 1), webpLossy(16_000, 16_000))],
    ["a WebP's frame is", webpHead(webpCanvas(1, 1), webpFrame(1, 1, [webpLossless(16_000, 16_000)]))],
  ])("is the largest that a decoder could read where %s", (_, bytes) => {
    expect(imageSizeProblem(bytes)).toMatch(/^has (900|256) million pixels; the limit is 40 million$/);
  });

  it("is none where the headers end too early, and reading any bytes ends", () => {
    expect(sizeOf(pngHead(900, 700).subarray(0, 20))).toBeNull();
    const heads = [
      pngHead(9, 9, [[9, 9]]),
      gifHead(9, 9, [[9, 9]]),
      jpegHead(9, 9),
      webpHead(webpCanvas(9, 9), webpFrame(9, 9)),
    ];
    fc.assert(
      fc.property(fc.constantFrom(...heads), fc.nat(20), fc.uint8Array({ maxLength: 60 }), (head, at, noise) => {
        const bytes = Uint8Array.from([
          ...head.subarray(0, 12 + at),
          ...noise,
          ...head.subarray(12 + at + noise.length),
        ]);
        const size = imageSize(bytes);
        expect(size === null || (size.width > 0 && size.height > 0 && size.frames > 0)).toBe(true);
      }),
    );
  });
});

describe("an image", () => {
  it("has too many pixels beyond the limit", () => {
    expect(imageSizeProblem(pngHead(8_000, 5_000))).toBeNull();
    expect(imageSizeProblem(pngHead(8_001, 5_000))).toBe("has 41 million pixels; the limit is 40 million");
    expect(imageSizeProblem(pngHead(9_000, 9_000))).toBe("has 81 million pixels; the limit is 40 million");
  });

  it("that moves has too many in all its frames", () => {
    const frames = repeat<[number, number]>([2_000, 2_000], 101);
    expect(imageSizeProblem(gifHead(2_000, 2_000, frames.slice(1)))).toBeNull();
    expect(imageSizeProblem(gifHead(2_000, 2_000, frames))).toBe(
      "has 404 million pixels in its 101 frames; the limit is 400 million",
    );
  });
});
