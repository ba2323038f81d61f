/** The size of a decoded image, from the image's headers. */
export interface ImageSize {
  type: "png" | "jpeg" | "gif" | "webp";
  /** The width in pixels. If headers disagree, the largest width counts. */
  width: number;
  height: number;
  /** 1 for an image that doesn't move. */
  frames: number;
}

/**
 * Reads the size of an image from its headers. @returns null for another file, or for an image without a readable size
 */
export function imageSize(bytes: Uint8Array): ImageSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = readUnlessTruncated(() => pngSize(view) ?? gifSize(view) ?? webpSize(view) ?? jpegSize(view));
  return size !== null && size.width > 0 && size.height > 0 ? size : null;
}

interface Canvas {
  width: number;
  height: number;
  frames: number;
}

/** Returns null if the file ends before its size. */
function readUnlessTruncated<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * Returns the largest width and height of all frames, and the number of frames. A cut-off image counts as far as it can
 * be read.
 */
function largestFrameSize(walk: (take: (width: number, height: number) => void, frame: () => void) => void): Canvas {
  const canvas = { width: 0, height: 0, frames: 0 };
  readUnlessTruncated(() =>
    walk(
      (width, height) => {
        canvas.width = Math.max(canvas.width, width);
        canvas.height = Math.max(canvas.height, height);
      },
      () => (canvas.frames += 1),
    ),
  );
  return { ...canvas, frames: Math.max(canvas.frames, 1) };
}

function pngSize(view: DataView): ImageSize | null {
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(12) !== 0x49484452) return null;
  const canvas = largestFrameSize((take, frame) => {
    for (let at = 8; at < view.byteLength; at += 12 + view.getUint32(at)) {
      const kind = view.getUint32(at + 4);
      if (kind === 0x49484452) take(view.getUint32(at + 8), view.getUint32(at + 12));
      // 0x6663544c is `fcTL`, a frame of an animation
      if (kind === 0x6663544c) {
        take(view.getUint32(at + 12), view.getUint32(at + 16));
        frame();
      }
    }
  });
  return { type: "png", ...canvas };
}

/** Reads the size of a GIF. Decoders enlarge the canvas for frames that extend beyond it, so these frames count too. */
function gifSize(view: DataView): ImageSize | null {
  if (view.getUint32(0) !== 0x47494638) return null;
  const colorTableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));
  const canvas = largestFrameSize((take, frame) => {
    take(view.getUint16(6, true), view.getUint16(8, true));
    let at = 13 + colorTableBytes(view.getUint8(10));
    const skipData = (): void => {
      for (let length = view.getUint8(at); length > 0; length = view.getUint8(at)) at += 1 + length;
      at += 1;
    };
    for (let kind = view.getUint8(at); kind === 0x2c || kind === 0x21; kind = view.getUint8(at)) {
      if (kind === 0x21) at += 2;
      else {
        const [left, top] = [view.getUint16(at + 1, true), view.getUint16(at + 3, true)];
        take(left + view.getUint16(at + 5, true), top + view.getUint16(at + 7, true));
        frame();
        at += 11 + colorTableBytes(view.getUint8(at + 9));
      }
      skipData();
    }
  });
  return { type: "gif", ...canvas };
}

function webpSize(view: DataView): ImageSize | null {
  if (view.getUint32(0) !== 0x52494646 || view.getUint32(8) !== 0x57454250) return null;
  const canvas = largestFrameSize((take, frame) => {
    const walkChunks = (from: number, end: number, isFrame = false): void => {
      for (let at = from; at < end;) {
        const [kind, length] = [view.getUint32(at), view.getUint32(at + 4, true)];
        const data = at + 8;
        if (kind === 0x56503858) take(readUint24(view, data + 4) + 1, readUint24(view, data + 7) + 1);
        if (kind === 0x56503820) take(view.getUint16(data + 6, true) & 0x3fff, view.getUint16(data + 8, true) & 0x3fff);
        if (kind === 0x5650384c) {
          const bits = view.getUint32(data + 1, true);
          take((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
        }
        if (kind === 0x414e4d46 && !isFrame) {
          take(readUint24(view, data + 6) + 1, readUint24(view, data + 9) + 1);
          frame();
          walkChunks(data + 16, Math.min(data + length, end), true);
        }
        at = data + length + (length % 2);
      }
    };
    walkChunks(12, view.byteLength);
  });
  return { type: "webp", ...canvas };
}

function readUint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}

/**
 * Reads the size of a JPEG from all frame headers before the image data (SOF0 to SOF15, except three markers with
 * another meaning). Like decoders, it skips bytes between segments.
 */
function jpegSize(view: DataView): ImageSize | null {
  if (view.getUint16(0) !== 0xffd8) return null;
  const canvas = largestFrameSize((take) => {
    for (let at = 2; at < view.byteLength;) {
      const marker = view.getUint8(at) === 0xff ? view.getUint8(at + 1) : 0;
      if (marker === 0xda) return;
      const isAlone = marker === 0x00 || marker === 0x01 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd9);
      if (isAlone) {
        at += 1;
        continue;
      }
      const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
      if (isFrame) take(view.getUint16(at + 7), view.getUint16(at + 5));
      at += 2 + view.getUint16(at + 2);
    }
  });
  return { type: "jpeg", ...canvas };
}
