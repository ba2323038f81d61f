/**
 * Records what a restored backup lacked, and the gaps that `verify` found because of that. The operator accepted these
 * losses by the restore, so they don't count as damage of the installation. The record is signed, because a user who
 * can write to the database could otherwise hide any gap.
 */
import { verify } from "node:crypto";
import { z } from "zod";
import { canonicalJson } from "#core/audit/chain.ts";
import { declarations, type Collections } from "../database/documents.ts";
import { migrationsCollection } from "../database/migrations.ts";
import {
  missingDocumentText,
  type BaseDocument,
  type Collection,
  type Database,
  type Store,
} from "../database/port.ts";
import type { Keyring } from "../keys/keyring.ts";

const Place = z.strictObject({
  path: z.string().nullable(),
  version: z.int(),
  mainPath: z.string().nullable(),
  mainVersion: z.int().nullable(),
});

const Item = z.strictObject({
  sopId: z.string(),
  version: z.int(),
  number: z.int(),
  label: z.string(),
  title: z.string(),
  contentHash: z.string(),
  before: Place.nullable(),
  after: Place,
});

/** The lost events and images of a company's repository. The repository continues without them. */
export const RepositoryLoss = z.strictObject({
  companyId: z.string(),
  /** The first event whose commit differs from the recorded one, and the last event at the restore. */
  from: z.int(),
  to: z.int(),
  /** The numbers of the lost events, ascending. */
  events: z.array(z.int()),
  /** The changes of lost events, as far as they follow from later events. */
  changes: z.array(z.strictObject({ seq: z.int(), item: Item })),
  versions: z.array(z.strictObject({ sopId: z.string(), version: z.int() })),
  /**
   * Hashes of lost images, from events up to `to`. Later images can't be lost, because they were uploaded after the
   * restore.
   */
  assets: z.array(z.string()),
});
export type RepositoryLoss = z.output<typeof RepositoryLoss>;

const Loss = z.strictObject({
  /** The time of the backup. */
  at: z.string(),
  restoredAt: z.string(),
  /** The name of the operating system's user who restored the backup. */
  by: z.string(),
  /** The lines in which the backup names its missing items. */
  missing: z.array(z.string()),
  /** The gaps that `verify` found after the restore, as its lines with the company's id in place of the slug. */
  findings: z.array(z.string()),
  /** The losses of repositories. They stay in the record even if the lost items exist again. */
  repositories: z.array(RepositoryLoss).optional(),
});
export type Loss = z.output<typeof Loss>;

const Signed = z.strictObject({ losses: z.array(Loss), kid: z.string(), signature: z.string() });

/** The id of the signed record in `system`. */
export const lossesId = "lost";

type CollectionSource = Pick<Store<Collections>, "collection">;

type VerifyKeys = Pick<Keyring, "verifyKeys">;

/** Loads the signed record as text, in the form that backups contain; null if there are no losses. */
export async function loadStoredLosses(db: CollectionSource): Promise<string | null> {
  const [stored] = await db.collection("system").find({ _id: lossesId }, { limit: 1 });
  return stored?.value ?? null;
}

/** Parses the record. @returns null without a valid signature */
export function parseSignedLosses(value: string, keys: VerifyKeys): Loss[] | null {
  const { data } = Signed.safeParse(parseJsonOrNull(value));
  const key = keys.verifyKeys().find(({ kid }) => kid === data?.kid);
  if (!data || !key) return null;
  const { signature, ...signed } = data;
  const isSigned = verify(null, signedBytes(signed), key.publicKeyPem, Buffer.from(signature, "hex"));
  return isSigned ? data.losses : null;
}

/**
 * Returns the losses of repositories, even with an invalid signature: the keys may change, but the commits around a
 * loss must stay the same.
 */
export async function loadRepositoryLosses(db: CollectionSource): Promise<RepositoryLoss[]> {
  const value = await loadStoredLosses(db);
  const { data } = Signed.safeParse(value === null ? null : parseJsonOrNull(value));
  return data?.losses.flatMap(({ repositories = [] }) => repositories) ?? [];
}

