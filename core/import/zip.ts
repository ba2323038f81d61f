// import zip.js without its codecs, because browsers and Node have their own
import * as zip from "@zip.js/zip.js/lib/zip-core-custom.js";
import { AppError } from "#core/errors.ts";
import { limits } from "#core/limits.ts";
import { refusals } from "./refusals.ts";
import type { MessageWithId } from "#core/language/catalog.ts";

/** Bytes that are read on demand: a file, or an archive inside another one. */
export interface ByteReader {
  size: number;
  read(offset: number, length: number): Uint8Array;
}

export interface ZipEntry {
  /** The path inside the archive, with forward slashes. */
  path: string;
  /** The unpacked size in bytes as the archive declares it. Reading the entry checks the size. */
  size: number;
  /** Unpacks the entry. @throws AppError if it is larger than `most`, or differs from the archive's directory */
  read(most?: number): Promise<Uint8Array>;
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

/**
 * The entries and unpacked bytes of an import so far, and their limits. An archive and the archives inside it share one
 * budget.
 */
export interface ZipBudget {
  limits: ZipLimits;
  entries: number;
  unpacked: number;
}

export function createZipBudget(own: Partial<ZipLimits> = {}): ZipBudget {
  return { limits: { ...zipLimits, ...own }, entries: 0, unpacked: 0 };
}

/** This code already runs in a worker, or in the CLI. */
zip.configure({ useWebWorkers: false });

/**
 * The maximum number of bytes to read at once. Files are read in small pieces, and only an archive's directory is read
 * as a whole.
 */
const readAtMost = 20 * 1024 * 1024;

class ZipSource extends zip.Reader<ByteReader> {
  private readonly source: ByteReader;

  constructor(source: ByteReader) {
    super(source);
    this.source = source;
    this.size = source.size;
  }

  override async readUint8Array(offset: number, length: number): Promise<Uint8Array> {
    if (length > readAtMost) throw damagedZipError();
    return this.source.read(offset, length);
  }
}

/**
 * Opens a zip and returns its files. Checks links, encryption, names and the limits of `docs/limits.md` before anything
 * is unpacked; zip.js checks the structure.
 * @throws AppError `invalid_input` or `too_large`, with a sentence that continues after the archive's name
 */
export async function openZip(source: ByteReader, budget: ZipBudget = createZipBudget()): Promise<ZipEntry[]> {
  const { limits: most } = budget;
  if (source.size > most.packed)
    throw limitError(refusals.largeZip({ size: mebibytes(source.size), most: mebibytes(most.packed) }));
  const reader = new zip.ZipReader(new ZipSource(source), {
    normalizeFilename: (name) => name.replaceAll("\\", "/"),
    decodeText: decodeName,
    checkOverlappingEntry: true,
    checkCrc32: true,
  });
  const files: zip.FileEntry[] = [];
  const atMost = most.entries - budget.entries;
  try {
    for await (const entry of reader.getEntriesGenerator()) {
      budget.entries += 1;
      if (budget.entries > most.entries) {
        throw new AppError("too_large", refusals.tooManyFiles({ most: atMost }));
      }
      assertSafeEntry(entry, most);
      if (!entry.directory) files.push(entry);
    }
  } catch (error) {
    throw zipErrorOf(error);
  }
  const unpacked = files.reduce((sum, entry) => sum + entry.uncompressedSize, 0);
  budget.unpacked += unpacked;
  if (budget.unpacked > most.unpacked) {
    throw limitError(refusals.unpacksToMuch({ size: mebibytes(budget.unpacked), most: mebibytes(most.unpacked) }));
  }
  if (unpacked > 1024 * 1024 && unpacked / source.size > most.ratio) throw unpackedSizeError();
  const seen = new Set<string>();
  return files.map((entry) => {
    const path = entry.filename
      .split("/")
      .filter((part) => part !== "." && part !== "")
      .join("/");
    if (seen.has(path)) throw new AppError("invalid_input", refusals.twiceInZip({ path }));
    seen.add(path);
    return { path, size: entry.uncompressedSize, read: (limit = most.unpacked) => unpackEntry(entry, limit) };
  });
}

/** Returns random access to an archive in memory. */
export function readerOfBytes(bytes: Uint8Array): ByteReader {
  return { size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) };
}

function assertSafeEntry(entry: zip.Entry, most: ZipLimits): void {
  const { filename, compressionMethod: method, compressedSize: packed, uncompressedSize: unpacked } = entry;
  // oxlint-disable-next-line no-control-regex -- no file has such a name
  if (/[\u0000-\u001f]/.test(filename)) throw unsafePathError(filename);
  if (entry.encrypted) throw new AppError("invalid_input", refusals.encryptedZip());
  if (entry.symlink) {
    throw new AppError("invalid_input", refusals.symbolicLink({ file: printableEntryName(filename) }));
  }
  if (method !== 0 && method !== 8) {
    throw new AppError("invalid_input", refusals.unknownMethod({ method }));
  }
  if (unpacked > 1024 * 1024 && unpacked / Math.max(1, packed) > most.ratio) throw unpackedSizeError();
}

/** Unpacks an entry and counts its bytes, because the sizes in the archive can be wrong. */
async function unpackEntry(entry: zip.FileEntry, limit: number): Promise<Uint8Array> {
  const size = entry.uncompressedSize;
  if (size > limit) {
    const file = printableEntryName(entry.filename);
    throw limitError(refusals.largeInZip({ file, size: mebibytes(size), most: mebibytes(limit) }));
  }
  const out = new Uint8Array(size);
  let written = 0;
  const sink = new WritableStream<Uint8Array>({
    write: (chunk) => {
      if (written + chunk.length > size) throw unpackedSizeError();
      out.set(chunk, written);
      written += chunk.length;
    },
  });
  try {
    await entry.getData(sink);
  } catch (error) {
    throw zipErrorOf(error);
  }
  if (written !== size) throw damagedZipError();
  return out;
}

/** Translates an error of zip.js into a refusal. */
function zipErrorOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { message = "", filename = "" } = error as { message?: string; filename?: string };
  switch (message) {
    case zip.ERR_UNSAFE_FILENAME:
      return unsafePathError(filename);
    case zip.ERR_INVALID_UNCOMPRESSED_SIZE:
      return unpackedSizeError();
    case zip.ERR_BAD_FORMAT:
    case zip.ERR_EOCDR_NOT_FOUND:
      return new AppError("invalid_input", refusals.notZip());
    default:
      return damagedZipError();
  }
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const western = new TextDecoder("windows-1252");

/** Decodes UTF-8 even if the archive doesn't declare it, because many programs omit the declaration. */
function decodeName(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    return western.decode(bytes);
  }
}

function unsafePathError(name: string): AppError {
  return new AppError("invalid_input", refusals.outwardPath({ path: printableEntryName(name) }));
}

function damagedZipError(): AppError {
  return new AppError("invalid_input", refusals.damagedZip());
}

function unpackedSizeError(): AppError {
  return limitError(refusals.zipBomb());
}

function limitError(message: MessageWithId): AppError {
  return new AppError("too_large", message);
}

function mebibytes(bytes: number): number {
  return Math.ceil(bytes / 1024 / 1024);
}

function printableEntryName(name: string): string {
  // oxlint-disable-next-line no-control-regex -- names come from others
  return name.replace(/[\u0000-\u001f\u007f]/g, "?").slice(0, 120);
}
