/**
 * Removes known losses whose items exist again, or that no document names any longer, so that a later loss of them
 * counts as damage. Signs the other losses with the present key.
 */
import type { Clock } from "#core/clock.ts";
import { readBlob, type Blobs } from "../blobs/port.ts";
import { loadLostFactLines } from "../findings/lost-facts.ts";
import type { Collections } from "../database/documents.ts";
import type { BaseDocument, Collection, Database } from "../database/port.ts";
import { findCheckpointGaps } from "./audit-gaps.ts";
import { isNamedIn } from "./references.ts";
import { itemInLine } from "./reference-lines.ts";
import type { Keyring } from "../keys/keyring.ts";
import { isDocumentThere, parseSignedLosses, loadStoredLosses, writeLosses } from "../findings/known-losses.ts";

interface LossSources {
  db: Pick<Database<Collections>, "collection">;
  blobs: Pick<Blobs, "get">;
}

export interface RemoveLossesOptions extends LossSources {
  clock: Clock;
  keys: Pick<Keyring, "signing" | "verifyKeys">;
}

export async function removeRecoveredLosses({ db, blobs, clock, keys }: RemoveLossesOptions): Promise<void> {
  const value = await loadStoredLosses(db);
  const losses = value === null ? null : parseSignedLosses(value, keys);
  if (value === null || losses === null) return;
  const left: typeof losses = [];
  for (const loss of losses) {
    const findings: string[] = [];
    for (const line of loss.findings) if (!(await isFoundAgain({ db, blobs }, line))) findings.push(line);
    if (findings.length > 0 || loss.repositories !== undefined) left.push({ ...loss, findings });
  }
  const isSame = JSON.stringify(left) === JSON.stringify(losses);
  if (isSame && value.includes(`"kid":${JSON.stringify(keys.signing().kid)}`)) return;
  await writeLosses(db, left, { keys, at: clock.now() });
}

const numbered = /^(?:company )?([^\s:]+): (event|row)s? (\d+)(?: to (\d+))? (?:is|are) missing$/;
const version = /version (\d+) of SOP ([^\s:]+)(?:: it)? is missing$/;
const facts = /^company \S+: its (?:settings|plan limits) are missing$/;
const company = /^company (\S+): its record is missing$/;
const file =
  /file (?<sha256>[0-9a-f]{64}) of company (?<owner>[^\s:]+): its bytes are missing$|^(?<owner>[^\s:]+): event \d+: file (?<sha256>[0-9a-f]{64}) is missing$/;
const checkpoint = /^([^\s:]+): (the checkpoint at row \d+ .+)$/;

/**
 * Says whether the item that a line of a known loss names exists again. A line about a sum, such as a counter, never
 * counts as found again, because the sum is another one after each further loss.
 */
async function isFoundAgain({ db, blobs }: LossSources, line: string): Promise<boolean> {
  const [, companyId, what, from, to = from] = numbered.exec(line) ?? [];
  if (companyId !== undefined) {
    const collection = db.collection(what === "row" ? "audit_logs" : "repo_events");
    const seq = { $gte: Number(from), $lte: Number(to) };
    return (await collection.find({ companyId, seq }, { limit: 1 })).length > 0;
  }
  const [, number, sopId] = version.exec(line) ?? [];
  if (sopId !== undefined) {
    const [sop] = await db.collection("sops").find({ _id: sopId }, { limit: 1 });
    const one = { companyId: sop?.companyId ?? "", sopId, version: Number(number) };
    return (await db.collection("sop_versions").find(one, { limit: 1 })).length > 0;
  }
  const [, _id] = company.exec(line) ?? [];
  if (_id !== undefined) return (await db.collection("companies").find({ _id }, { limit: 1 })).length > 0;
  if (facts.test(line)) return !(await loadLostFactLines(db)).includes(line);
  if (await isDocumentThere(db, line)) return true;
  if (await isItemFoundAgain(db, line)) return true;
  const [, ofLog, gap] = checkpoint.exec(line) ?? [];
  if (ofLog !== undefined && gap !== undefined) return !(await findCheckpointGaps(db, ofLog)).lines.includes(gap);
  const { sha256, owner } = file.exec(line)?.groups ?? {};
  if (sha256 === undefined || owner === undefined) return false;
  const [asset] = await db.collection("assets").find({ companyId: owner, sha256 }, { limit: 1 });
  return asset !== undefined && (await readBlob(blobs, asset)) !== null;
}

/** Says whether the item that a line names by its fields exists again, or no document names it any longer. */
async function isItemFoundAgain(db: LossSources["db"], line: string): Promise<boolean> {
  const item = itemInLine(line);
  if (item === null) return false;
  const { name, filter = {}, namedBy } = item;
  const { companyId, sopId, userId } = filter as Partial<Record<string, string>>;
  const [sop] = sopId === undefined ? [] : await db.collection("sops").find({ _id: sopId }, { limit: 1 });
  const [user] = sopId !== undefined ? [] : await db.collection("users").find({ _id: userId ?? "" }, { limit: 1 });
  const owner = companyId ?? (sop ?? user)?.companyId;
  if (owner === undefined) return false;
  const collection = db.collection(name) as unknown as Collection<BaseDocument>;
  const fields: Readonly<Record<string, unknown>> = { ...filter, companyId: owner };
  const found = await collection.find(fields as { _id: string }, { limit: 1 });
  if (found.length > 0) return true;
  if (namedBy === "sops") return sop !== undefined && !isNamedIn("sops", sop, line);
  return namedBy === "users" && user !== undefined && !isNamedIn("users", user, line);
}
