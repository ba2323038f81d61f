import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import type { Context } from "koa";
import { afterAll, describe, expect, test } from "vitest";
import { mountSmallDisk } from "../../test/full-disk.ts";
import { createFairQueue } from "../capacity/fair-queue.ts";
import { resources } from "../capacity/resources.ts";
import { toAppError } from "./error-body.ts";
import { ReceivedFile, receiveFile } from "./received-file.ts";

const probe = mountSmallDisk(1);
probe?.unmount();
const root = mkdtempSync(path.join(tmpdir(), "sopwright-received-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const mebibyte = 1024 * 1024;
const requestOf = (body: Iterable<Buffer> | AsyncIterable<Buffer>): Context =>
  ({ get: () => "", request: {}, req: Readable.from(body) }) as unknown as Context;
const idle = { running: 0, waiting: 0 };

describe("a body on disk", () => {
  test("goes with its place when it is removed", async () => {
    const places = createFairQueue(resources.pushBodies);
    const file = await receiveFile(requestOf([Buffer.alloc(mebibyte)]), mebibyte, places, root);
    expect([file.size, places.load(), readdirSync(root)]).toEqual([
      mebibyte,
      { running: 1, waiting: 0 },
      [path.basename(file.folder)],
    ]);
    await file.remove();
    expect([places.load(), readdirSync(root)]).toEqual([idle, []]);
  });

  test.each(["too large", "broken off"])("keeps no place and no file when it is %s", async (what) => {
    const places = createFairQueue(resources.pushBodies);
    const body = async function* () {
      yield Buffer.alloc(mebibyte);
      if (what === "broken off") throw new Error("the client left");
      yield Buffer.alloc(1);
    };
    await expect(receiveFile(requestOf(body()), mebibyte, places, root)).rejects.toThrow();
    expect([places.load(), readdirSync(root)]).toEqual([idle, []]);
  });

  test("gives its place back when its folder can't be removed", async () => {
    const inTheWay = path.join(root, "file");
    writeFileSync(inTheWay, "");
    let left = 0;
    await expect(new ReceivedFile(path.join(inTheWay, "folder"), 0, () => void (left += 1)).remove()).rejects.toThrow();
    rmSync(inTheWay);
    expect(left).toBe(1);
  });

  test.skipIf(probe === null)("is refused with 507 on a full disk, and leaves room for others", async () => {
    const disk = mountSmallDisk(2);
    if (!disk) throw new Error("the disk of the test is missing");
    try {
      const places = createFairQueue(resources.pushBodies);
      const body = Array.from({ length: 4 }, () => Buffer.alloc(mebibyte));
      const error: unknown = await receiveFile(requestOf(body), 10 * mebibyte, places, disk.dir).catch(
        (e: unknown) => e,
      );
      expect(toAppError(error)).toMatchObject({ status: 507, code: "storage_full" });
      expect([places.load(), readdirSync(disk.dir)]).toEqual([idle, []]);
    } finally {
      disk.unmount();
    }
  });
});
