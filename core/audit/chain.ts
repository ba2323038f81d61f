/**
 * A company's audit log as a hash chain with signed checkpoints (`docs/spec/audit-log.md`). Everything hashed or signed is
 * text in UTF-8, so that anybody can compute it again with any tools.
 */
import { canonicalJson } from "./canonical.ts";

/** SHA-256 of a text in UTF-8, as 64 hexadecimal digits; handed in, since core knows no platform. */
export type Sha256 = (text: string) => string;

/** What stands beside the chain and can be erased: the chain holds only its salted digest. */
export interface AuditPayload {
  userName: string | null;
  changes: Record<string, unknown> | null;
  ipAddress: string | null;
  userAgent: string | null;
}

/** What the chain covers. */
export interface ChainRow {
  v: 1;
  id: string;
  companyId: string;
  seq: number;
  createdAt: string;
  userId: string | null;
  action: string;
  entityType: string;
  entityId: string | null;
  requestId: string | null;
  payloadDigest: string;
  prevHash: string;
}

/** A row with all it takes to verify it; salt and payload are null once they were erased. */
export interface ProofRow {
  row: ChainRow;
  hash: string;
  salt: string | null;
  payload: AuditPayload | null;
}

/** What a company's log starts from. */
export interface Genesis {
  companyId: string;
  /** When the company was made: a log can't be moved to a company made later. */
  createdAt: string;
}

/** How far the chain had come at a moment, signed. */
export interface Checkpoint {
  companyId: string;
  seq: number;
  head: string;
  at: string;
  prevCheckpointHash: string | null;
  kid: string;
  /** Ed25519 over `checkpointText`, as 128 lower-case hexadecimal digits. */
  signature: string;
}

/** What an exported log is complete by: how far it goes, how many checkpoints and which keys it carries, signed. */
export interface Seal {
  companyId: string;
  createdAt: string;
  at: string;
  seq: number;
  head: string;
  checkpoints: number;
  /** `keysDigest` of the public keys it carries. */
  keys: string;
  kid: string;
  signature: string;
}

export type Unsigned<T extends { signature: string }> = Omit<T, "signature">;

/** What row 1 names as the hash before it. */
export function genesisHash({ companyId, createdAt }: Genesis, sha256: Sha256): string {
  return sha256(`sop-audit-genesis/v1\0${canonicalJson({ companyId, createdAt })}`);
}

/** @param salt 32 hexadecimal digits */
export function payloadDigest(salt: string, payload: AuditPayload, sha256: Sha256): string {
  return sha256(salt + canonicalJson(payload));
}

export function rowHash(row: ChainRow, sha256: Sha256): string {
  return sha256(`sop-audit/v1\0${row.companyId}${row.seq}${row.prevHash}${canonicalJson(row)}`);
}

/** What a checkpoint's signature covers. */
export function checkpointText({ companyId, seq, head, at, prevCheckpointHash, kid }: Unsigned<Checkpoint>): string {
  return `sop-audit-checkpoint/v1\0${canonicalJson({ companyId, seq, head, at, prevCheckpointHash, kid })}`;
}

/** What the next checkpoint names this one by. */
export function checkpointHash(checkpoint: Checkpoint, sha256: Sha256): string {
  return sha256(checkpointText(checkpoint) + checkpoint.signature);
}

export interface NamedKey {
  kid: string;
  publicKeyPem: string;
}

export function keysDigest(keys: readonly NamedKey[], sha256: Sha256): string {
  return sha256(canonicalJson(keys));
}

/** What a seal's signature covers. */
export function sealText(seal: Unsigned<Seal>): string {
  const { companyId, createdAt, at, seq, head, checkpoints, keys, kid } = seal;
  return `sop-audit-export/v1\0${canonicalJson({ companyId, createdAt, at, seq, head, checkpoints, keys, kid })}`;
}
