/** Reads the names, weights and characters of font files: TrueType, OpenType and collections. */
import { closeSync, openSync, readSync } from "node:fs";

export interface Face {
  family: string;
  /** The weight: 400 is regular, 700 is bold. */
  weight: number;
  italic: boolean;
  has(codePoint: number): boolean;
}

/** Reads a part of a font file. */
type ReadFilePart = (offset: number, length: number) => Buffer;

export function parseFontFaces(bytes: Buffer): Face[] {
  return readFaces((offset, length) => bytes.subarray(offset, offset + length));
}

/**
 * Returns the faces in a font file; none for another file. Reads only the needed tables, because some fonts have 20 MB.
 */
export function readFontFaces(file: string): Face[] {
  const handle = openSync(file, "r");
  try {
    return readFaces((offset, length) => {
      const part = Buffer.alloc(length);
      return part.subarray(0, readSync(handle, part, 0, length, offset));
    });
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  } finally {
    closeSync(handle);
  }
}

const outlines = new Set(["\u0000\u0001\u0000\u0000", "OTTO", "true"]);

function readFaces(read: ReadFilePart): Face[] {
  const kind = read(0, 4).toString("latin1");
  if (outlines.has(kind)) return [readFace(read, 0)];
  if (kind !== "ttcf") return [];
  const offsets = read(12, 4 * Math.min(read(8, 4).readUInt32BE(0), 64));
  return Array.from({ length: offsets.length / 4 }, (_, index) => readFace(read, offsets.readUInt32BE(index * 4)));
}

function readFace(read: ReadFilePart, start: number): Face {
  const count = read(start + 4, 2).readUInt16BE(0);
  const directory = read(start + 12, count * 16);
  const fontTable = (tag: string): Buffer => {
    for (let at = 0; at < directory.length; at += 16) {
      if (directory.toString("latin1", at, at + 4) !== tag) continue;
      // real tables are smaller than this limit, so a damaged file can't make the server allocate more memory
      return read(directory.readUInt32BE(at + 8), Math.min(directory.readUInt32BE(at + 12), 4 * 2 ** 20));
    }
    return Buffer.alloc(0);
  };
  const style = fontTable("OS/2");
  return {
    family: familyNameIn(fontTable("name")),
    weight: style.length < 64 ? 400 : style.readUInt16BE(4),
    italic: style.length >= 64 && (style.readUInt16BE(62) & 1) === 1,
    has: parseCharacterMap(fontTable("cmap")),
  };
}

/** Returns the family name that all weights share. */
function familyNameIn(names: Buffer): string {
  if (names.length < 6) return "";
  const texts = names.readUInt16BE(4);
  const found = new Map<number, string>();
  for (let index = 0; index < names.readUInt16BE(2); index += 1) {
    const at = 6 + index * 12;
    const [platform, id] = [names.readUInt16BE(at), names.readUInt16BE(at + 6)];
    if ((id !== 1 && id !== 16) || found.has(id)) continue;
    const from = texts + names.readUInt16BE(at + 10);
    const text = names.subarray(from, from + names.readUInt16BE(at + 8));
    found.set(id, platform === 1 ? text.toString("latin1") : new TextDecoder("utf-16be").decode(text));
  }
  return found.get(16) ?? found.get(1) ?? "";
}

function parseCharacterMap(map: Buffer): Face["has"] {
  const subtables = map.length < 4 ? 0 : map.readUInt16BE(2);
  const starts = Array.from({ length: subtables }, (_, index) => map.readUInt32BE(8 + index * 8));
  const startOfFormat = (format: number) => starts.find((start) => map.readUInt16BE(start) === format);
  const [all, basic] = [startOfFormat(12), startOfFormat(4)];
  if (all !== undefined) return (code) => isInGroups(map.subarray(all), code);
  if (basic !== undefined) return (code) => isInSegments(map.subarray(basic), code);
  return () => false;
}

/** Looks up a character in a table of format 12: sorted groups of first character, last character and glyph. */
function isInGroups(table: Buffer, code: number): boolean {
  let [low, high] = [0, table.readUInt32BE(12) - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const at = 16 + middle * 12;
    if (code < table.readUInt32BE(at)) high = middle - 1;
    else if (code > table.readUInt32BE(at + 4)) low = middle + 1;
    else return table.readUInt32BE(at + 8) + code - table.readUInt32BE(at) > 0;
  }
  return false;
}

/** Looks up a character in a table of format 4: segments of the first 65,536 characters, sorted by their ends. */
function isInSegments(table: Buffer, code: number): boolean {
  if (code > 0xffff) return false;
  const twice = table.readUInt16BE(6);
  for (let at = 0; at < twice; at += 2) {
    if (table.readUInt16BE(14 + at) < code) continue;
    const start = table.readUInt16BE(16 + twice + at);
    if (code < start) return false;
    const delta = table.readUInt16BE(16 + 2 * twice + at);
    const place = 16 + 3 * twice + at;
    const offset = table.readUInt16BE(place);
    if (offset === 0) return ((code + delta) & 0xffff) !== 0;
    return table.readUInt16BE(place + offset + 2 * (code - start)) !== 0;
  }
  return false;
}
