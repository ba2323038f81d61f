/** Writes single versions as loose objects through isomorphic-git, on the atomic `fs`. */
import * as isomorphic from "isomorphic-git";
import { objectHeader, type ObjectType } from "#core/repository/objects.ts";
import { atomicFs } from "./atomic-fs.ts";
import { compress } from "./compress.ts";
import type { Disk } from "./disk.ts";

export interface NewObject {
  type: ObjectType;
  oid: string;
  content: Uint8Array;
}

/** Writes all objects side by side; their order does not matter before the ref moves. */
export async function writeLoose(disk: Disk, gitdir: string, objects: readonly NewObject[]): Promise<void> {
  const fs = atomicFs(disk, gitdir);
  const written = await Promise.allSettled(
    objects.map(async ({ type, oid, content }) => {
      const object = await compress(Buffer.concat([objectHeader(type, content.length), content]));
      await isomorphic.writeObject({ fs, gitdir, type, oid, object, format: "deflated" });
    }),
  );
  // Nothing of a failed batch may still be under way when the caller goes on.
  for (const result of written) if (result.status === "rejected") throw result.reason;
}
