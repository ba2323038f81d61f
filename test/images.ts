/** Images for tests: mostly only headers, with the size that a decoder would need but no pixels. */
import { crc32, deflateSync } from "node:zlib";

function bytes(...parts: (string | number | readonly number[])[]): Uint8Array {
  return Uint8Array.from(
    parts.flatMap((part) => (typeof part === "string" ? [...part].map((one) => one.charCodeAt(0)) : part)),
  );
}

const big = (value: number, size: number): number[] =>
  Array.from({ length: size }, (_, at) => (value >>> (8 * (size - 1 - at))) & 255);
const little = (value: number, size: number): number[] => big(value, size).reverse();

function pngChunk(kind: string, data: readonly number[]): number[] {
  return [...big(data.length, 4), ...bytes(kind), ...data, 0, 0, 0, 0];
}

/** @param frames the sizes of the frames of an animation */
export function pngHead(width: number, height: number, frames: readonly [number, number][] = []): Uint8Array {
  const head = pngChunk("IHDR", [...big(width, 4), ...big(height, 4), 8, 6, 0, 0, 0]);
  const moving = frames.flatMap(([w, h], index) => pngChunk("fcTL", [...big(index, 4), ...big(w, 4), ...big(h, 4)]));
  return bytes([137], "PNG\r\n\u001a\n", head, moving, pngChunk("IEND", []));
}

export function gifHead(width: number, height: number, frames: readonly [number, number][] = []): Uint8Array {
  const images = frames.flatMap(([w, h]) => [
    ...bytes("!", [0xf9, 4, 0, 0, 0, 0, 0], ","),
    ...bytes([0, 0, 0, 0], little(w, 2), little(h, 2), [0x80, 0, 0, 0, 0, 0, 0], [2, 1, 0x44, 0]),
  ]);
  return bytes("GIF89a", little(width, 2), little(height, 2), [0, 0, 0], images, ";");
}

export function jpegHead(width: number, height: number, before: readonly number[] = []): Uint8Array {
  const frame = [0xff, 0xc0, 0, 11, 8, ...big(height, 2), ...big(width, 2), 1, 1, 0x11, 0];
  return bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2], before, frame, [0xff, 0xda, 0, 2]);
}

type WebpPart = readonly [kind: string, data: readonly number[]];
const webpChunk = ([kind, data]: WebpPart): number[] => [
  ...bytes(kind),
  ...little(data.length, 4),
  ...data,
  ...(data.length % 2 === 1 ? [0] : []),
];

export const webpCanvas = (width: number, height: number): WebpPart => [
  "VP8X",
  [0, 0, 0, 0, ...little(width - 1, 3), ...little(height - 1, 3)],
];
export const webpFrame = (width: number, height: number, inner: readonly WebpPart[] = []): WebpPart => [
  "ANMF",
  [
    ...Array.from({ length: 6 }, () => 0),
    ...little(width - 1, 3),
    ...little(height - 1, 3),
    0,
    0,
    0,
    0,
    ...inner.flatMap(webpChunk),
  ],
];
export const webpLossless = (width: number, height: number): WebpPart => [
  "VP8L",
  [0x2f, ...little((width - 1) | ((height - 1) << 14), 4)],
];
export const webpLossy = (width: number, height: number): WebpPart => [
  "VP8 ",
  [0, 0, 0, 0x9d, 1, 0x2a, ...little(width, 2), ...little(height, 2)],
];

export function webpHead(...parts: readonly WebpPart[]): Uint8Array {
  const body = parts.flatMap(webpChunk);
  return bytes("RIFF", little(body.length + 4, 4), "WEBP", body);
}

/** A small PNG of one pixel, different for each text. */
export function pngOf(text: string): Buffer {
  return Buffer.concat([pngHead(1, 1), Buffer.from(text)]);
}

/** A complete image in a single grey. */
export function aPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  const rows = deflateSync(Buffer.alloc((width + 1) * height, 0));
  const parts = [chunk("IHDR", head), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), ...parts]);
}
