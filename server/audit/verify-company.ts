/** Reads one company's log in order and checks it against its hashes and signatures. */
import { createPublicKey, verify, type KeyObject } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { Checkpoint, NamedKey } from "#core/audit/chain.ts";
import { createAuditVerifier, type AuditReport, type CheckSignature } from "#core/audit/verify.ts";
import { countAndNoun } from "#core/text/count-and-noun.ts";
import type { AuditDocument, Collections } from "../database/documents.ts";
import type { Collection, Database } from "../database/port.ts";
import { reportProgress } from "../jobs/overdue.ts";
import { loadLostKeyIds } from "../keys/lost-keys.ts";
import { chainGenesisOf, proofRowOf } from "./chain.ts";
import { sha256 } from "../hashing.ts";

const chunk = 500;

export interface AuditVerifyOptions {
  /** The public keys that verify the signatures. */
  keys: readonly NamedKey[];
  /** Checkpoints kept outside the database. Those of other companies are ignored. */
  outside?: readonly Checkpoint[];
}

export async function verifyCompanyAudit(
  db: Database<Collections>,
  company: { _id: string; createdAt: string },
  { keys, outside = [] }: AuditVerifyOptions,
): Promise<AuditReport> {
  const store = db.forCompany(company._id);
  const logs = store.collection("audit_logs");
  const verifier = createAuditVerifier({
    genesis: chainGenesisOf(company._id, company),
    checkpoints: await store.collection("audit_checkpoints").find({}, { sort: { seq: 1 } }),
    outside: outside.filter(({ companyId }) => companyId === company._id),
    sha256,
    checkSignature: createSignatureCheck(keys),
    // a key that was recorded as lost counts as lost only while it is missing
    lostKeys: withoutKeyIds(await loadLostKeyIds(db), keys),
  });
  let last = 0;
  for (;;) {
    const rows: AuditDocument[] = await logs.find({ seq: { $gt: last } }, { sort: { seq: 1 }, limit: chunk });
    for (const row of rows) verifier.row(proofRowOf(row));
    const seq = rows.at(-1)?.seq;
    if (seq === undefined || rows.length < chunk) break;
    last = seq;
    reportProgress();
    // let other requests run
    await setImmediate();
  }
  if (await isLogLost(db, company._id)) verifier.fault("TRUNCATED", null, lostLog);
  const beside = await countUnchainedRows(logs);
  if (beside > 0) {
    const which = countAndNoun(beside, "row is", "rows are");
    verifier.fault("ROW_ALTERED", null, `${which} beside the chain, shown in the log but never recorded`);
  }
  return verifier.finish(await logs.countDocuments({ pending: true }));
}

function withoutKeyIds(kids: ReadonlySet<string>, keys: readonly NamedKey[]): ReadonlySet<string> {
  return new Set([...kids].filter((one) => !keys.some(({ kid }) => kid === one)));
}

/**
 * Finds the companies that checkpoints outside the database name, but the database lacks. The record of a deleted
 * company stays, so a missing record means damage.
 */
export async function findMissingCompanies(
  db: Database<Collections>,
  outside: readonly Checkpoint[],
): Promise<{ _id: string; createdAt: string }[]> {
  const known = new Set((await db.collection("companies").find({}, { projection: { _id: 1 } })).map(({ _id }) => _id));
  const named = new Set(outside.map(({ companyId }) => companyId));
  return [...named].filter((id) => !known.has(id)).map((_id) => ({ _id: String(_id), createdAt: "" }));
}

export const lostLog = "all rows of the audit log are missing";

/**
 * Says whether the repository has changes but the log has no entries, although each change of the repository gets an
 * entry.
 */
export async function isLogLost(db: Pick<Database<Collections>, "collection">, companyId: string): Promise<boolean> {
  if ((await db.collection("audit_logs").countDocuments({ companyId }, { limit: 1 })) > 0) return false;
  const [counters] = await db.collection("counters").find({ _id: companyId }, { limit: 1 });
  return (counters?.repoSeq ?? 0) > 0;
}

/**
 * Finds the companies whose whole log is missing. Call when a server starts, before the log gets new entries.
 * @returns a line for each company
 */
export async function findLostLogs(db: Pick<Database<Collections>, "collection">): Promise<string[]> {
  if ((await db.collection("audit_logs").countDocuments({ _id: { $gt: "" } }, { limit: 1 })) > 0) return [];
  const lines: string[] = [];
  for (const { _id } of await db.collection("companies").find({}, { projection: { _id: 1 } }))
    if (await isLogLost(db, _id)) lines.push(`company ${_id}: ${lostLog}`);
  return lines;
}

/** Counts the rows that have no position in the chain and don't wait for one, so that no hash covers them. */
async function countUnchainedRows(logs: Collection<AuditDocument>): Promise<number> {
  const all = await logs.countDocuments({});
  const waiting = await logs.countDocuments({ pending: true });
  // indexes serve these counts. A row chained between the two counts makes them differ too, so the next query finds the
  // rows themselves
  if (all === waiting + (await logs.countDocuments({ seq: { $gt: 0 } }))) return 0;
  return logs.countDocuments({ pending: { $ne: true }, $nor: [{ seq: { $gt: 0 } }] });
}

function createSignatureCheck(keys: readonly NamedKey[]): CheckSignature {
  const known = new Map<string, KeyObject>(keys.map(({ kid, publicKeyPem }) => [kid, createPublicKey(publicKeyPem)]));
  return (kid, text, signature) => {
    const key = known.get(kid);
    return key ? verify(null, Buffer.from(text), key, Buffer.from(signature, "hex")) : null;
  };
}
