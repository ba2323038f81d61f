import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { unzipSync } from "fflate";
import sharp, { type Sharp } from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import { imageSize } from "#core/assets/image-size.ts";
import type { PrintAsk, PrintedFile } from "#core/export/printing.ts";
import { renderHtml } from "#core/markdown/render.ts";
import { documentOf } from "../../test/export-words.ts";
import { jpegHead, pngHead } from "../../test/images.ts";
import { openImageScaler } from "./image-scaler.ts";
import { createPrinter, type Printer, type PrinterOptions } from "./printer.ts";
import { scaleImages } from "./scale-images.ts";

type Color = readonly [number, number, number, number?];
const red: Color = [255, 0, 0];
const green: Color = [0, 255, 0];
const blue: Color = [0, 0, 255];

function painted(width: number, height: number, color: (x: number, y: number) => Color): Sharp {
  const pixels = new Uint8Array(width * height * 4);
  for (let at = 0; at < width * height; at += 1) {
    const [r, g, b, alpha = 255] = color(at % width, Math.floor(at / width));
    pixels.set([r, g, b, alpha], at * 4);
  }
  return sharp(pixels, { raw: { width, height, channels: 4 } });
}

/** The left half is red, the right half green above blue. */
const flag = (width: number, height: number) =>
  painted(width, height, (x, y) => (x < width / 2 ? red : y < height / 2 ? green : blue));
const noise = (width: number, height: number, alpha = 255) => {
  let seed = 7;
  const next = () => (seed = (seed * 1_664_525 + 1_013_904_223) >>> 0) >>> 24;
  return painted(width, height, () => [next(), next(), next(), alpha]);
};
const bytesOf = async (image: Sharp) => new Uint8Array(await image.toBuffer());
const turned = (image: Sharp, orientation: number) => bytesOf(image.withMetadata({ orientation }).jpeg());

const scaler = await openImageScaler();
const few = { each: 5_000, together: 50_000 };

async function scaled(bytes: Uint8Array, limits = few): Promise<Uint8Array> {
  const pictures = { a: bytes };
  await scaleImages(pictures, scaler, limits);
  return pictures.a;
}

/** Letters of the four corners: above from left to right, then below. */
async function corners(bytes: Uint8Array): Promise<string> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => {
    const pixel = Math.floor(y * info.height) * info.width + Math.floor(x * info.width);
    const [r = 0, g = 0, b = 0] = data.subarray(pixel * info.channels);
    return r > 150 ? "r" : g > 150 ? "g" : b > 150 ? "b" : "?";
  };
  return at(0.2, 0.2) + at(0.8, 0.2) + at(0.2, 0.8) + at(0.8, 0.8);
}

