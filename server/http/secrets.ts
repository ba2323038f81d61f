import { hash } from "node:crypto";

/** Hashes credentials for storage. They are random already, so a plain hash is enough. */
export function hashOf(secret: string): string {
  return hash("sha256", secret, "base64url");
}
