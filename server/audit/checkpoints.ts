/**
 * Signs checkpoints, which state a chain's length. Writes them to the database, to a file outside it, and to the
 * server's output.
 */
import { mkdir, open } from "node:fs/promises";
import path from "node:path";
import {
  checkpointHash,
  checkpointText,
  keysDigest,
  sealText,
  type Checkpoint,
  type NamedKey,
  type Seal,
  type Unsigned,
} from "#core/audit/chain.ts";
import type { Clock } from "#core/clock.ts";
import type { CheckpointDocument, Collections } from "../database/documents.ts";
import { DuplicateKeyError, type CompanyStore, type Database } from "../database/port.ts";
import type { Keyring } from "../keys/keyring.ts";
import { chainPendingRows, chainGenesisOf, loadChainHead, type AuditHead } from "./chain.ts";
import { recordAudit } from "./record.ts";
import { sha256 } from "../hashing.ts";

export interface CheckpointOptions {
  db: Database<Collections>;
  clock: Clock;
  keys: Pick<Keyring, "signing" | "verifyKeys">;
  dataDir: string;
  /** Gets every checkpoint as a line. */
  announce: (line: string) => void;
}

export const checkpointFilePath = (dataDir: string) => path.join(dataDir, "audit-checkpoints.ndjson");

function loadLastCheckpoint(store: CompanyStore<Collections>): Promise<CheckpointDocument | null> {
  return store.collection("audit_checkpoints").findOne({}, { sort: { seq: -1 } });
}

/** Loads the newest checkpoint that can be read. Only the entries after that checkpoint need another one. */
export async function loadLastReadableCheckpoint(store: CompanyStore<Collections>): Promise<CheckpointDocument | null> {
  const [last = null] = await store.collection("audit_checkpoints").find({}, { sort: { seq: -1 }, limit: 1 });
  return last;
}

/**
 * Signs the present head of the company's chain and stores the checkpoint, unless the head is signed already. Before
 * the first signature of a key, records that key in the chain.
 * @returns the head
 */
export async function makeCheckpoint(options: CheckpointOptions, companyId: string): Promise<AuditHead> {
  const { db, clock, keys } = options;
  const store = db.forCompany(companyId);
  const before = await loadLastCheckpoint(store);
  const { kid, publicKeyPem, sign } = keys.signing();
  if (before?.kid !== kid) await recordSigningKey(db, clock, companyId, { kid, publicKeyPem });
  const head = await loadChainHead(
    store,
    chainGenesisOf(companyId, await db.collection("companies").findOne({ _id: companyId })),
  );
  if (head.seq === 0 || head.seq === before?.seq) return head;
  const unsigned: Unsigned<Checkpoint> = {
    companyId,
    seq: head.seq,
    head: head.hash,
    at: clock.now(),
    prevCheckpointHash: before ? checkpointHash(before, sha256) : null,
    kid,
  };
  const signature = Buffer.from(sign(Buffer.from(checkpointText(unsigned)))).toString("hex");
  const checkpoint: Checkpoint = { ...unsigned, signature };
  // write the file first: a checkpoint that only the file has is valid too
  await appendCheckpoint(options.dataDir, `${JSON.stringify(checkpoint)}\n`);
  options.announce(`audit checkpoint ${JSON.stringify(checkpoint)}`);
  try {
    // the id names the previous checkpoint, so that only one can follow it
    const _id = `${companyId}:after:${before?.seq ?? 0}`;
    await store.collection("audit_checkpoints").insertOne({ _id, ...checkpoint });
  } catch (error) {
    // another server has just signed this head, or an earlier head
    if (!(error instanceof DuplicateKeyError)) throw error;
  }
  return head;
}

async function recordSigningKey(
  db: Database<Collections>,
  clock: Clock,
  companyId: string,
  key: NamedKey,
): Promise<void> {
  await recordAudit(db, {
    companyId,
    userId: null,
    userName: null,
    action: "audit.key",
    entityType: "key",
    entityId: key.kid,
    changes: { publicKey: key.publicKeyPem },
    at: clock.now(),
    origin: null,
  });
  await chainPendingRows(db, companyId, 1_000);
}

async function appendCheckpoint(dataDir: string, line: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const file = await open(checkpointFilePath(dataDir), "a+", 0o600);
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(1), position: Math.max(0, size - 1) });
    // a crash has cut off the end of the last line
    const cut = bytesRead === 1 && buffer[0] !== 0x0a;
    await file.writeFile(cut ? `\n${line}` : line);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Signs the seal of an export, which proves that the export is complete up to `head`. */
export function createExportSeal(
  keys: Pick<Keyring, "signing" | "verifyKeys">,
  sealed: Pick<Seal, "companyId" | "createdAt" | "at" | "checkpoints"> & { head: AuditHead },
): Seal {
  const { kid, sign } = keys.signing();
  const { head, ...rest } = sealed;
  const unsigned = { ...rest, seq: head.seq, head: head.hash, keys: keysDigest(keys.verifyKeys(), sha256), kid };
  return { ...unsigned, signature: Buffer.from(sign(Buffer.from(sealText(unsigned)))).toString("hex") };
}
