/** Computes the hash of git's objects. SHA-1 is too weak for any other use. */
import { createHash } from "node:crypto";
import type { Sha1 } from "#core/repository/objects.ts";

export const sha1: Sha1 = (...parts) => {
  const hasher = createHash("sha1");
  for (const part of parts) hasher.update(part);
  return hasher.digest("hex");
};
