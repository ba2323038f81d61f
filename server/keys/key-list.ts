/** Parses and writes `kid:base64,…`, the form of keys in APP_KEYS and in the key file. */
import { randomBytes } from "node:crypto";
import { ConfigError } from "../config.ts";

export interface AppKey {
  /** The name of the key in sealed values. */
  id: string;
  secret: Buffer;
}

const keyBytes = 32;

/**
 * Parses a list of keys.
 * @throws ConfigError that names the source of the text, but never its content
 */
export function parseKeys(text: string, source: string): AppKey[] {
  const keys: AppKey[] = [];
  for (const entry of text.split(/[,\n]/).map((part) => part.trim())) {
    if (entry === "") continue;
    const [, id, encoded] = /^([\w.-]{1,60}):([A-Za-z0-9+/]{43}=?)$/.exec(entry) ?? [];
    if (id === undefined || encoded === undefined) {
      throw new ConfigError([`${source}: expected kid:base64,… with keys of ${keyBytes} bytes`]);
    }
    if (keys.some((key) => key.id === id)) throw new ConfigError([`${source}: the key id ${id} appears twice`]);
    keys.push({ id, secret: Buffer.from(encoded, "base64") });
  }
  return keys;
}

/**
 * Parses APP_KEYS; no keys for null.
 * @throws ConfigError for an invalid list, and for one key under two names, because a rotation between the two would
 * change nothing
 */
export function parseAppKeys(appKeys: string | null): AppKey[] {
  if (appKeys === null) return [];
  const keys = parseKeys(appKeys, "APP_KEYS");
  for (const { id, secret } of keys) {
    const same = keys.find((key) => key.secret.equals(secret))?.id;
    if (same !== id) throw new ConfigError([`APP_KEYS: the keys ${same} and ${id} have the same value`]);
  }
  return keys;
}

export function newKey(): AppKey {
  return { id: `k${randomBytes(4).toString("hex")}`, secret: randomBytes(keyBytes) };
}

export function formatKeys(keys: readonly AppKey[]): string {
  return keys.map(({ id, secret }) => `${id}:${secret.toString("base64")}\n`).join("");
}
