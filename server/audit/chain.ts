/**
 * Adds recorded rows to the company's hash chain, in the order in which their transactions committed. Two servers can
 * do this at once: `seq` is unique, and each batch is one transaction.
 */
import { randomBytes } from "node:crypto";
import {
  genesisHash,
  payloadDigest,
  rowHash,
  type AuditPayload,
  type ChainRow,
  type Genesis,
  type ProofRow,
} from "#core/audit/chain.ts";
import type { AuditDocument, Collections } from "../database/documents.ts";
import type { CompanyStore, Database, Transaction, Update } from "../database/port.ts";
import { sha256 } from "../hashing.ts";

export interface AuditHead {
  seq: number;
  hash: string;
}

type ChainedHead = AuditHead & { chained: number };

/**
 * Chains recorded rows.
 * @param atMost the maximum number of rows to chain in this call
 * @returns the new head of the chain
 */
export function chainPendingRows(db: Database<Collections>, companyId: string, atMost: number): Promise<ChainedHead> {
  return db.transaction((tx) => chainRowsInTransaction(tx, companyId, atMost));
}

export async function chainRowsInTransaction(
  tx: Transaction<Collections>,
  companyId: string,
  atMost: number,
): Promise<ChainedHead> {
  const genesis = chainGenesisOf(companyId, await tx.collection("companies").findOne({ _id: companyId }));
  const store = tx.forCompany(companyId);
  const head = await loadChainHead(store, genesis);
  const logs = store.collection("audit_logs");
  const rows = await logs.find({ pending: true }, { sort: { _id: 1 }, limit: atMost });
  let { seq, hash } = head;
  const operations = rows.map((document) => {
    const salt = randomBytes(16).toString("hex");
    const digest = payloadDigest(salt, erasablePayloadOf(document), sha256);
    const row = chainRowOf(document, { seq: seq + 1, prevHash: hash, payloadDigest: digest });
    ({ seq } = row);
    hash = rowHash(row, sha256);
    const $set = { seq, prevHash: row.prevHash, payloadDigest: digest, salt, hash };
    const update: Update<AuditDocument> = { $set, $unset: { pending: "" } };
    return { updateOne: { filter: { _id: document._id }, update } };
  });
  if (operations.length > 0) await logs.bulkWrite(operations);
  return { seq, hash, chained: rows.length };
}

/**
 * Returns the facts from which a company's chain starts. The date is empty if the company has no record in the
 * database.
 */
export function chainGenesisOf(companyId: string, company: { createdAt: string } | null): Genesis {
  return { companyId, createdAt: company?.createdAt ?? "" };
}

/**
 * Loads the number and hash of the last entry of the chain. If signed entries are missing in the database, returns
 * those of the newest checkpoint, so that no new entry gets the number of a missing one.
 */
export async function loadChainHead(store: CompanyStore<Collections>, genesis: Genesis): Promise<AuditHead> {
  const last = await store
    .collection("audit_logs")
    .findOne({ seq: { $gt: 0 } }, { sort: { seq: -1 }, projection: { seq: 1, hash: 1 } });
  const newest = { sort: { seq: -1 }, limit: 1, projection: { seq: 1, head: 1 } } as const;
  const [signed] = await store.collection("audit_checkpoints").find({}, newest);
  if (signed !== undefined && signed.seq > (last?.seq ?? 0)) return { seq: signed.seq, hash: signed.head };
  return { seq: last?.seq ?? 0, hash: last?.hash ?? genesisHash(genesis, sha256) };
}

function erasablePayloadOf({ userName, changes, ipAddress, userAgent }: AuditDocument): AuditPayload {
  return { userName, changes, ipAddress, userAgent };
}

function chainRowOf(
  { _id: id, companyId, createdAt, userId, action, entityType, entityId, requestId }: AuditDocument,
  place: Pick<ChainRow, "seq" | "prevHash" | "payloadDigest">,
): ChainRow {
  return { v: 1, id, companyId, createdAt, userId, action, entityType, entityId, requestId, ...place };
}

/** Returns a chained row for the verifier. Fields stay unchanged even if they were tampered with. */
export function proofRowOf(document: AuditDocument): ProofRow {
  const { seq = 0, prevHash = "", payloadDigest: digest = "", hash = "", salt } = document;
  return {
    row: chainRowOf(document, { seq, prevHash, payloadDigest: digest }),
    hash,
    salt: salt ?? null,
    payload: salt === undefined && isPayloadErased(document) ? null : erasablePayloadOf(document),
  };
}

/**
 * Says whether the payload was erased. A row with a payload counts as not erased, so that a payload added later is
 * found.
 */
function isPayloadErased(document: AuditDocument): boolean {
  return Object.values(erasablePayloadOf(document)).every((value) => value === null);
}
