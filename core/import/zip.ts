import { Inflate } from "fflate";
import { AppError } from "#core/errors.ts";
import { limits } from "#core/limits.ts";
import { crc32 } from "./crc32.ts";
import { broken, readDirectory, type DirectoryRow, type RandomAccess } from "./zip-directory.ts";

export interface ZipEntry {
  /** With forward slashes, inside the archive. */
  path: string;
  /** Bytes when unpacked, as the archive says; reading checks it. */
  size: number;
  /** Unpacks it. @throws AppError when it is larger than `most`, or not what the archive says it is */
  read(most?: number): Uint8Array;
}

export interface ZipLimits {
  packed: number;
  unpacked: number;
  entries: number;
  ratio: number;
}

const zipLimits: ZipLimits = {
  packed: limits.zipPacked,
  unpacked: limits.zipUnpacked,
  entries: limits.zipEntries,
  ratio: limits.zipRatio,
};

/** The rest of an import's limit for unpacking, shared by archives inside archives. */
export interface ZipBudget {
  limits: ZipLimits;
  entries: number;
  unpacked: number;
}

export function zipBudget(own: Partial<ZipLimits> = {}): ZipBudget {
  return { limits: { ...zipLimits, ...own }, entries: 0, unpacked: 0 };
}

/**
 * The files of a zip, checked by its directory before anything is unpacked: paths that lead out, symbolic links,
 * encryption, more than the limits allow, entries on top of each other (`docs/limits.md`).
 * @throws AppError `invalid_input` or `too_large`, with a sentence that goes on after the archive's name
 */
export function openZip(source: RandomAccess, budget: ZipBudget = zipBudget()): ZipEntry[] {
  const { limits: most } = budget;
  if (source.size > most.packed) throw tooMuch(`it has ${mib(source.size)}`, `at most ${mib(most.packed)} are read`);
  const { rows, end } = readDirectory(source, most.entries - budget.entries);
  budget.entries += rows.length;
  const files = rows.filter(({ name }) => !/[/\\]$/.test(name));
  for (const row of rows) checkRow(row, most);
  const unpacked = files.reduce((sum, row) => sum + row.unpacked, 0);
  budget.unpacked += unpacked;
  if (budget.unpacked > most.unpacked) {
    throw tooMuch(`it would unpack to ${mib(budget.unpacked)}`, `at most ${mib(most.unpacked)} are`);
  }
  if (unpacked > 1024 * 1024 && unpacked / source.size > most.ratio) throw bomb();
  assertApart(rows, end);
  const seen = new Set<string>();
  return files.map((row) => {
    const path = safePath(row.name);
    if (seen.has(path)) throw new AppError("invalid_input", `it holds ${path} twice`);
    seen.add(path);
    return { path, size: row.unpacked, read: (limit = most.unpacked) => unpack(source, row, end, limit) };
  });
}

/** An archive in memory. */
export function inMemory(bytes: Uint8Array): RandomAccess {
  return { size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) };
}

function checkRow({ name, flags, method, mode, packed, unpacked }: DirectoryRow, most: ZipLimits): void {
  if (flags & 0x2041) throw new AppError("invalid_input", "it is encrypted: export it without a password");
  if ((mode & 0o170000) === 0o120000) {
    throw new AppError("invalid_input", `it holds a symbolic link (${shown(name)}): pack the file it points to`);
  }
  if (method !== 0 && method !== 8) {
    throw new AppError("invalid_input", `it is packed by a method that is not read (${method}): pack it as plain zip`);
  }
  if (method === 0 && packed !== unpacked) throw broken();
  if (unpacked > 1024 * 1024 && unpacked / Math.max(1, packed) > most.ratio) throw bomb();
}

/** No two entries share bytes: a small archive of the same bytes many times is a bomb. */
function assertApart(rows: readonly DirectoryRow[], end: number): void {
  let reached = 0;
  for (const { offset, packed, name } of rows.toSorted((a, b) => a.offset - b.offset)) {
    if (offset < reached || offset + 30 + packed > end) throw broken();
    reached = offset + 30 + name.length + packed;
  }
}

/** @throws AppError for a path that leads out of the archive */
function safePath(name: string): string {
  const path = name.replaceAll("\\", "/");
  const parts = path.split("/");
  // oxlint-disable-next-line no-control-regex -- no file has such a name
  const isOdd = /^\/|^[A-Za-z]:|[\u0000-\u001f]/.test(path) || parts.includes("..");
  if (isOdd) throw new AppError("invalid_input", `it holds a path that leads out of it (${shown(name)})`);
  return parts.filter((part) => part !== "." && part !== "").join("/");
}

function unpack(source: RandomAccess, row: DirectoryRow, end: number, limit: number): Uint8Array {
  if (row.unpacked > limit) {
    throw tooMuch(`${shown(row.name)} unpacks to ${mib(row.unpacked)}`, `at most ${mib(limit)} are read`);
  }
  const header = source.read(row.offset, 30);
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  if (header.length < 30 || view.getUint32(0, true) !== 0x04034b50) throw broken();
  const start = row.offset + 30 + view.getUint16(26, true) + view.getUint16(28, true);
  if (start + row.packed > end) throw broken();
  const bytes = row.method === 0 ? source.read(start, row.packed).slice() : inflate(source, start, row);
  if (crc32(bytes) !== row.crc) throw broken();
  return bytes;
}

const step = 64 * 1024;

/** Counts bytes while it unpacks, because the sizes in the directory can be false. */
function inflate(source: RandomAccess, start: number, row: DirectoryRow): Uint8Array {
  const out = new Uint8Array(row.unpacked);
  let written = 0;
  const stream = new Inflate((chunk) => {
    if (written + chunk.length > out.length) throw bomb();
    out.set(chunk, written);
    written += chunk.length;
  });
  try {
    for (let at = 0; at === 0 || at < row.packed; at += step) {
      const length = Math.min(step, row.packed - at);
      // the stream keeps what it is given
      stream.push(source.read(start + at, length).slice(), at + length >= row.packed);
    }
  } catch (error) {
    throw error instanceof AppError ? error : broken();
  }
  if (written !== out.length) throw broken();
  return out;
}

function bomb(): AppError {
  return tooMuch("it unpacks to far more than an archive of documents does", "it was not unpacked");
}

function tooMuch(what: string, limit: string): AppError {
  return new AppError("too_large", `${what}; ${limit}`);
}

function mib(bytes: number): string {
  return `${Math.ceil(bytes / 1024 / 1024).toLocaleString("en")} MiB`;
}

function shown(name: string): string {
  // oxlint-disable-next-line no-control-regex -- names come from others
  return name.replace(/[\u0000-\u001f\u007f]/g, "?").slice(0, 120);
}
