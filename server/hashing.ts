import { hash } from "node:crypto";

/** @returns the hash in hex; a text is hashed in UTF-8 */
export function sha256(content: Uint8Array | string): string {
  return hash("sha256", content, "hex");
}
