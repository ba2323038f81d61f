/** Encrypts the server's keys for a backup, with a key that scrypt derives from a passphrase. */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { AppError } from "#core/errors.ts";
import { readKeyFile, keyFilePath } from "../keys/key-file.ts";
import { parseAppKeys, parseKeys, formatKeys, type AppKey } from "../keys/key-list.ts";
import type { Config } from "../config.ts";
import type { SealedKeys } from "./format.ts";
import { refusals } from "./refusals.ts";

/** OWASP's first recommendation for scrypt. Each guess of a passphrase takes 128 MiB of memory. */
const cost = { N: 2 ** 17, r: 8, p: 1 };
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const context = Buffer.from("sopwright/backup-keys/v1");

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);
const keyFromPassphrase = (passphrase: string, salt: Buffer) =>
  derive(passphrase.normalize("NFC"), salt, keyBytes, { ...cost, maxmem: 256 * cost.N * cost.r });

/** Reads the keys of APP_KEYS, then those of the file of keys. The server uses the keys in this order. */
export function readCurrentKeys({ appKeys, dataDir }: Pick<Config, "appKeys" | "dataDir">): AppKey[] {
  const given = parseAppKeys(appKeys);
  const ids = new Set(given.map(({ id }) => id));
  return [...given, ...readKeyFile(keyFilePath(dataDir)).filter(({ id }) => !ids.has(id))];
}

export async function sealKeys(keys: readonly AppKey[], passphrase: string): Promise<SealedKeys> {
  const [salt, nonce] = [randomBytes(16), randomBytes(nonceBytes)];
  const cipher = createCipheriv("aes-256-gcm", await keyFromPassphrase(passphrase, salt), nonce).setAAD(context);
  const text = Buffer.concat([cipher.update(formatKeys(keys), "utf8"), cipher.final()]);
  const base64 = { salt, nonce, text, tag: cipher.getAuthTag() };
  const encoded = Object.entries(base64).map(([name, bytes]) => [name, bytes.toString("base64")]);
  return { kdf: "scrypt", cost, cipher: "aes-256-gcm", ...Object.fromEntries(encoded) } as SealedKeys;
}

/**
 * Decrypts the keys of a backup.
 * @throws AppError forbidden for a wrong passphrase or altered keys: decryption can't tell them apart
 */
export async function openKeys(sealed: SealedKeys, passphrase: string): Promise<AppKey[]> {
  const [salt, nonce, text, tag] = (["salt", "nonce", "text", "tag"] as const).map((name) =>
    Buffer.from(sealed[name], "base64"),
  ) as [Buffer, Buffer, Buffer, Buffer];
  // accept only this cost, because a larger cost in a malicious file could use up the memory
  const isKnown = sealed.kdf === "scrypt" && sealed.cipher === "aes-256-gcm" && isSameCost(sealed.cost, cost);
  if (!isKnown || nonce.length !== nonceBytes || tag.length !== tagBytes)
    throw new AppError("damaged", refusals.unknownEncryption());
  const decipher = createDecipheriv("aes-256-gcm", await keyFromPassphrase(passphrase, salt), nonce, {
    authTagLength: tagBytes,
  })
    .setAAD(context)
    .setAuthTag(tag);
  let opened: string;
  try {
    opened = Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8");
  } catch {
    throw new AppError("forbidden", refusals.wrongPassphrase());
  }
  return parseKeys(opened, "the keys in the backup");
}

function isSameCost(a: typeof cost | undefined, b: typeof cost): boolean {
  return a?.N === b.N && a.r === b.r && a.p === b.p;
}
