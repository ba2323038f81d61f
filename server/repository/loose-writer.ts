/** Writes all loose objects of repositories, through isomorphic-git on the atomic `fs`. Git makes the packs. */
import { promisify } from "node:util";
import { deflate, deflateSync } from "node:zlib";
import * as isomorphic from "isomorphic-git";
import { objectHeader, objectId, type ObjectType } from "#core/repository/objects.ts";
import type { ObjectSink } from "#core/repository/tree.ts";
import { createAtomicFs } from "./atomic-fs.ts";
import type { Disk } from "./disk.ts";
import { sha1 } from "./sha1.ts";

export interface NewObject {
  type: ObjectType;
  oid: string;
  content: Uint8Array;
}

/**
 * The compression of loose objects. Speed matters more than size, because git later packs them with better compression.
 */
const fastest = { level: 1 };
const deflateAside = promisify<Uint8Array, { level: number }, Buffer>(deflate);
/** The size in bytes below which compressing in this thread is faster than in the thread pool. */
const smallObject = 64 * 1024;

/** Writes all objects at once. Their order doesn't matter before the ref moves. */
export async function writeLooseObjects(disk: Disk, gitdir: string, objects: readonly NewObject[]): Promise<void> {
  const fs = createAtomicFs(disk, gitdir);
  const written = await Promise.allSettled(
    objects.map(async ({ type, oid, content }) => {
      const bytes = Buffer.concat([objectHeader(type, content.length), content]);
      const object = bytes.length < smallObject ? deflateSync(bytes, fastest) : await deflateAside(bytes, fastest);
      await isomorphic.writeObject({ fs, gitdir, type, oid, object, format: "deflated" });
    }),
  );
  // all writes must have ended, so that no write of a failed batch still runs when the caller continues
  for (const result of written) if (result.status === "rejected") throw result.reason;
}

export interface ObjectWriter {
  /** Adds an object that the next `flush` writes. */
  add: ObjectSink;
  /**
   * Writes a blob at once, so that only one blob is in memory.
   * @returns the blob's id
   */
  blob(content: Uint8Array): Promise<string>;
  flush(): Promise<void>;
}

export function createObjectWriter(disk: Disk, gitdir: string): ObjectWriter {
  let added: NewObject[] = [];
  return {
    add: (type, oid, content) => void added.push({ type, oid, content }),
    async blob(content) {
      const oid = objectId("blob", content, sha1);
      await writeLooseObjects(disk, gitdir, [{ type: "blob", oid, content }]);
      return oid;
    },
    flush() {
      const objects = added;
      added = [];
      return writeLooseObjects(disk, gitdir, objects);
    },
  };
}
