/** Ed25519 keys derived from the keyring. They need no storage, and each rotation brings a new one. */
import { createPrivateKey, createPublicKey, sign } from "node:crypto";

export interface PublicKey {
  kid: string;
  publicKeyPem: string;
}

export interface Signer extends PublicKey {
  /** @returns the signature of 64 bytes */
  sign(bytes: Uint8Array): Uint8Array;
}

/** The PKCS #8 prefix of a raw Ed25519 seed (RFC 8410 §7). */
const pkcs8 = Buffer.from("302e020100300506032b657004220420", "hex");

export function createSigner(kid: string, seed: Uint8Array): Signer {
  const key = createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: "der", type: "pkcs8" });
  const publicKeyPem = createPublicKey(key).export({ type: "spki", format: "pem" }).toString();
  return { kid, publicKeyPem, sign: (bytes) => sign(null, bytes, key) };
}
