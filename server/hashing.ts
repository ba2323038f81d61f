import { hash } from "node:crypto";

/** @returns hex; a text counts as its UTF-8 */
export function sha256(content: Uint8Array | string): string {
  return hash("sha256", content, "hex");
}
