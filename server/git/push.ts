/** A push becomes drafts: each changed document goes the way of an import and gets one result. */
import { createHash } from "node:crypto";
import { isUtf8 } from "node:buffer";
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import { kindOf } from "#core/import/files.ts";
import { limits } from "#core/limits.ts";
import { ImportRequest, type ImportDocument, type ImportResult } from "#core/sops/import-schema.ts";
import type { Identity, Origin } from "../http/call.ts";
import { parseInput } from "../http/input-texts.ts";
import type { Services } from "../http/services.ts";
import { importDocuments } from "../sops/import/import.ts";
import { PushRefused, submodule, symbolicLink, type PushedFile, type Quarantine } from "./quarantine.ts";

export interface PushCall {
  services: Services;
  /** The user of the push as of now. @throws AppError when it has lost access */
  identify: () => Promise<Identity>;
  origin: Origin;
  quarantine: Quarantine;
  commit: string;
  signal: AbortSignal;
  say: (...lines: string[]) => void;
}

export interface PushCounts {
  created: number;
  updated: number;
  unchanged: number;
  conflicts: number;
  refused: number;
}

/** Texts in one import: as many bytes as an import request may have, with room for their names. */
const batchBytes = 12 * 1024 * 1024;
const longestPath = 500;

/** @throws PushRefused when nothing of the push may be taken */
export async function takePush(call: PushCall): Promise<PushCounts> {
  const { quarantine, commit, say, services } = call;
  await quarantine.check(commit);
  const base = await quarantine.baseOf(commit);
  const files = await quarantine.changes(base, commit);
  assertFiles(files);
  const documents = files.filter(({ oid, path }) => oid !== null && isDocument(path));
  const note = (await quarantine.message(base, commit)).slice(0, limits.noteCharacters);
  const counts: PushCounts = { created: 0, updated: 0, unchanged: 0, conflicts: 0, refused: 0 };
  const importId = newId();
  const ids = new Set<string>();
  for (const batch of batchesOf(documents)) {
    for (const result of await importBatch(call, batch, { importId, ...(note && { note }) })) {
      if (result.id !== undefined) ids.add(result.id);
      sayResult(result, counts, services.address.url, say);
    }
  }
  for (const { path, oid } of files) {
    if (oid !== null && !isDocument(path))
      say(`${path}: left out, it is not a document below sops/, templates/ or archive/`);
  }
  await sayDeleted(call, files, ids);
  if (files.length === 0) say("Nothing is changed.");
  if (counts.conflicts > 0) say("Nothing was overwritten. To merge what is in conflict: sop pull, then sop push");
  return counts;
}

/** One such file is reason enough to take nothing: what else comes with it isn't trusted either. */
function assertFiles(files: readonly PushedFile[]): void {
  for (const { path, mode, oid, size } of files) {
    if (oid === null) continue;
    const problem = problemOf(path, mode, size);
    if (problem === null) continue;
    const hint = `git rm --cached '${path.slice(0, 200).replaceAll("'", "")}', commit, then push again`;
    throw new PushRefused(`${path.slice(0, longestPath)}: ${problem}`, { hint });
  }
}

function problemOf(path: string, mode: string, size: number): string | null {
  if (mode === symbolicLink) return "symbolic links are not taken";
  if (mode === submodule) return "submodules are not taken";
  if (mode !== "100644" && mode !== "100755") return `files of mode ${mode} are not taken`;
  if (path.length > longestPath) return `its path is longer than ${longestPath} characters`;
  if (/[\p{Cc}\ufffd\\]/u.test(path)) return "its path has characters that are not taken";
  if (path.split("/").some((name) => name.toLowerCase() === ".git")) return "a path can't have .git";
  if (path.startsWith(".sop/")) return "the server alone writes .sop";
  if (!(size <= limits.asset)) return `the file is larger than ${limits.asset / 1024 / 1024} MiB`;
  return null;
}

/** The folders of the repository. Files directly in `templates/` are for `sop new` to copy. */
function isDocument(path: string): boolean {
  return /^(?:sops\/|archive\/|templates\/[^/]+\/)/.test(path) && kindOf(path) === "markdown";
}