describe("an image with more pixels than print needs", () => {
  it.each([
    ["wide", 400, 200],
    ["high", 200, 400],
    ["square", 300, 300],
  ])("that is %s is scaled down and keeps its shape", async (_, width, height) => {
    const size = imageSize(await scaled(await bytesOf(flag(width, height).jpeg())));
    const [w, h] = [size?.width ?? 0, size?.height ?? 0];
    expect(w * h).toBeLessThanOrEqual(5_000);
    expect(w * h).toBeGreaterThan(4_800);
    expect(w / h).toBeCloseTo(width / height, 1);
  });

  // what browsers show for each of EXIF's orientations
  const orientations = [
    [1, "rgrb"],
    [2, "grbr"],
    [3, "brgr"],
    [4, "rbrg"],
    [5, "rrgb"],
    [6, "rrbg"],
    [7, "bgrr"],
    [8, "gbrr"],
  ] as const;
  it.each(orientations)("is turned as its orientation %i says, once", async (orientation, shown) => {
    for (const [width, height] of [
      [400, 200],
      [80, 40],
    ] as const) {
      const before = await turned(flag(width, height), orientation);
      const bytes = await scaled(before);
      const size = imageSize(bytes);
      const isKept = width === 80 && orientation === 1;
      expect(await corners(bytes)).toBe(shown);
      expect((size?.width ?? 0) > (size?.height ?? 0)).toBe(orientation < 5);
      expect(bytes === before).toBe(isKept);
      if (!isKept) expect((await sharp(bytes).metadata()).orientation).toBeUndefined();
    }
  });

  it("stays JPEG or PNG, and becomes JPEG if it is a photo without transparency", async () => {
    const typeOf = async (image: Sharp) => imageSize(await scaled(await bytesOf(image)))?.type;
    expect(await typeOf(flag(400, 200).jpeg())).toBe("jpeg");
    expect(await typeOf(flag(400, 200).png())).toBe("png");
    expect(await typeOf(flag(400, 200).gif())).toBe("png");
    expect(await typeOf(flag(400, 200).webp())).toBe("png");
    expect(await typeOf(noise(400, 200, 128).png())).toBe("png");
    expect(await typeOf(noise(400, 200).png())).toBe("jpeg");
    expect(await typeOf(noise(400, 200).webp())).toBe("jpeg");
    expect(await typeOf(noise(400, 200).grayscale().removeAlpha().png())).toBe("jpeg");
  });

  it("keeps its transparency", async () => {
    const half = await scaled(await bytesOf(painted(400, 200, () => [255, 0, 0, 128]).png()));
    expect((await sharp(half).stats()).channels[3]?.mean).toBe(128);
  });

  it("becomes sRGB of 8 bits from other color spaces, depths and interlacing", async () => {
    const plain = painted(400, 200, () => [200, 40, 40]).removeAlpha();
    const images = [
      // there and back, inks shift colors a little
      [plain.clone().toColourspace("cmyk").jpeg(), 30],
      [plain.clone().withIccProfile("p3").jpeg({ quality: 95 }), 4],
      [plain.clone().toColourspace("rgb16").png({ progressive: true }), 4],
      [plain.clone().jpeg({ progressive: true }), 4],
    ] as const;
    for (const [image, tolerance] of images) {
      const result = await scaled(await bytesOf(image));
      const [metadata, { channels }] = [await sharp(result).metadata(), await sharp(result).stats()];
      expect(metadata).toMatchObject({ space: "srgb", depth: "uchar", channels: 3 });
      expect(metadata.icc).toBeUndefined();
      for (const [index, color] of [200, 40, 40].entries())
        expect(Math.abs((channels[index]?.mean ?? 0) - color)).toBeLessThan(tolerance);
    }
  });

  it("becomes the same bytes again", async () => {
    const image = await bytesOf(noise(400, 200).png());
    expect(await scaled(image)).toEqual(await scaled(image));
  });

  it("is the first frame of an animation", async () => {
    const frames = Buffer.concat([red, blue].map(([r, g, b]) => Buffer.alloc(300 * 100 * 3, Buffer.from([r, g, b]))));
    const moving = sharp(frames, { raw: { width: 300, height: 200, channels: 3, pageHeight: 100 } });
    expect(await corners(await scaled(await bytesOf(moving.clone().gif())))).toBe("rrrr");
    expect(await corners(await scaled(await bytesOf(moving.webp())))).toBe("rrrr");
  });
});

describe("an image that is broken on purpose", () => {
  it("is scaled as far as it goes if it is cut off", async () => {
    for (const image of [noise(400, 200).jpeg(), noise(400, 200).jpeg({ progressive: true }), noise(400, 200).png()]) {
      const whole = await bytesOf(image);
      const size = imageSize(await scaled(whole.subarray(0, whole.length / 2)));
      expect((size?.width ?? 0) * (size?.height ?? 0)).toBeLessThanOrEqual(5_000);
    }
  });

  it("stays as it is if it can't be decoded, or has more pixels than an image can have", async () => {
    const [interlaced, webp] = [noise(400, 200).png({ progressive: true }), noise(400, 200).webp()];
    const cut = await Promise.all([interlaced, webp].map(bytesOf));
    for (const broken of [
      ...cut.map((one) => one.subarray(0, one.length / 2)),
      pngHead(400, 200),
      pngHead(9_000, 9_000),
      jpegHead(9_000, 9_000),
    ])
      expect(await scaled(broken)).toBe(broken);
  });

  it("is not decoded if it is of a type that can't be stored", async () => {
    const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>');
    await expect(scaler.scaled(svg, 5_000)).rejects.toThrow("unsupported image format");
    await expect(scaler.scaled(await bytesOf(flag(9, 9).tiff()), 5_000)).rejects.toThrow("unsupported image format");
  });
});

