import { hash } from "node:crypto";

/** How what signs somebody in is stored: random already, so a plain hash is enough. */
export function hashOf(secret: string): string {
  return hash("sha256", secret, "base64url");
}
