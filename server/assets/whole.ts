import { createHash } from "node:crypto";

/** Whether stored bytes are those that were uploaded. */
export function isWhole(sha256: string, bytes: Uint8Array): boolean {
  return createHash("sha256").update(bytes).digest("hex") === sha256;
}
