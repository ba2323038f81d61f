/**
 * Defines the file of a backup: JSON lines, compressed with gzip (`docs/backup.md`). The first line is the header, and
 * the last line has checksums. Each line in between has the name of a collection and a document.
 */
import { createHash, type Hash } from "node:crypto";
import { countAndNoun } from "#core/text/count-and-noun.ts";
import { declarations, type Collections } from "../database/documents.ts";
import { lossesId } from "../findings/known-losses.ts";
import { pausedMirrorsId } from "../mirror/paused.ts";
import { takenOverId } from "./last.ts";

export const formatName = "sopwright-backup";
export const formatVersion = 1;
/**
 * The compression level of gzip. At this level, the file is less than a third of the text. Higher levels take twice as
 * long and save only another tenth.
 */
export const gzipLevel = 5;
/**
 * The maximum number of bytes of a line. A document of MongoDB has at most 16 MiB, and base64 makes its bytes a third
 * longer.
 */
export const longestLine = 32 * 1024 * 1024;

export type CollectionName = keyof Collections & string;
export type JsonDocument = Record<string, unknown> & { _id: string };

export interface SealedKeys {
  kdf: "scrypt";
  cost: { N: number; r: number; p: number };
  cipher: "aes-256-gcm";
  /** Base64, like the next three fields. */
  salt: string;
  nonce: string;
  text: string;
  tag: string;
}

export interface BackupHeader {
  format: typeof formatName;
  version: number;
  /** The number of the last migration that the database had run. */
  schema: number;
  engine: "sqlite" | "mongodb";
  /** The time of the backup, ISO 8601. */
  at: string;
  /**
   * The id of the installation to which the backup belongs: the one that made it, or the one that it replaced. Absent
   * in backups of earlier versions.
   */
  installation?: string | null;
  /** The encrypted keys; null if the backup has no keys. */
  keys: SealedKeys | null;
  /** The signed record of losses that the installation already had when the backup was made. Absent if it had none. */
  losses?: string;
}

export interface CompanyHead {
  companyId: string;
  /** The last entry of the audit log. */
  audit: { seq: number; hash: string };
  /** The last event of the ledger with its commits. */
  repository: { seq: number; main: string | null; history: string | null };
}

/** The facts that are equal if two installations have the same data. */
export interface BackupSummary {
  documents: Record<string, { count: number; sha256: string }>;
  companies: CompanyHead[];
}

/** Entries of `system` that aren't in backups, because each installation has different ones. */
const ownEntries = new Set([
  "installation",
  "restoring",
  "last-backup",
  "asset-store",
  takenOverId,
  lossesId,
  pausedMirrorsId,
]);

export const savedCollections = (Object.keys(declarations) as CollectionName[]).filter(
  (name) => declarations[name].inBackups !== false,
);

export function isInBackups(name: CollectionName, { _id }: { _id: string }): boolean {
  return name !== "system" || !ownEntries.has(_id);
}

/**
 * Returns the JSON text of a document, with `_id` first. MongoDB stores `_id` first too, so both engines give the same
 * text.
 */
export function documentText({ _id, ...rest }: JsonDocument): string {
  return JSON.stringify({ _id, ...rest });
}

export function documentToJson(document: object, binary: string | undefined): JsonDocument {
  const plain = document as JsonDocument;
  if (binary === undefined || plain[binary] === undefined) return plain;
  return { ...plain, [binary]: Buffer.from(plain[binary] as Uint8Array).toString("base64") };
}

export function documentFromJson(document: JsonDocument, binary: string | undefined): JsonDocument {
  const text = binary === undefined ? undefined : document[binary];
  return binary === undefined || text === undefined
    ? document
    : { ...document, [binary]: new Uint8Array(Buffer.from(text as string, "base64")) };
}

/**
 * Sums up documents: counts them, hashes them and finds each company's last audit entry and event. Documents of a
 * collection must come in the order of their ids.
 */
export class BackupSummer {
  readonly #documents = new Map<string, { count: number; hash: Hash }>();
  readonly #companies = new Map<string, CompanyHead>();

  /** Adds a document to the sums. @param text the text of the document from `documentText` */
  add(name: string, document: JsonDocument, text: string): void {
    const sum = this.#documents.get(name) ?? { count: 0, hash: createHash("sha256") };
    this.#documents.set(name, sum);
    sum.count += 1;
    sum.hash.update(`${text}\n`);
    if (name === "audit_logs") this.#noteLastAuditRow(document);
    if (name === "repo_events") this.#noteLastEvent(document);
  }

  result(): BackupSummary {
    const documents = [...this.#documents].map(
      ([name, { count, hash }]) => [name, { count, sha256: hash.copy().digest("hex") }] as const,
    );
    const companies = [...this.#companies.values()].sort((a, b) => (a.companyId < b.companyId ? -1 : 1));
    return { documents: Object.fromEntries(documents), companies };
  }

  #headOf(companyId: string): CompanyHead {
    const found = this.#companies.get(companyId);
    if (found) return found;
    const head = { companyId, audit: { seq: 0, hash: "" }, repository: { seq: -1, main: null, history: null } };
    this.#companies.set(companyId, head);
    return head;
  }

  #noteLastAuditRow(document: JsonDocument): void {
    const { companyId, seq, hash } = document as unknown as { companyId: string; seq?: number; hash?: string };
    const head = this.#headOf(companyId);
    if (seq !== undefined && hash !== undefined && seq > head.audit.seq) head.audit = { seq, hash };
  }

  /** Adds an event of the ledger. Doesn't rely on the order of ids, because a clock that was set back can change it. */
  #noteLastEvent(document: JsonDocument): void {
    const { companyId, seq, oids } = document as unknown as Collections["repo_events"];
    const { repository } = this.#headOf(companyId);
    if (oids.history === null || seq < repository.seq) return;
    repository.seq = seq;
    repository.history = oids.history;
    repository.main = oids.main ?? repository.main;
  }
}

/** Compares two summaries. @returns a line for each difference; an empty list if they are equal */
export function backupDifferences(backup: BackupSummary, stored: BackupSummary): string[] {
  const names = new Set([...Object.keys(backup.documents), ...Object.keys(stored.documents)]);
  const none = { count: 0, sha256: "" };
  const documents = [...names].flatMap((name) => {
    const [inBackup, here] = [backup.documents[name] ?? none, stored.documents[name] ?? none];
    if (inBackup.sha256 === here.sha256) return [];
    return [`${name} differs: ${countAndNoun(inBackup.count, "document")} in the backup, ${here.count} here`];
  });
  const heads = backup.companies.flatMap((head) => {
    const here = stored.companies.find(({ companyId }) => companyId === head.companyId);
    const audit = here?.audit.hash === head.audit.hash ? [] : [`the audit log of company ${head.companyId} differs`];
    const same = JSON.stringify(here?.repository) === JSON.stringify(head.repository);
    return [...audit, ...(same ? [] : [`the repository of company ${head.companyId} has other commits`])];
  });
  return [...documents, ...heads];
}
