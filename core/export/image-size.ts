/** Width and height in pixels, read from a picture's first bytes; null where they tell none. */
export interface ImageSize {
  type: "png" | "jpeg" | "gif" | "webp";
  width: number;
  height: number;
}

export function imageSize(bytes: Uint8Array): ImageSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const size = png(view) ?? gif(view) ?? webp(view) ?? jpeg(view);
    return size !== null && size.width > 0 && size.height > 0 ? size : null;
  } catch (error) {
    // the picture ends before it has told its size
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function png(view: DataView): ImageSize | null {
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(12) !== 0x49484452) return null;
  return { type: "png", width: view.getUint32(16), height: view.getUint32(20) };
}

function gif(view: DataView): ImageSize | null {
  if (view.getUint32(0) !== 0x47494638) return null;
  return { type: "gif", width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function webp(view: DataView): ImageSize | null {
  if (view.getUint32(0) !== 0x52494646 || view.getUint32(8) !== 0x57454250) return null;
  const kind = view.getUint32(12);
  const size = (width: number, height: number) => ({ type: "webp" as const, width, height });
  if (kind === 0x56503858) return size(uint24(view, 24) + 1, uint24(view, 27) + 1);
  if (kind === 0x56503820) return size(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
  if (kind !== 0x5650384c) return null;
  const bits = view.getUint32(21, true);
  return size((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}

/** From segment to segment until the frame header (SOF0 to SOF15, without the three that are none). */
function jpeg(view: DataView): ImageSize | null {
  if (view.getUint16(0) !== 0xffd8) return null;
  for (let at = 2; at < view.byteLength;) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { type: "jpeg", width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    const alone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    at += alone ? 2 : 2 + view.getUint16(at + 2);
  }
  return null;
}
