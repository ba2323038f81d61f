import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { packIndex } from "./pack-index.ts";

describe("packIndex", () => {
  it("sorts by id, counts by first byte and stores large offsets in their own table", () => {
    const far = 5 * 1024 ** 3;
    const checksum = Buffer.alloc(20, 7);
    const objects = [
      { oid: "ff".repeat(20), offset: far, crc: 3 },
      { oid: "00".repeat(20), offset: 12, crc: 1 },
      { oid: `00${"11".repeat(19)}`, offset: far + 1, crc: 2 },
    ];
    const index = packIndex(objects, checksum);
    const [names, crcs] = [8 + 1024, 8 + 1024 + 60];
    const [offsets, farOffsets] = [crcs + 12, crcs + 24];
    expect(index.readUInt32BE(8)).toBe(2);
    expect(index.readUInt32BE(8 + 254 * 4)).toBe(2);
    expect(index.readUInt32BE(8 + 255 * 4)).toBe(3);
    expect(index.subarray(names, names + 20).toString("hex")).toBe("00".repeat(20));
    expect([0, 4, 8].map((at) => index.readUInt32BE(crcs + at))).toEqual([1, 2, 3]);
    expect([0, 4, 8].map((at) => index.readUInt32BE(offsets + at))).toEqual([12, 0x8000_0000, 0x8000_0001]);
    expect([0, 8].map((at) => Number(index.readBigUInt64BE(farOffsets + at)))).toEqual([far + 1, far]);
    expect(index.subarray(-40, -20)).toEqual(checksum);
    expect(index.subarray(-20)).toEqual(createHash("sha1").update(index.subarray(0, -20)).digest());
  });
});