describe("the images of a document", () => {
  it("keep their bytes if they are small", async () => {
    for (const image of [noise(40, 25).png(), flag(100, 50).png(), flag(100, 50).jpeg(), flag(100, 50).gif()]) {
      const small = await bytesOf(image);
      expect(await scaled(small)).toBe(small);
    }
  });

  it("are JPEG if they are photos as PNG, and never WebP", async () => {
    const typeOf = async (image: Sharp) =>
      imageSize(await scaled(await bytesOf(image), { each: 1e6, together: 1e6 }))?.type;
    expect(await typeOf(noise(800, 400).png())).toBe("jpeg");
    expect(await typeOf(noise(100, 50).webp())).toBe("jpeg");
    expect(await typeOf(flag(100, 50).webp())).toBe("png");
  });

  it("are scaled once with and without their ending", async () => {
    const sha = "a".repeat(64);
    const image = await bytesOf(flag(400, 200).jpeg());
    const pictures: Record<string, Uint8Array> = { [sha]: image, [`${sha}.jpg`]: image };
    await scaleImages(pictures, scaler, few);
    expect(pictures[sha]).not.toBe(image);
    expect(pictures[sha]).toBe(pictures[`${sha}.jpg`]);
  });

  it("share the pixels of a document: large ones become smaller the more there are", async () => {
    const [large, small] = [await bytesOf(flag(400, 200).jpeg()), await bytesOf(flag(40, 25).jpeg())];
    const pictures: Record<string, Uint8Array> = { small };
    for (let index = 0; index < 16; index += 1) pictures[`${index}`.padStart(64, "b")] = large;
    await scaleImages(pictures, scaler, few);
    const sizes = Object.values(pictures).map((bytes) => imageSize(bytes));
    const together = sizes.reduce((sum, size) => sum + (size?.width ?? 0) * (size?.height ?? 0), 0);
    expect(pictures["small"]).toBe(small);
    expect(together).toBeLessThanOrEqual(50_000);
    expect(together).toBeGreaterThan(48_000);
  });

  it("are refused if they have too many pixels to decode", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 17 }, (_, index) => [`${index}`.padStart(64, "b"), jpegHead(6_000, 6_000)]),
    );
    await expect(scaleImages(many, scaler)).rejects.toMatchObject({
      code: "unprocessable",
      message: expect.stringContaining("have 612 million pixels together; the limit is 600 million"),
    });
  });
});

const name = (index: number) => `${String(index).repeat(64)}.jpg`;
function printed(printer: Printer, format: PrintAsk["format"], bytes: readonly Uint8Array[]): Promise<PrintedFile> {
  const markdown = bytes.map((_, index) => `![p](/api/assets/${name(index)})\n\n`).join("");
  const images = Readable.from(bytes.map((one, index) => ({ names: [name(index)], bytes: one })));
  const ask = { format, document: documentOf(markdown), html: renderHtml(markdown), standard: null };
  return printer.print(ask, () => Promise.resolve(images));
}
/** The images of a PDF or Word file, as `1500 × 2000`. */
function imagesIn(format: PrintAsk["format"], bytes: Uint8Array): string[] {
  if (format === "docx") {
    const media = Object.entries(unzipSync(bytes)).filter(([entry]) => entry.startsWith("word/media/"));
    return media.map(([, file]) => imageSize(file)).map((size) => `${size?.width} × ${size?.height}`);
  }
  const objects = Buffer.from(bytes).toString("latin1").split("endobj");
  return objects.flatMap((object) => {
    if (!object.includes("/Subtype /Image") && !object.includes("/Subtype/Image")) return [];
    const [width, height] = ["Width", "Height"].map((key) => new RegExp(`/${key} ?(\\d+)`).exec(object)?.[1]);
    return [`${width} × ${height}`];
  });
}

const folder = await mkdtemp(path.join(tmpdir(), "scale-images-"));
afterAll(() => rm(folder, { recursive: true }));

async function printing<T>(options: PrinterOptions, act: (printer: Printer) => Promise<T>) {
  const printer = createPrinter(options);
  try {
    return await act(printer);
  } finally {
    await printer.close();
  }
}

it("a printed photo is scaled down and turned, and a broken one is replaced by its words", async () => {
  const photo = await turned(sharp({ create: { width: 4_000, height: 3_000, channels: 3, background: "red" } }), 6);
  await printing({}, async (printer) => {
    for (const format of ["pdf", "docx"] as const) {
      const { bytes } = await printed(printer, format, [photo]);
      expect(imagesIn(format, bytes)).toEqual(["1500 × 2000"]);
    }
    const { bytes, warnings } = await printed(printer, "pdf", [photo, jpegHead(4_000, 3_000)]);
    expect(imagesIn("pdf", bytes)).toEqual(["1500 × 2000"]);
    expect(warnings).toEqual([expect.stringContaining("an image can't be read: ")]);
  });
});

it("a machine without the library prints images as they are, and reports why once", async () => {
  const program = path.join(folder, "program.mjs");
  const hook = `resolve: (name, context, next) => { if (name === "sharp") throw new Error("no build"); return next(name, context); }`;
  const worker = new URL("./worker.ts", import.meta.url).href;
  await writeFile(
    program,
    `import { registerHooks } from "node:module"; registerHooks({ ${hook} }); await import("${worker}");`,
  );
  const told: string[] = [];
  const options = { program: pathToFileURL(program), onUnscaled: (reason: string) => void told.push(reason) };
  const image = await bytesOf(flag(80, 40).jpeg());
  await printing(options, async (printer) => {
    for (const format of ["pdf", "docx", "docx"] as const) {
      const { bytes, warnings } = await printed(printer, format, [image]);
      expect(imagesIn(format, bytes)).toEqual(["80 × 40"]);
      expect(warnings).toEqual([]);
    }
  });
  expect(told).toEqual(["no build"]);
});
