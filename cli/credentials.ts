/** Stores tokens in the system's keyring, or else in a file that only its owner can read. */
import { join } from "node:path";
import { invalidInputError } from "./exit.ts";
import { readIfExists, writeFileAtomically } from "./files.ts";
import { homeFolder } from "./home.ts";

export interface SavedCredential {
  server: string;
  username: string;
  token: string;
  /** Absent if the user created the token elsewhere: `logout` then has no token to revoke. */
  tokenId?: string;
  expiresAt?: string;
}

type StoredCredential = Omit<SavedCredential, "token"> & { token?: string };

interface CredentialFile {
  version: 1;
  /** The key of the default sign-in, used by commands that name no server and no profile. */
  current: string | null;
  /** Sign-ins by profile, or by server if they have no profile. */
  entries: Record<string, StoredCredential>;
}

const keyringService = "sopwright";

function credentialPath(env: NodeJS.ProcessEnv): string {
  const base =
    env["XDG_CONFIG_HOME"] || (process.platform === "win32" && env["APPDATA"]) || join(homeFolder(), ".config");
  return join(base, "sopwright", "credentials.json");
}

export interface FoundCredential extends Omit<SavedCredential, "token"> {
  key: string;
  /** Null if the keyring no longer has the token. */
  token: string | null;
}

/** Finds a sign-in by its profile. Without a profile, finds the default sign-in, or the sign-in at the given server. */
export async function findCredential(
  env: NodeJS.ProcessEnv,
  by: { profile?: string | undefined; server?: string | undefined },
): Promise<FoundCredential | null> {
  const { entries, current } = await loadCredentials(env);
  const key = by.profile ?? credentialKeyOf(entries, current, by.server);
  const entry = key === undefined ? undefined : entries[key];
  if (key === undefined || entry === undefined) return null;
  return { ...entry, key, token: entry.token ?? (await readKeyringToken(env, key)) };
}

function credentialKeyOf(
  entries: Record<string, StoredCredential>,
  current: string | null,
  server?: string,
): string | undefined {
  if (current !== null && (server === undefined || entries[current]?.server === server)) return current;
  return server === undefined || entries[server]?.server === server
    ? server
    : Object.keys(entries).find((key) => entries[key]?.server === server);
}

/**
 * Stores a sign-in. A sign-in without a profile becomes the default; one with a profile only if `makeDefault` is set.
 * @returns where the token is: `keyring`, or the file's path
 */
export async function storeCredential(
  env: NodeJS.ProcessEnv,
  credential: SavedCredential,
  { profile, makeDefault = false }: { profile?: string | undefined; makeDefault?: boolean | undefined } = {},
): Promise<string> {
  const file = await loadCredentials(env);
  const key = profile ?? credential.server;
  const { token, ...stored } = credential;
  const inKeyring = await storeKeyringToken(env, key, token);
  const entries = { ...file.entries, [key]: inKeyring ? stored : credential };
  const current = profile === undefined || makeDefault ? key : file.current;
  await saveCredentials(env, { version: 1, current, entries });
  return inKeyring ? "keyring" : credentialPath(env);
}

export async function deleteCredential(env: NodeJS.ProcessEnv, key: string): Promise<void> {
  const file = await loadCredentials(env);
  const entries = Object.fromEntries(Object.entries(file.entries).filter(([name]) => name !== key));
  await saveCredentials(env, { version: 1, current: file.current === key ? null : file.current, entries });
  if (file.entries[key]?.token === undefined) (await openKeyringEntry(env, key))?.deletePassword();
}

async function loadCredentials(env: NodeJS.ProcessEnv): Promise<CredentialFile> {
  const path = credentialPath(env);
  const bytes = await readIfExists(path);
  if (bytes === null) return { version: 1, current: null, entries: {} };
  try {
    const file = JSON.parse(bytes.toString("utf8")) as CredentialFile;
    if (file.version === 1 && typeof file.entries === "object") return file;
  } catch {
    // The throw below reports a file that isn't JSON and says what to do.
  }
  throw invalidInputError("credentials", `${path}: not a file of sign-ins`, {
    path,
    hint: "delete it and run `sop login`",
  });
}

function saveCredentials(env: NodeJS.ProcessEnv, file: CredentialFile): Promise<void> {
  return writeFileAtomically(credentialPath(env), `${JSON.stringify(file, null, 2)}\n`, 0o600);
}

/**
 * Opens the entry of a sign-in in the system's keyring. Returns null if the system has no keyring, or SOP_KEYRING is
 * `off`. On Linux only the Secret Service is used, because the kernel's keyring loses the token at the end of the
 * session.
 */
async function openKeyringEntry(env: NodeJS.ProcessEnv, key: string) {
  if (env["SOP_KEYRING"] === "off") return null;
  try {
    const { Entry } = await import("@napi-rs/keyring");
    return new Entry(keyringService, key, { linux: { store: "secret-service" } });
  } catch {
    return null;
  }
}

async function readKeyringToken(env: NodeJS.ProcessEnv, key: string): Promise<string | null> {
  try {
    return (await openKeyringEntry(env, key))?.getPassword() ?? null;
  } catch {
    return null;
  }
}

async function storeKeyringToken(env: NodeJS.ProcessEnv, key: string, token: string): Promise<boolean> {
  try {
    const entry = await openKeyringEntry(env, key);
    entry?.setPassword(token);
    return entry?.getPassword() === token;
  } catch {
    return false;
  }
}
