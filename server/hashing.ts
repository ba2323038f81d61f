import { hash } from "node:crypto";

/** Returns the SHA-256 hash of bytes, or of a text as UTF-8. */
export function sha256(content: Uint8Array | string, encoding: "hex" | "base64" | "base64url" = "hex"): string {
  return hash("sha256", content, encoding);
}
