/** The index of a pack, version 2. */
import { createHash } from "node:crypto";

export interface PackedObject {
  oid: string;
  offset: number;
  /** Of the packed entry. */
  crc: number;
}

const largeOffset = 0x8000_0000;

/** The `.idx` file for a pack with this checksum (20 bytes). */
export function packIndex(objects: readonly PackedObject[], packChecksum: Uint8Array): Buffer {
  const sorted = objects.toSorted((a, b) => (a.oid < b.oid ? -1 : 1));
  const fanout = Buffer.alloc(256 * 4);
  const crcs = Buffer.alloc(sorted.length * 4);
  const offsets = Buffer.alloc(sorted.length * 4);
  const large: bigint[] = [];
  const counts = new Uint32Array(256);
  for (const [index, object] of sorted.entries()) {
    const first = Number.parseInt(object.oid.slice(0, 2), 16);
    counts[first] = (counts[first] ?? 0) + 1;
    crcs.writeUInt32BE(object.crc, index * 4);
    if (object.offset < largeOffset) offsets.writeUInt32BE(object.offset, index * 4);
    else offsets.writeUInt32BE(largeOffset + large.push(BigInt(object.offset)) - 1, index * 4);
  }
  let total = 0;
  for (const [first, count] of counts.entries()) {
    total += count;
    fanout.writeUInt32BE(total, first * 4);
  }
  const far = Buffer.alloc(large.length * 8);
  for (const [index, offset] of large.entries()) far.writeBigUInt64BE(offset, index * 8);
  const magic = Buffer.from([0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2]);
  const names = Buffer.from(sorted.map((object) => object.oid).join(""), "hex");
  const body = Buffer.concat([magic, fanout, names, crcs, offsets, far, packChecksum]);
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}
