/**
 * Lists the assets, versions and events that notes replace in a repository, because they can't be read or were altered.
 * Such a repository differs from the ledger. Its commits aren't recorded, mirrored or copied, and it is rebuilt once
 * all parts can be read again.
 */
import { existsSync } from "node:fs";
import type { RepoEvent } from "#core/repository/event.ts";
import { DamagedDocumentError } from "../database/port.ts";
import { writeAtomically } from "./atomic-fs.ts";
import { readIfThere, type Disk } from "./disk.ts";
import { sha256 } from "../hashing.ts";
import type { Ledger } from "./ledger.ts";

export type StandIn =
  | { kind: "asset"; sha256: string }
  | { kind: "version"; sopId: string; version: number; contentHash: string | null }
  /** `digest` is the hash of an event that was committed with other content; null for an event that can't be read. */
  | { kind: "event"; seq: number; digest: string | null };

/** The parts that a file can replace: an asset or a version. */
export type FileStandIn = Exclude<StandIn, { kind: "event" }>;

const standInsFile = (gitdir: string) => `${gitdir}/stand-ins.json`;
const encoder = new TextEncoder();

const notes = {
  asset: "The bytes of this file can't be read on the server. Upload it again to repair it.\n",
  version: "The text of this version can't be read on the server. Ask an administrator to restore it.\n",
} as const;

/** Returns the text of the note that replaces an asset or a version. */
export function standInNote({ kind }: FileStandIn): Uint8Array {
  return encoder.encode(notes[kind]);
}

/** Returns the name of the part that a note replaces, for messages. */
export function standInName(one: StandIn): string {
  if (one.kind === "event") return `event ${one.seq}`;
  return one.kind === "asset" ? `file ${one.sha256}` : `version ${one.version} of SOP ${one.sopId}`;
}

export function eventDigest(event: RepoEvent): string {
  return sha256(encoder.encode(JSON.stringify(event)));
}

/**
 * Says whether the part is still missing or damaged in the ledger; for an event, whether it is still unreadable or
 * altered.
 */
export async function isStillMissing(ledger: Ledger, companyId: string, one: StandIn): Promise<boolean> {
  if (one.kind === "event") {
    const [event] = await ledger.events(companyId, one.seq, 1);
    return (event?.seq === one.seq ? eventDigest(event) : null) === one.digest;
  }
  const bytes = await readUndamagedPart(ledger, companyId, one);
  return bytes === null;
}

/**
 * Reads an asset or a version's file.
 * @returns null if it is missing or damaged
 * @throws temporary errors, such as DatabaseUnavailableError
 */
export async function readUndamagedPart(
  ledger: Ledger,
  companyId: string,
  one: FileStandIn,
): Promise<Uint8Array | null> {
  try {
    const bytes =
      one.kind === "asset"
        ? await ledger.asset(companyId, one.sha256)
        : await readLedgerVersion(ledger, companyId, one);
    const hash = one.kind === "asset" ? one.sha256 : one.contentHash;
    return bytes === null || (hash !== null && sha256(bytes) !== hash) ? null : bytes;
  } catch (error) {
    if (error instanceof DamagedDocumentError) return null;
    throw error;
  }
}

async function readLedgerVersion(
  ledger: Ledger,
  companyId: string,
  { sopId, version }: { sopId: string; version: number },
): Promise<Uint8Array | null> {
  const [bytes] = await ledger.files(companyId, [{ sopId, version }]);
  return bytes ?? null;
}

/** Says whether notes replace parts of the repository. */
export function hasStandIns(gitdir: string): boolean {
  return existsSync(standInsFile(gitdir));
}

export async function readStandIns(disk: Disk, gitdir: string): Promise<StandIn[]> {
  const text = await readIfThere(disk, standInsFile(gitdir));
  return text === null ? [] : (JSON.parse(text.toString("utf8")) as StandIn[]);
}

/**
 * Stores the list of parts that notes replace. Call it before the refs move: after a crash, commits with notes would
 * otherwise look like commits of the ledger.
 */
export async function writeStandIns(disk: Disk, gitdir: string, all: readonly StandIn[]): Promise<void> {
  await writeAtomically(disk, `${gitdir}/objects`, standInsFile(gitdir), JSON.stringify(all));
}