export async function writeLosses(
  db: Pick<Database<Collections>, "collection">,
  losses: readonly Loss[],
  { keys, at }: { keys: Pick<Keyring, "signing">; at: string },
): Promise<void> {
  const system = db.collection("system");
  if (losses.length === 0) return void (await system.deleteOne({ _id: lossesId }));
  const { kid, sign } = keys.signing();
  const signed = { losses: [...losses], kid };
  const value = JSON.stringify({ ...signed, signature: Buffer.from(sign(signedBytes(signed))).toString("hex") });
  await system.updateOne({ _id: lossesId }, { $set: { value, at } }, { upsert: true });
}

function signedBytes(signed: Omit<z.output<typeof Signed>, "signature">): Buffer {
  return Buffer.from(`sop-known-losses/v1\0${canonicalJson(signed)}`);
}

function parseJsonOrNull(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return null;
  }
}

/**
 * Checks the signature of the record of losses.
 * @returns a list with the finding that the record is ignored; empty for a valid signature
 */
export async function findLossesFault(db: CollectionSource, keys: VerifyKeys): Promise<string[]> {
  const value = await loadStoredLosses(db);
  if (value === null || parseSignedLosses(value, keys) !== null) return [];
  return ["the record of known losses (lost of system) has no valid signature, so it counts for nothing"];
}

/**
 * Looks up a finding among the known losses.
 * @returns a line with the date of the backup that lacked the item; null for an unknown finding
 */
export type KnownLossLookup = (line: string) => string | null;

async function loadSignedLosses(db: CollectionSource, keys: VerifyKeys): Promise<Loss[]> {
  const value = await loadStoredLosses(db);
  return (value === null ? null : parseSignedLosses(value, keys)) ?? [];
}

const missingSince = (at: string, line: string) => `missing since the backup of ${at}: ${line}`;

/**
 * Loads the lost events, versions and files that a company's repository continues without.
 * @returns a line for each of them
 */
export async function loadLossLinesOfRepository(
  db: CollectionSource,
  keys: VerifyKeys,
  companyId: string,
): Promise<string[]> {
  const losses = await loadSignedLosses(db, keys);
  return losses.flatMap(({ at, repositories = [] }) =>
    repositories
      .filter((one) => one.companyId === companyId)
      .flatMap(({ events, versions, assets }) => [
        ...events.map((seq) => `event ${seq} is missing`),
        ...versions.map(({ sopId, version }) => `version ${version} of SOP ${sopId} is missing`),
        ...assets.map((sha256) => `file ${sha256} is missing`),
      ])
      .map((line) => missingSince(at, line)),
  );
}

/** Loads the record of losses. @returns a lookup, which knows no losses if the record has no valid signature */
export async function loadKnownLossLookup(db: CollectionSource, keys: VerifyKeys): Promise<KnownLossLookup> {
  const losses = await loadSignedLosses(db, keys);
  if (losses.length === 0) return () => null;
  const named = await loadSlugToIdReplacer(db);
  return (line) => {
    const told = named(line);
    const loss = losses.find(({ findings }) => findings.some((finding) => isAboutSameLoss(finding, told)));
    return loss ? missingSince(loss.at, line) : null;
  };
}

