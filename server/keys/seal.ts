/**
 * Encrypts with AES-256-GCM. The key's id and the field of the value are part of the authenticated data
 * (`docs/security.md`).
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const nonceBytes = 12;
const tagBytes = 16;

/** @returns `v1.{kid}.{nonce}.{ct}.{tag}`, the last three in base64url */
export function sealText(text: string, place: string, kid: string, key: Buffer): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(`${place}/${kid}`));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  const parts = [nonce, sealed, cipher.getAuthTag()].map((bytes) => bytes.toString("base64url"));
  return ["v1", kid, ...parts].join(".");
}

/**
 * Decrypts a value.
 * @returns null when the value was changed, cut or encrypted for another field
 */
export function unsealText(sealed: string, place: string, kid: string, key: Buffer): string | null {
  const [nonce, text, tag] = sealed
    .split(".")
    .slice(-3)
    .map((part) => Buffer.from(part, "base64url"));
  if (nonce?.length !== nonceBytes || !text || tag?.length !== tagBytes) return null;
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes })
      .setAAD(Buffer.from(`${place}/${kid}`))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}

/**
 * Returns the id of an encrypted value's key. The id can contain dots.
 * @returns null for other values
 */
export function keyIdOf(sealed: string): string | null {
  return /^v1\.([\w.-]{1,60})\.[\w-]{16}\.[\w-]*\.[\w-]{22}$/.exec(sealed)?.[1] ?? null;
}
