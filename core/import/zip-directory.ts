import { AppError } from "#core/errors.ts";

/** Bytes that are read where they are wanted: a file, or an archive inside another. */
export interface RandomAccess {
  size: number;
  read(offset: number, length: number): Uint8Array;
}

/** One row of an archive's central directory, as it claims to be. */
export interface DirectoryRow {
  name: string;
  flags: number;
  method: number;
  crc: number;
  packed: number;
  unpacked: number;
  /** The offset of the local header. */
  offset: number;
  /** Unix mode, 0 where the archive says none. */
  mode: number;
}

export interface Directory {
  rows: DirectoryRow[];
  /** Where the entries end. */
  end: number;
}

const none32 = 0xffffffff;

/**
 * The central directory of a zip (APPNOTE 6.3.10, with zip64). Unpacks nothing.
 * @throws AppError `invalid_input` if it is no zip, `too_large` beyond `most` entries
 */
export function readDirectory(source: RandomAccess, most: number): Directory {
  const { count, size, offset } = findDirectory(source);
  if (count > most) {
    throw new AppError("too_large", `it holds ${count} files, at most ${most.toLocaleString("en")} are read`);
  }
  if (offset + size > source.size || size > most * 1_000) throw broken();
  const bytes = source.read(offset, size);
  const view = viewOf(bytes);
  const rows: DirectoryRow[] = [];
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== 0x02014b50) throw broken();
    const lengths = [28, 30, 32].map((place) => view.getUint16(at + place, true));
    const [nameLength = 0, extraLength = 0, commentLength = 0] = lengths;
    const next = at + 46 + nameLength + extraLength + commentLength;
    if (next > bytes.length) throw broken();
    const flags = view.getUint16(at + 8, true);
    const nameEnd = at + 46 + nameLength;
    const row = {
      name: decodeName(bytes.subarray(at + 46, nameEnd), flags),
      flags,
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      packed: view.getUint32(at + 20, true),
      unpacked: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
      mode: bytes[at + 5] === 3 || bytes[at + 5] === 19 ? view.getUint32(at + 38, true) >>> 16 : 0,
    };
    readZip64(row, bytes.subarray(nameEnd, nameEnd + extraLength));
    rows.push(row);
    at = next;
  }
  return { rows, end: offset };
}

function findDirectory(source: RandomAccess): { count: number; size: number; offset: number } {
  const length = Math.min(source.size, 22 + 0xffff);
  const start = source.size - length;
  const tail = source.read(start, length);
  const view = viewOf(tail);
  for (let at = length - 22; at >= 0; at -= 1) {
    if (view.getUint32(at, true) !== 0x06054b50 || at + 22 + view.getUint16(at + 20, true) > length) continue;
    const found = {
      count: view.getUint16(at + 10, true),
      size: view.getUint32(at + 12, true),
      offset: view.getUint32(at + 16, true),
    };
    const isLarge = found.count === 0xffff || found.size === none32 || found.offset === none32;
    return isLarge && at >= 20 ? findLargeDirectory(source, start + at - 20) : found;
  }
  throw new AppError("invalid_input", "it isn't a zip archive, or its end is missing: download it again");
}

function findLargeDirectory(source: RandomAccess, locatorAt: number): { count: number; size: number; offset: number } {
  const locator = viewOf(source.read(locatorAt, 20));
  if (locator.getUint32(0, true) !== 0x07064b50) throw broken();
  const at = large(locator, 8);
  if (at + 56 > source.size) throw broken();
  const end = viewOf(source.read(at, 56));
  if (end.getUint32(0, true) !== 0x06064b50) throw broken();
  return { count: large(end, 32), size: large(end, 40), offset: large(end, 48) };
}

/** Sizes of 4 GiB and more, and of writers that don't know them beforehand. */
function readZip64(row: DirectoryRow, extra: Uint8Array): void {
  const view = viewOf(extra);
  for (let at = 0; at + 4 <= extra.length;) {
    const [kind, length] = [view.getUint16(at, true), view.getUint16(at + 2, true)];
    if (at + 4 + length > extra.length) return;
    if (kind === 1) {
      let place = at + 4;
      for (const name of ["unpacked", "packed", "offset"] as const) {
        if (row[name] !== none32) continue;
        if (place + 8 > at + 4 + length) throw broken();
        row[name] = large(view, place);
        place += 8;
      }
    }
    at += 4 + length;
  }
}

function large(view: DataView, at: number): number {
  const value = view.getBigUint64(at, true);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw broken();
  return Number(value);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const western = new TextDecoder("windows-1252");

/** Many writers use UTF-8 without saying so. */
function decodeName(bytes: Uint8Array, flags: number): string {
  try {
    return strict.decode(bytes);
  } catch {
    if (flags & 0x800) throw broken();
    return western.decode(bytes);
  }
}

export function broken(): AppError {
  return new AppError("invalid_input", "the zip archive is damaged: download it again");
}
