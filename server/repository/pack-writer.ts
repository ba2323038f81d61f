/** Writes packs (format 2, index v2). Of deltas it writes only those that are found at once; a repack by git looks for others. */
import { createHash, type Hash } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import type { ObjectType } from "#core/repository/objects.ts";
import { compress, fastest } from "./compress.ts";
import { unlinkIfThere, type Disk, type OpenFile } from "./disk.ts";
import { baseDistance, DeltaBases } from "./pack-delta.ts";
import { packIndex, type PackedObject } from "./pack-index.ts";

const typeCode: Record<ObjectType, number> = { commit: 1, tree: 2, blob: 3 };
/** A delta, with the distance to its base. */
const deltaCode = 6;
const headerSize = 12;
const flushSize = 1024 * 1024;

export interface PackWriter {
  add(type: ObjectType, oid: string, content: Uint8Array): void;
  /** The same for an object that may be large: compressed in the thread pool, and flushed. */
  put(type: ObjectType, oid: string, content: Uint8Array): Promise<void>;
  /** Hands what has gathered to the disk. */
  flush(): Promise<void>;
  /** @returns the pack's name (`pack-…`), null when it would hold nothing */
  finish(): Promise<string | null>;
  abort(): Promise<void>;
}

/**
 * A pack under a temporary name until it is complete. Then the pack appears, and after it the index, which makes it
 * visible.
 */
export async function createPack(disk: Disk, gitdir: string, token: string): Promise<PackWriter> {
  const temporary = `${gitdir}/objects/pack/tmp_pack_${token}`;
  const file = await disk.open(temporary, "wx+");
  const objects: PackedObject[] = [];
  const known = new Set<string>();
  const bases = new DeltaBases();
  let waiting: Uint8Array[] = [];
  let waitingSize = 0;
  let flushed = headerSize;

  const flush = async (): Promise<void> => {
    const data = Buffer.concat(waiting);
    waiting = [];
    waitingSize = 0;
    await writeAll(file, data, flushed);
    flushed += data.length;
  };
  const flushIfLarge = async (): Promise<void> => {
    if (waitingSize >= flushSize) await flush();
  };
  const append = (oid: string, ...parts: Uint8Array[]): void => {
    const entry = Buffer.concat(parts);
    objects.push({ oid, offset: flushed + waitingSize, crc: crc32(entry) });
    waiting.push(entry);
    waitingSize += entry.length;
  };
  return {
    add: (type, oid, content) => {
      if (known.has(oid)) return;
      known.add(oid);
      const offset = flushed + waitingSize;
      const delta = bases.find(type, content);
      const stored = delta?.instructions ?? content;
      const header = entryHeader(delta ? deltaCode : typeCode[type], stored.length);
      const distance = delta ? [baseDistance(offset - delta.base.offset)] : [];
      append(oid, header, ...distance, deflateSync(stored, { level: fastest }));
      bases.keep(type, content, offset, delta);
    },
    put: async (type, oid, content) => {
      if (known.has(oid)) return;
      known.add(oid);
      append(oid, entryHeader(typeCode[type], content.length), await compress(content));
      await flushIfLarge();
    },
    flush: flushIfLarge,
    finish: async () => {
      await flush();
      if (objects.length === 0) {
        await file.close();
        await disk.unlink(temporary);
        return null;
      }
      await writeAll(file, packHeader(objects.length), 0);
      const checksum = (await hashFile(file, flushed)).digest();
      await writeAll(file, checksum, flushed);
      await file.sync();
      await file.close();
      return publish(disk, gitdir, temporary, objects, checksum);
    },
    abort: async () => {
      await file.close().catch(() => undefined);
      await unlinkIfThere(disk, temporary).catch(() => undefined);
    },
  };
}

async function publish(
  disk: Disk,
  gitdir: string,
  temporary: string,
  objects: PackedObject[],
  checksum: Buffer,
): Promise<string> {
  const name = `pack-${checksum.toString("hex")}`;
  const path = `${gitdir}/objects/pack/${name}`;
  const index = `${temporary}_idx`;
  const file = await disk.open(index, "wx+");
  try {
    await writeAll(file, packIndex(objects, checksum), 0);
    await file.sync();
  } finally {
    await file.close();
  }
  await disk.rename(temporary, `${path}.pack`);
  await disk.rename(index, `${path}.idx`);
  return name;
}

function packHeader(count: number): Buffer {
  const header = Buffer.alloc(headerSize);
  header.write("PACK", "latin1");
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(count, 8);
  return header;
}

/** Type and size, little-endian in groups of 4 and then 7 bits. */
function entryHeader(type: number, size: number): Uint8Array {
  const bytes: number[] = [];
  let byte = (type << 4) | (size & 15);
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push(byte | 128);
    byte = rest & 127;
  }
  bytes.push(byte);
  return Uint8Array.from(bytes);
}

async function writeAll(file: OpenFile, data: Uint8Array, position: number): Promise<void> {
  if (data.length > 0) await file.write(data, 0, data.length, position);
}

async function hashFile(file: OpenFile, size: number): Promise<Hash> {
  const hash = createHash("sha1");
  const buffer = Buffer.alloc(flushSize);
  for (let at = 0; at < size;) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, size - at), at);
    if (bytesRead === 0) throw new Error("the pack is shorter than what was written");
    hash.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
  return hash;
}