const namedDocument = /^document (\S+) of ([a-z_]+)(?:: it can't be read| is missing)$/;

/**
 * Turns a backup's line about a missing or unreadable document into a finding; null for other lines. Later checks can't
 * find most missing documents by themselves.
 */
export function lossOfDocument(line: string): string | null {
  const [, id, collection] = namedDocument.exec(line) ?? [];
  return id === undefined || collection === undefined ? null : missingDocumentText(collection, id);
}

/**
 * Says whether the document of a known loss exists again.
 * @param line a line of a known loss
 * @returns false also for lines that aren't about documents
 */
export async function isDocumentThere(db: CollectionSource, line: string): Promise<boolean> {
  const [, _id = "", name = ""] = namedDocument.exec(line) ?? [];
  // the collection of migration records isn't declared, but a restore creates its documents too
  if (name !== migrationsCollection && !Object.hasOwn(declarations, name)) return false;
  const collection = db.collection(name as keyof Collections & string) as Collection<BaseDocument>;
  return (await collection.find({ _id }, { limit: 1 })).length > 0;
}

/**
 * Finds the known losses of documents that are still missing.
 * @returns a line for each of them, in the wording of checks
 */
export async function findDocumentsStillMissing(db: CollectionSource, keys: VerifyKeys): Promise<string[]> {
  const lines = (await loadSignedLosses(db, keys)).flatMap(({ findings }) => findings);
  const missing: string[] = [];
  for (const line of lines) if (namedDocument.test(line) && !(await isDocumentThere(db, line))) missing.push(line);
  return missing;
}

/**
 * Says whether a finding is about something missing. A finding about something that exists but differs is never a known
 * loss.
 */
export const isMissingFinding = (line: string): boolean => gap.test(line) || lossesOfLogEnd(line).length > 0;
const gap =
  / (?:is|are) missing$|, but there are \d+$|: the ledger ends at event |: the checkpoint at row \d+ does not follow the one before it$/;

/**
 * Turns findings about something missing into losses, with the company's id in place of the slug. Leaves out other
 * findings.
 */
export async function toLossesWithCompanyIds(db: CollectionSource, findings: readonly string[]): Promise<string[]> {
  const named = await loadSlugToIdReplacer(db);
  return findings.map(named).flatMap((line) => (isMissingFinding(line) ? [line, ...lossesOfLogEnd(line)] : []));
}

/**
 * Returns a finding about lost rows for a log whose end is lost. The chain will continue after the last signed row, so
 * the rows before that become a gap.
 */
function lossesOfLogEnd(line: string): string[] {
  const [, company, last, signed] =
    /^(.+): the log ends at row (\d+), but a signature names row (\d+)$/.exec(line) ?? [];
  if (company === undefined) return [];
  const first = Number(last) + 1;
  const rows = first === Number(signed) ? `row ${first} is` : `rows ${first} to ${signed} are`;
  return [`${company}: ${rows} missing`];
}

/** Matches the finding about a repository with a note in place of a lost item. */
const note = /^(\S+): it has a note in place of (.+), so its commits aren't those of the ledger$/;
const uncommitted = /^(.+) of company (\S+): it can't be committed$/;

/**
 * Matches the finding about a counter. Later changes increase both numbers, so only their difference identifies the
 * loss.
 */
const counter = /^(.+: the counter \S+) is (-?\d+), but there are (\d+)$/;

export const isCounterFinding = (line: string): boolean => counter.test(line);

function counterOffsetText(line: string): string | null {
  const [, name, stored, found] = counter.exec(line) ?? [];
  return name === undefined ? null : `${name} is off by ${Number(stored) - Number(found)}`;
}

/** Says whether a line of a check is about the loss that the recorded finding describes. */
function isAboutSameLoss(finding: string, line: string): boolean {
  if (finding === line) return true;
  const offset = counterOffsetText(line);
  if (offset !== null) return offset === counterOffsetText(finding);
  const [, company, thing] = note.exec(line) ?? [];
  const [, what = thing, of = company] = uncommitted.exec(line) ?? [];
  return what !== undefined && finding.startsWith(`${of}: `) && finding.includes(`${what} `);
}

/**
 * Loads the slugs of all companies.
 * @returns a function that replaces the slug at the start of a line by the company's id, because slugs can change
 */
async function loadSlugToIdReplacer(db: CollectionSource): Promise<(line: string) => string> {
  const companies = await db.collection("companies").find({}, { projection: { slug: 1 } });
  const ids = new Map(companies.map(({ _id, slug }) => [slug, _id]));
  return (line) => line.replace(/^[^\s:]+(?=: )/, (slug) => ids.get(slug) ?? slug);
}
