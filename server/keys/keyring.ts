/**
 * The server's keys: those of APP_KEYS, then those in `DATA_DIR/keys`. The first one seals and signs; all of them open
 * and verify. HKDF derives a separate key for each purpose. When `sop admin rotate-keys` adds a key, a running server
 * uses it from the next encryption on.
 */
import { createHmac, hkdfSync } from "node:crypto";
import type { Config } from "../config.ts";
import { createKeyFileIfMissing, keyFilePath, readKeyFile, fileStampOf } from "./key-file.ts";
import { parseAppKeys, type AppKey } from "./key-list.ts";
import { keyIdOf, sealText, unsealText } from "./seal.ts";
import { createSigner, type PublicKey, type Signer } from "./signing.ts";

/**
 * The result of decrypting. `unknown_key`: the key of the value is not in the ring. `damaged`: the value was changed,
 * or was encrypted for another field.
 */
export type UnsealedText =
  | { ok: true; text: string }
  | { ok: false; reason: "unknown_key" | "damaged"; kid: string | null };

export interface Keyring {
  /** The id of the key that seals and signs. */
  firstId(): string;
  /**
   * @param place the field where the value will be stored, such as `users/{id}/openaiApiKey`. The value can't be opened
   * for another field
   */
  seal(text: string, place: string): string;
  open(sealed: string, place: string): UnsealedText;
  /**
   * Like `seal`, for values that clients send back and the server doesn't store. They are too many for the key of
   * stored values.
   */
  sealForClient(text: string, place: string): string;
  openFromClient(sealed: string, place: string): UnsealedText;
  /**
   * Returns hashes of a text, one by each key, the first key's first. A task of the operator sends such a hash to prove
   * that it has the keys of this installation.
   */
  statusProofs(text: string): string[];
  /** Returns the signer of audit checkpoints, which uses the first key. */
  signing(): Signer;
  /** Returns the public keys that verify signatures by the keys in the ring, the signing key first. */
  verifyKeys(): PublicKey[];
}

interface Ring {
  keys: Map<string, Record<"sealing" | "clients" | "status", Buffer> & { signer: Signer }>;
  /** The id of the first key; "" without keys. */
  firstId: string;
}

type KeyringConfig = Pick<Config, "appKeys" | "dataDir">;

/**
 * Opens the keyring. Creates the key file if neither APP_KEYS nor the file has a key.
 * @throws ConfigError for invalid APP_KEYS, and DamagedKeysError for an unreadable file
 */
export function openOrCreateKeyring(source: KeyringConfig): Keyring {
  if (!hasKeys(source)) createKeyFileIfMissing(keyFilePath(source.dataDir));
  return readKeyring(source);
}

export function hasKeys({ appKeys, dataDir }: KeyringConfig): boolean {
  return appKeys !== null || readKeyFile(keyFilePath(dataDir)).length > 0;
}

/**
 * Reads the keyring. If neither APP_KEYS nor the file has a key, `seal` and `signing` of the keyring throw, and `open`
 * opens nothing.
 */
export function readKeyring({ appKeys, dataDir }: KeyringConfig): Keyring {
  const file = keyFilePath(dataDir);
  const given = parseAppKeys(appKeys);
  let stamp = fileStampOf(file);
  let ring = createRing([...given, ...readKeyFile(file)]);
  const currentRing = (): Ring => {
    const now = fileStampOf(file);
    if (now !== stamp) {
      const changed = [...given, ...readKeyFile(file)];
      // if the file is lost while the server runs, the server still has its keys in memory
      if (changed.length > 0) ring = createRing(changed);
      stamp = now;
    }
    return ring;
  };
  const sealBy = (purpose: "sealing" | "clients") => (text: string, place: string) => {
    const { keys, firstId } = currentRing();
    return sealText(text, place, firstId, keyWithId(keys, firstId)[purpose]);
  };
  const openBy =
    (purpose: "sealing" | "clients") =>
    (sealed: string, place: string): UnsealedText => {
      const kid = keyIdOf(sealed);
      if (kid === null) return { ok: false, reason: "damaged", kid };
      const key = currentRing().keys.get(kid);
      if (!key) return { ok: false, reason: "unknown_key", kid };
      const text = unsealText(sealed, place, kid, key[purpose]);
      return text === null ? { ok: false, reason: "damaged", kid } : { ok: true, text };
    };
  return {
    firstId: () => currentRing().firstId,
    seal: sealBy("sealing"),
    open: openBy("sealing"),
    sealForClient: sealBy("clients"),
    openFromClient: openBy("clients"),
    statusProofs: (text) =>
      [...currentRing().keys.values()].map(({ status }) =>
        createHmac("sha256", status).update(text).digest("base64url"),
      ),
    signing() {
      const { keys, firstId } = currentRing();
      return keyWithId(keys, firstId).signer;
    },
    verifyKeys: () =>
      [...currentRing().keys.values()].map(({ signer: { kid, publicKeyPem } }) => ({ kid, publicKeyPem })),
  };
}

function createRing(all: readonly AppKey[]): Ring {
  const keys: Ring["keys"] = new Map();
  for (const { id, secret } of all) {
    // APP_KEYS come first and win over a key of the file with the same id
    if (keys.has(id)) continue;
    keys.set(id, {
      sealing: deriveKey(secret, "seal"),
      clients: deriveKey(secret, "seal-for-clients"),
      status: deriveKey(secret, "status"),
      signer: createSigner(id, deriveKey(secret, "sign-checkpoints")),
    });
  }
  const [firstId] = keys.keys();
  return { keys, firstId: firstId ?? "" };
}

function keyWithId(keys: Ring["keys"], id: string) {
  const key = keys.get(id);
  if (!key) throw new Error(id === "" ? "the keyring holds no key" : `the keyring lost its key ${id}`);
  return key;
}

function deriveKey(secret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `sopwright/${purpose}/v1`, 32));
}
