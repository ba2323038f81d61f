/**
 * A company's audit log as a hash chain with signed checkpoints (`docs/spec/audit-log.md`). All hashed or signed data
 * is text in UTF-8, so that other tools can compute it again.
 */

/**
 * Computes the SHA-256 of a text in UTF-8, as 64 hexadecimal digits. Callers provide the function, because this code
 * runs in Node and in browsers.
 */
export type Sha256 = (text: string) => string;

/** Data outside the chain that can be erased. The chain holds only its salted digest. */
export interface AuditPayload {
  userName: string | null;
  changes: Record<string, unknown> | null;
  ipAddress: string | null;
  userAgent: string | null;
}

/** The fields that the chain covers. */
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

/** A row with the data that verifies it. Salt and payload are null after the payload was erased. */
export interface ProofRow {
  row: ChainRow;
  hash: string;
  salt: string | null;
  payload: AuditPayload | null;
}

/** The start of a company's log. */
export interface Genesis {
  companyId: string;
  /** The time when the company was created. It is hashed, so that a log can't be moved to a company created later. */
  createdAt: string;
}

/** The signed length and hash of the chain at one moment. */
export interface Checkpoint {
  companyId: string;
  seq: number;
  head: string;
  at: string;
  prevCheckpointHash: string | null;
  kid: string;
  /** The Ed25519 signature of `checkpointText`, as 128 lower-case hexadecimal digits. */
  signature: string;
}

/**
 * The signed end of an exported log: its last row, the number of its checkpoints, and its keys. It proves that the
 * export is complete.
 */
export interface Seal {
  companyId: string;
  createdAt: string;
  at: string;
  seq: number;
  head: string;
  checkpoints: number;
  /** The `keysDigest` of the public keys in the export. */
  keys: string;
  kid: string;
  signature: string;
}

export type Unsigned<T extends { signature: string }> = Omit<T, "signature">;

/** Returns the hash that row 1 has as the hash of its previous row. */
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

/** Returns the text that a checkpoint's signature covers. */
export function checkpointText({ companyId, seq, head, at, prevCheckpointHash, kid }: Unsigned<Checkpoint>): string {
  return `sop-audit-checkpoint/v1\0${canonicalJson({ companyId, seq, head, at, prevCheckpointHash, kid })}`;
}

/** Returns the hash by which the next checkpoint refers to this one. */
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

/** Returns the text that a seal's signature covers. */
export function sealText(seal: Unsigned<Seal>): string {
  const { companyId, createdAt, at, seq, head, checkpoints, keys, kid } = seal;
  return `sop-audit-export/v1\0${canonicalJson({ companyId, createdAt, at, seq, head, checkpoints, keys, kid })}`;
}

/**
 * Writes JSON in canonical form for hashing (RFC 8785): members sorted by UTF-16 code units, no blanks, numbers and
 * texts as in ECMAScript. Undefined members are left out, and a lone surrogate is escaped so that every row gets a
 * hash.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((one) => canonicalJson(one ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}