function* batchesOf(files: readonly PushedFile[]): Generator<PushedFile[]> {
  let batch: PushedFile[] = [];
  let bytes = 0;
  for (const file of files) {
    const size = Math.min(file.size, limits.document);
    if (batch.length === limits.importDocuments || (bytes + size > batchBytes && batch.length > 0)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(file);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

type Shared = Pick<ImportRequest, "importId" | "note">;

async function importBatch(call: PushCall, batch: readonly PushedFile[], shared: Shared): Promise<ImportResult[]> {
  const small = batch.filter(({ size }) => size <= limits.document);
  const contents = await call.quarantine.read(small.flatMap(({ oid }) => oid ?? []));
  const refused: ImportResult[] = batch
    .filter((file) => !small.includes(file))
    .map(({ path }) => refusedResult(path, `it is larger than ${limits.document / 1024 / 1024} MiB`));
  const documents: ImportDocument[] = [];
  for (const [index, { path }] of small.entries()) {
    const bytes = contents[index];
    if (bytes === undefined || !isUtf8(bytes)) refused.push(refusedResult(path, "it isn't text in UTF-8"));
    else
      documents.push({ path, sha256: createHash("sha256").update(bytes).digest("hex"), text: bytes.toString("utf8") });
  }
  return [...(await importApart(call, documents, shared)), ...refused];
}

function refusedResult(path: string, reason: string): ImportResult {
  return { path, outcome: "refused", reason, notes: [] };
}

/** One bad document must not stop the others: a refused request is halved until the document is alone. */
async function importApart(call: PushCall, documents: ImportDocument[], shared: Shared): Promise<ImportResult[]> {
  const [only] = documents;
  if (only === undefined) return [];
  const { services, origin, signal } = call;
  try {
    signal.throwIfAborted();
    const identity = await call.identify();
    const body = parseInput(ImportRequest, { ...shared, documents });
    const run = () => importDocuments(services, { identity, body, origin, idempotency: null });
    return (await services.shares.imports.run(run)).results;
  } catch (error) {
    const known =
      error instanceof AppError ? error : signal.aborted ? new AppError("busy", "The push took too long") : null;
    if (known === null) throw error;
    const isAboutDocuments = [400, 413, 415, 422].includes(known.status);
    if (documents.length === 1 || !isAboutDocuments)
      return documents.map(({ path }) => refusedResult(path, known.message));
    const half = documents.length >> 1;
    const first = await importApart(call, documents.slice(0, half), shared);
    return [...first, ...(await importApart(call, documents.slice(half), shared))];
  }
}

function sayResult(result: ImportResult, counts: PushCounts, url: string, say: PushCall["say"]): void {
  const { path, outcome, id = "", number = "", version = 1, reason = outcome } = result;
  const address = `${url}/sop/${number || id}`;
  switch (outcome) {
    case "create":
      counts.created++;
      return say(`${path}: new draft ${number}`, `  ${address}`);
    case "update":
      counts.updated++;
      return say(`${path}: draft v${version} on top of v${version - 1} of ${number}`, `  ${address}`);
    case "unchanged":
      counts.unchanged++;
      return say(`${path}: unchanged`);
    case "conflict":
      counts.conflicts++;
      return say(`${path}: conflict. ${reason.replace(/(?:: merge them|\. Choose --).*$/, "")}`, `  ${address}`);
    default: {
      counts.refused++;
      const why = reason.startsWith(`${path}: `) ? reason.slice(path.length + 2) : reason;
      say(`${path}: refused. ${why}`);
    }
  }
}

/** A moved document comes back under another path, with its id. */
async function sayDeleted(
  { quarantine, services, say }: PushCall,
  files: readonly PushedFile[],
  ids: ReadonlySet<string>,
) {
  const deleted = files.filter(({ oid, path, before }) => oid === null && before !== null && isDocument(path));
  const contents = await quarantine.read(deleted.flatMap(({ before }) => before ?? []));
  for (const [index, { path }] of deleted.entries()) {
    const [, id = ""] = /^id: "([0-9a-f-]{36})"$/m.exec(contents[index]?.toString("utf8", 0, 4096) ?? "") ?? [];
    if (ids.has(id)) continue;
    say(`${path}: kept. A push deletes nothing: archive the SOP in the browser`);
    if (id !== "") say(`  ${services.address.url}/sop/${id}`);
  }
}
