/**
 * Deltas inside a pack (git's OBJ_OFS_DELTA) between objects that differ in one place. A folder's tree changes in one entry with
 * each commit, and an index in one line. Written whole, the trees of large folders are most of a long history.
 */
import type { ObjectType } from "#core/repository/objects.ts";

interface Kept {
  content: Buffer;
  /** Where its entry begins in the pack. */
  offset: number;
  /** Deltas that must be applied to read it. */
  depth: number;
}

export interface Delta {
  base: Kept;
  instructions: Uint8Array;
}

/** Smaller objects gain little. */
const smallest = 512;
/** As git's own packs have it: a longer chain is slow to read. */
const depthAtMost = 50;
const keptBytesAtMost = 16 * 1024 * 1024;
const keptAtMost = 64;
const blockBytes = 4096;
const longestCopy = 0xff_ff_ff;
const longestInsert = 127;

/** The objects written last, newest last, to find a base among them. */
export class DeltaBases {
  readonly #kept = new Map<ObjectType, Kept[]>();

  /** @returns null where a delta would save less than three quarters */
  find(type: ObjectType, content: Uint8Array): Delta | null {
    if (content.length < smallest) return null;
    let best: { base: Kept; prefix: number; suffix: number; inserted: number } | null = null;
    for (const base of this.#kept.get(type) ?? []) {
      const prefix = commonStart(base.content, content);
      const suffix = commonEnd(base.content, content, prefix);
      const inserted = content.length - prefix - suffix;
      if (best === null || inserted < best.inserted) best = { base, prefix, suffix, inserted };
    }
    if (best === null || best.inserted * 4 > content.length || best.base.depth >= depthAtMost) return null;
    return { base: best.base, instructions: instructionsOf(best.base.content, content, best.prefix, best.suffix) };
  }

  /** What replaces its base is the next version of the same file or folder. */
  keep(type: ObjectType, content: Uint8Array, offset: number, delta: Delta | null): void {
    if (content.length < smallest || content.length * 4 > keptBytesAtMost) return;
    const depth = delta === null ? 0 : delta.base.depth + 1;
    const others = (this.#kept.get(type) ?? []).filter((one) => one !== delta?.base);
    const kept = [...others, { content: Buffer.from(content), offset, depth }];
    let bytes = kept.reduce((sum, one) => sum + one.content.length, 0);
    while (kept.length > keptAtMost || bytes > keptBytesAtMost) bytes -= kept.shift()?.content.length ?? 0;
    this.#kept.set(type, kept);
  }
}

/** Where the entry of the base begins, seen from the entry of the delta. */
export function baseDistance(bytes: number): Uint8Array {
  const groups = [bytes % 128];
  for (let rest = Math.floor(bytes / 128); rest > 0; rest = Math.floor(rest / 128)) {
    rest -= 1;
    groups.unshift(128 | (rest % 128));
  }
  return Uint8Array.from(groups);
}

function instructionsOf(base: Uint8Array, content: Uint8Array, prefix: number, suffix: number): Uint8Array {
  const inserted = content.subarray(prefix, content.length - suffix);
  return Buffer.concat([
    lengthOf(base.length),
    lengthOf(content.length),
    ...copies(0, prefix),
    ...inserts(inserted),
    ...copies(base.length - suffix, suffix),
  ]);
}

function* copies(from: number, size: number): Generator<Uint8Array> {
  for (let done = 0; done < size; done += longestCopy) yield copy(from + done, Math.min(longestCopy, size - done));
}

/** A first byte says which bytes of offset and size follow: those that aren't 0. */
function copy(from: number, size: number): Uint8Array {
  const bytes = [0, 8, 16, 24].map((shift) => (from >>> shift) & 255);
  bytes.push(...[0, 8, 16].map((shift) => (size >>> shift) & 255));
  const code = bytes.reduce((sum, byte, at) => (byte === 0 ? sum : sum | (1 << at)), 0x80);
  return Uint8Array.from([code, ...bytes.filter((byte) => byte !== 0)]);
}

function* inserts(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += longestInsert) {
    const part = bytes.subarray(at, at + longestInsert);
    yield Uint8Array.from([part.length, ...part]);
  }
}

/** In groups of 7 bits, the lowest first. */
function lengthOf(size: number): Uint8Array {
  const bytes: number[] = [];
  let rest = size;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Uint8Array.from([...bytes, rest]);
}

function commonStart(base: Buffer, content: Uint8Array): number {
  const most = Math.min(base.length, content.length);
  let at = 0;
  while (at + blockBytes <= most && base.compare(content, at, at + blockBytes, at, at + blockBytes) === 0) {
    at += blockBytes;
  }
  while (at < most && base[at] === content[at]) at += 1;
  return at;
}

/** Not more than what is left behind a common start of this length. */
function commonEnd(base: Buffer, content: Uint8Array, start: number): number {
  const most = Math.min(base.length, content.length) - start;
  const [baseEnd, end] = [base.length, content.length];
  let size = 0;
  while (
    size + blockBytes <= most &&
    base.compare(content, end - size - blockBytes, end - size, baseEnd - size - blockBytes, baseEnd - size) === 0
  ) {
    size += blockBytes;
  }
  while (size < most && base[baseEnd - size - 1] === content[end - size - 1]) size += 1;
  return size;
}
