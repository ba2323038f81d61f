import { inspect } from "node:util";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "#core/ids.ts";
import { limits } from "#core/limits.ts";
import { describeEachEngine } from "../../test/database/each-engine.ts";
import { startS3 } from "../../test/s3.ts";
import { readConfig } from "../config.ts";
import { declarations, type Collections } from "../database/documents.ts";
import { createDatabaseBlobs } from "./in-database.ts";
import { createS3Blobs, type S3Settings } from "./in-s3.ts";
import { BlobsUnavailableError, type BlobKey, type Blobs } from "./port.ts";

const s3 = await startS3();
const stopped = await startS3();
await stopped.stop();
afterAll(() => s3.stop());
beforeEach(() => {
  s3.trouble = null;
});
const settings = readConfig(s3.env).assetStore as S3Settings;

const keyOf = (companyId: string): BlobKey => ({ _id: newId(), companyId });
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text));

interface Store {
  blobs: Blobs;
  /** Bytes and document, as an upload writes them. */
  write(key: BlobKey, bytes: Uint8Array): Promise<void>;
  erase(key: BlobKey): Promise<void>;
}

function behaves(open: () => Promise<Store>): void {
  test("are returned byte for byte, in the order asked; null where there are none", async () => {
    const { blobs, write } = await open();
    const [a, b, none] = [keyOf("c"), keyOf("c"), keyOf("c")];
    const every = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    await write(a, every);
    await write(b, bytesOf("b"));
    expect(await blobs.get([b, none, a, b])).toEqual([bytesOf("b"), null, every, bytesOf("b")]);
    expect(await blobs.get([])).toEqual([]);
    await blobs.ping();
  });

  test("can be as large as an upload", async () => {
    const { blobs, write } = await open();
    const key = keyOf("c");
    const largest = new Uint8Array(limits.asset).map((_, at) => at % 251);
    await write(key, largest);
    expect(Buffer.compare((await blobs.get([key]))[0] ?? new Uint8Array(), largest)).toBe(0);
  });

  test("belong to one company: the same id in another has none", async () => {
    const { blobs, write } = await open();
    const key = keyOf("c");
    await write(key, bytesOf("ours"));
    expect(await blobs.get([{ ...key, companyId: "d" }])).toEqual([null]);
    await blobs.remove({ ...key, companyId: "d" });
    expect(await blobs.get([key])).toEqual([bytesOf("ours")]);
  });

  test("are gone after their removal, which can be repeated", async () => {
    const { blobs, write, erase } = await open();
    const [key, other] = [keyOf("c"), keyOf("c")];
    await write(key, bytesOf("a"));
    await write(other, bytesOf("b"));
    for (let n = 0; n < 2; n++) await erase(key);
    expect(await blobs.get([key, other])).toEqual([null, bytesOf("b")]);
  });
}

describeEachEngine<Collections>("bytes in the database", declarations, (open) => {
  behaves(async () => {
    const db = await open();
    const blobs = createDatabaseBlobs(db);
    const assets = db.collection("assets");
    return {
      blobs,
      async write(key, bytes) {
        const facts = { sha256: key._id, ext: "png", type: "image/png", size: bytes.length, uploadedBy: "u" };
        const document = { ...key, ...facts, uploaders: ["u"], createdAt: "2026-06-01T08:00:00.000Z" };
        await assets.insertOne({ ...document, ...(await blobs.put(key, bytes)) });
      },
      async erase(key) {
        await assets.deleteOne({ _id: key._id });
        await blobs.remove(key);
      },
    };
  });
});

describe("bytes in an S3 store", () => {
  const said: (string | null)[] = [];
  const open = (other: Partial<S3Settings> = {}) =>
    createS3Blobs({ ...settings, ...other }, "installation", (reason) => said.push(reason));
  beforeEach(() => {
    said.length = 0;
  });

  behaves(async () => {
    const blobs = open();
    const write = async (key: BlobKey, bytes: Uint8Array) => expect(await blobs.put(key, bytes)).toEqual({});
    return { blobs, write, erase: (key) => blobs.remove(key) };
  });

  test("are at prefix, installation, company and id, with any characters", async () => {
    const key = { companyId: "ä b+c", _id: "a(1)*'!~%2F" };
    await open().put(key, bytesOf("x"));
    expect(s3.objects.get(`files/of-sopwright/installation/${key.companyId}/${key._id}`)?.toString()).toBe("x");
    expect(await open().get([key])).toEqual([bytesOf("x")]);
    expect(await createS3Blobs({ ...settings, prefix: [] }, "other", () => undefined).get([key])).toEqual([null]);
  });

  test.each([
    ["a wrong secret", { secretAccessKey: "another" }, "403 SignatureDoesNotMatch"],
    ["a wrong key", { accessKeyId: "another" }, "403 InvalidAccessKeyId"],
    ["another region", { region: "eu-north-1" }, "403 AuthorizationHeaderMalformed"],
    ["a bucket that is not there", { bucket: "none" }, "404 NoSuchBucket"],
    ["an address where nothing listens", { endpoint: stopped.env["S3_ENDPOINT"] ?? "" }, "ECONNREFUSED"],
  ])("can't be used with %s: each call says so, and names no secret", async (_, other, reason) => {
    const blobs = open(other);
    const key = keyOf("c");
    const calls = [() => blobs.get([key]), () => blobs.put(key, bytesOf("x")), () => blobs.remove(key)];
    for (const call of calls) {
      const error = await call().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(BlobsUnavailableError);
      expect((error as Error).message).toContain(reason);
      expect(inspect(error, { depth: 9 })).not.toMatch(/wJalrXUtn|another/);
    }
    await expect(blobs.ping()).rejects.toThrow(BlobsUnavailableError);
    expect(said).toEqual([expect.stringContaining(reason)]);
  });

  test("are asked for again after 5xx, 429 and a lost connection, and never after a refusal", async () => {
    const [blobs, key] = [open(), keyOf("c")];
    for (const [status, code] of [
      [503, "SlowDown"],
      [500, "InternalError"],
      [429, "TooManyRequests"],
    ] as const) {
      s3.trouble = { status, code, times: 2 };
      await blobs.put(key, bytesOf(code));
      expect(await blobs.get([key])).toEqual([bytesOf(code)]);
    }
    expect(said).toEqual([]);
    s3.trouble = { status: 403, code: "AccessDenied", times: 1 };
    await expect(blobs.get([key])).rejects.toThrow("403 AccessDenied");
    s3.trouble = { status: 301, code: "PermanentRedirect", times: 1 };
    await expect(blobs.get([key])).rejects.toThrow("301 PermanentRedirect");
    s3.trouble = "cut";
    await expect(blobs.get([key])).rejects.toThrow(BlobsUnavailableError);
    s3.trouble = null;
    await blobs.ping();
    // once when it was lost, once when it is back
    expect(said).toEqual([expect.stringContaining("403"), null]);
  });

  test("are not received when the store answers more than any of them has", async () => {
    const key = keyOf("c");
    const file = `files/of-sopwright/installation/${key.companyId}/${key._id}`;
    s3.objects.set(file, Buffer.alloc(64 * 2 ** 20));
    await expect(open().get([key])).rejects.toThrow("it answers more than 8 MiB");
    s3.objects.delete(file);
  });

  test("are given up after ten seconds of silence", { timeout: 30_000 }, async () => {
    s3.trouble = "silent";
    await expect(open().get([keyOf("c")])).rejects.toThrow("no answer in 10 seconds");
  });
});
