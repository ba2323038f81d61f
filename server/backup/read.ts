/** Reads a backup, line by line. A backup can come from a stranger, so each part is checked before it is used. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { AppError } from "#core/errors.ts";
import { declarations } from "../database/documents.ts";
import { latestSchema, oldestSchema } from "../database/migration-list.ts";
import {
  backupDifferences,
  documentText,
  formatName,
  formatVersion,
  isInBackups,
  longestLine,
  savedCollections,
  BackupSummer,
  type CollectionName,
  type BackupHeader,
  type JsonDocument,
  type BackupSummary,
} from "./format.ts";
import { refusals } from "./refusals.ts";

export interface BackupDocument {
  name: CollectionName;
  document: JsonDocument;
  text: string;
}

export interface CheckedBackup {
  header: BackupHeader;
  /** The damage when the backup was made, a line each. */
  missing: readonly string[];
  summary: BackupSummary;
}

const newline = 0x0a;
/** Matches ids that are safe as names of the server's folders and files. */
const safeId = /^(?!\.{1,2}$)[^/\\\p{Cc}]{1,300}$/u;
const companyId = /^[A-Za-z0-9][A-Za-z0-9-]{0,99}$/;
const damagedBackupError = (what: string) => new AppError("damaged", refusals.damaged({ what }));

/** Reads and checks the whole file. @throws AppError, whose message is one sentence */
export async function checkBackup(file: string): Promise<CheckedBackup> {
  const reading = readBackup(file);
  for (;;) {
    const step = await reading.next();
    if (step.done) return step.value;
  }
}

/**
 * Yields the documents of a backup.
 * @returns the header, the damage and the summary of the documents
 * @throws AppError when the file differs from its checksum, or from the summary in its last line
 */
export async function* readBackup(file: string): AsyncGenerator<BackupDocument, CheckedBackup> {
  const lines = readBackupLines(file);
  const hash = createHash("sha256");
  const first = await lines.next();
  const header = parseHeaderLine(first.done ? "" : first.value, file);
  hash.update(`${first.value}\n`);
  const sum = new BackupSummer();
  let end: BackupEnd | null = null;
  for await (const line of lines) {
    if (end !== null) throw damagedBackupError("there is more after its end");
    if (line.startsWith('{"end":')) {
      end = parseLastLine(line);
      continue;
    }
    hash.update(`${line}\n`);
    const { name, document } = parseDocumentLine(line);
    const text = documentText(document);
    sum.add(name, document, text);
    yield { name, document, text };
  }
  if (end === null) throw cutOffError();
  const summary = sum.result();
  if (hash.digest("hex") !== end.sha256) throw damagedBackupError("its content differs from its checksum");
  const [difference] = backupDifferences(end, summary);
  if (difference !== undefined) throw damagedBackupError(difference);
  return { header, summary, missing: end.missing ?? [] };
}

interface BackupEnd extends BackupSummary {
  missing?: string[];
  sha256: string;
}

const cutOffError = () => new AppError("damaged", refusals.cutOff());

async function* readBackupLines(file: string): AsyncGenerator<string> {
  const source = createReadStream(file);
  const unpacked = createGunzip();
  source.on("error", (error) => unpacked.destroy(error));
  source.pipe(unpacked);
  const parts: Buffer[] = [];
  let [length, isFirst] = [0, true];
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      let from = 0;
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
        parts.push(chunk.subarray(from, at));
        yield Buffer.concat(parts.splice(0)).toString("utf8");
        [length, isFirst] = [0, false];
        from = at + 1;
      }
      if (from < chunk.length) parts.push(chunk.subarray(from));
      length += chunk.length - from;
      if (length > longestLine) throw damagedBackupError("a line is too long");
    }
  } catch (error) {
    throw unpackFailure(error, file);
  } finally {
    source.destroy();
  }
  if (length > 0) throw isFirst ? foreignFileError(file) : cutOffError();
}

function unpackFailure(error: unknown, file: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "Z_BUF_ERROR") return cutOffError();
  if (code === "EISDIR") return new AppError("invalid_input", refusals.folder({ file }));
  if (code === "ENOENT") return new AppError("not_found", refusals.noFile({ file }));
  if (code === "Z_DATA_ERROR") {
    const isOther = error instanceof Error && error.message.includes("header");
    return isOther ? foreignFileError(file) : damagedBackupError("it can't be unpacked");
  }
  return error;
}

const foreignFileError = (file: string) => new AppError("invalid_input", refusals.otherFile({ file }));

function parseHeaderLine(line: string, file: string): BackupHeader {
  const header = parseJsonOrNull(line) as Partial<BackupHeader> | null;
  if (typeof header !== "object" || header?.format !== formatName) throw foreignFileError(file);
  const newer = "Use the version of Sopwright that made it, or a newer one";
  if (header.version !== formatVersion)
    throw new AppError("unprocessable", refusals.otherFormat({ format: String(header.version), formatVersion, newer }));
  if (
    !Number.isInteger(header.schema) ||
    typeof header.at !== "string" ||
    !["string", "undefined"].includes(typeof header.losses)
  )
    throw damagedBackupError("its first line is incomplete");
  const { schema = 0 } = header;
  if (schema > latestSchema) throw new AppError("unprocessable", refusals.newerSchema({ schema, latestSchema, newer }));
  // schema 0 means that the backup is of an empty database
  if (schema > 0 && schema < oldestSchema)
    throw new AppError("unprocessable", refusals.olderSchema({ schema, oldestSchema }));
  return { ...(header as BackupHeader), keys: header.keys ?? null };
}

function parseLastLine(line: string): BackupEnd {
  const end = (parseJsonOrNull(line) as { end?: Partial<BackupEnd> } | null)?.end;
  if (typeof end?.sha256 !== "string" || typeof end.documents !== "object" || !Array.isArray(end.companies))
    throw damagedBackupError("its last line is incomplete");
  const { missing } = end;
  const isNamed = Array.isArray(missing) && missing.every((line) => typeof line === "string");
  if (missing !== undefined && !isNamed) throw damagedBackupError("its last line is incomplete");
  return end as BackupEnd;
}

function parseDocumentLine(line: string): Omit<BackupDocument, "text"> {
  const entry = parseJsonOrNull(line);
  const [given, document] = Array.isArray(entry) ? (entry as [unknown, unknown]) : [];
  const name = savedCollections.find((one) => one === given);
  if (name === undefined)
    throw damagedBackupError(`it has the unknown collection ${JSON.stringify(given)?.slice(0, 60)}`);
  if (typeof document !== "object" || document === null || Array.isArray(document))
    throw damagedBackupError(`a document of ${name} can't be read`);
  const { _id, companyId: company } = document as Record<string, unknown>;
  if (typeof _id !== "string" || !safeId.test(_id) || !isInBackups(name, { _id }))
    throw damagedBackupError(`a document of ${name} has the id ${shortJson(_id)}`);
  const owner = name === "companies" ? _id : declarations[name].tenant ? company : null;
  if (owner !== null && !(typeof owner === "string" && companyId.test(owner)))
    throw damagedBackupError(`a document of ${name} belongs to the company ${shortJson(owner)}`);
  return { name, document: document as JsonDocument };
}

const shortJson = (value: unknown) => JSON.stringify(value)?.slice(0, 60) ?? "(none)";

function parseJsonOrNull(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return null;
  }
}
