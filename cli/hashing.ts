import { hash } from "node:crypto";

/** Returns the SHA-256 of bytes, or of a text as UTF-8. */
export function sha256Of(content: Uint8Array | string, encoding: "hex" | "base64" = "hex"): string {
  return hash("sha256", content, encoding);
}
