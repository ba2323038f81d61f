/** Writes single versions as loose objects through isomorphic-git, on the atomic `fs`. */
import { promisify } from "node:util";
import { deflate, deflateSync } from "node:zlib";
import * as isomorphic from "isomorphic-git";
import { objectHeader, type ObjectType } from "#core/repository/objects.ts";
import { atomicFs } from "./atomic-fs.ts";
import type { Disk } from "./disk.ts";

export interface NewObject {
  type: ObjectType;
  oid: string;
  content: Uint8Array;
}

const deflateAside = promisify<Uint8Array, { level: number }, Buffer>(deflate);
/** Below this, compressing here is quicker than a trip to the thread pool. */
const smallObject = 64 * 1024;
// Loose objects live until the next repack, which compresses better: speed counts.
const level = 1;

/** Writes all objects side by side; their order does not matter before the ref moves. */
export async function writeLoose(disk: Disk, gitdir: string, objects: readonly NewObject[]): Promise<void> {
  const fs = atomicFs(disk, gitdir);
  const written = await Promise.allSettled(
    objects.map(async ({ type, oid, content }) => {
      const object = await compressed(Buffer.concat([objectHeader(type, content.length), content]));
      await isomorphic.writeObject({ fs, gitdir, type, oid, object, format: "deflated" });
    }),
  );
  // Nothing of a failed batch may still be under way when the caller goes on.
  for (const result of written) if (result.status === "rejected") throw result.reason;
}

function compressed(bytes: Buffer): Promise<Buffer> | Buffer {
  return bytes.length < smallObject ? deflateSync(bytes, { level }) : deflateAside(bytes, { level });
}
