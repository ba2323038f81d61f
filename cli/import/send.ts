/** Sends an import to the server: first hashes, then only documents that are new or changed for the server. */
import { sha256Of } from "../hashing.ts";
import { newId } from "#core/ids.ts";
import type { StoredFile } from "#core/import/stored-files.ts";
import { limits } from "#core/limits.ts";
import { ApiError } from "#core/api/client.ts";
import type { ImportAnswer, ImportDocument, ImportRequest } from "#core/sops/import-schema.ts";
import { exit, failureOf, type CommandFailure } from "../exit.ts";
import type { SopClient } from "../server.ts";
import { readAhead, loadImportBatches, splitIntoChunks, type ImportBatch } from "./batches.ts";
import type { ImportCandidate } from "./examine.ts";
import { shiftLines, withServerNotes } from "./notes.ts";
import type { PlanRow } from "./plan.ts";
import { pathsOfFalseMoves, documentPathsBySopId } from "./own-files.ts";
import { quotaFailure, importQuotaOf, type StorageQuota, type Quota } from "./quota.ts";
import { withRetries } from "../retry.ts";

export interface SendOptions {
  dryRun: boolean;
  category?: string | undefined;
  createCategories: boolean;
  onConflict: "skip" | "theirs" | "copy";
  /** The id of the import to resume; absent for a new import. */
  importId?: string | undefined;
  /** The maximum number of documents to create or change. */
  limit?: number | undefined;
  /** Stops at the first document that is refused or in conflict. */
  failFast?: boolean | undefined;
}

export interface SendContext {
  client: Pick<SopClient, "sops">;
  /** Returns a client that still works after ^C. */
  lateClient?: () => Promise<Pick<SopClient, "sops">>;
  /** Stores an image or PDF. Without this function, files aren't stored. */
  upload?: (file: StoredFile) => Promise<void>;
  /** Gets rows as soon as the server has carried them out. */
  onRowsDone?: (rows: readonly PlanRow[]) => Promise<void>;
  signal: AbortSignal;
  progress(text: string | null): void;
  /** Milliseconds to wait before each further attempt of a request. Absent for the default waits. */
  waits?: readonly number[];
}

export interface SendResult {
  importId: string;
  rows: PlanRow[];
  quota: Quota | null;
  /** The error that ended the run early. Unsent documents have the outcome `unknown`. */
  stopped: CommandFailure | null;
  /** After ^C, a sentence about how many documents the server has. */
  onServer: string | null;
}

interface ImportRun extends SendContext {
  importId: string;
  options: SendOptions;
  rows: Map<string, PlanRow>;
  free: number | null;
  bytes: StorageQuota | undefined;
  /** The size in bytes of the documents' images and PDFs, by hash. */
  files: Map<string, number>;
  requests: number;
  stored: Set<string>;
  /** Ids of SOPs by the paths of documents, to resolve links between documents. */
  ids: Map<string, string>;
  /** The document of each known SOP, by the SOP's id. */
  ownPaths: ReadonlyMap<string, string>;
}

export async function sendImport(
  candidates: readonly ImportCandidate[],
  options: SendOptions,
  around: SendContext,
): Promise<SendResult> {
  const rows = new Map(candidates.map(({ path }) => [path, unsentRow(path)]));
  const importId = options.importId ?? newId();
  const run: ImportRun = {
    ...around,
    importId,
    options,
    rows,
    free: null,
    bytes: undefined,
    files: new Map(),
    requests: 0,
    stored: new Set(),
    ids: new Map(),
    ownPaths: new Map(),
  };
  let isPlan = true;
  try {
    const unsettled = await compareHashes(run, candidates);
    run.ownPaths = documentPathsBySopId(candidates, (path) => run.ids.get(path));
    const changed = skipBeyondLimit(run, unsettled);
    const linked = linkTargetsAmong(changed);
    const mayNotFit = run.free !== null && changed.length > run.free;
    // A quota must refuse before anything is written, so a run that could exceed the quota plans first.
    if (options.dryRun || mayNotFit) {
      if (linked.length > 0) await findSopIds(run, changed, "plan");
      shareIdsOfEqualDocuments(run, candidates);
      await sendAllBatches(run, changed, "plan");
    } else await recordAllFileSizes(run, changed);
    await updateNeededBytes(run, changed);
    const quota = importQuotaOf(run.rows.values(), run);
    const stopped = quota === null ? null : quotaFailure(quota);
    if (options.dryRun) return sendResultOf(run, quota, stopped);
    markPlannedAsUnsent(run);
    if (stopped === null && changed.length > 0) {
      // The journal needs the import id before the first request, so that a killed import can resume.
      await run.onRowsDone?.([]);
      if (linked.length > 0) await findSopIds(run, changed, "reserve");
      shareIdsOfEqualDocuments(run, candidates);
      isPlan = false;
      await sendAllBatches(run, changed, "store");
    }
    return sendResultOf(run, quota, stopped);
  } catch (error) {
    const stopped = failureOf(error);
    if (stopped.problem.code === "bug") throw error;
    if (!options.dryRun && isPlan) markPlannedAsUnsent(run);
    const onServer =
      stopped.exit === exit.interrupted && !options.dryRun ? await describeStoredDocuments(run, candidates) : null;
    return { ...sendResultOf(run, importQuotaOf(run.rows.values(), run), stopped), onServer };
  }
}

/**
 * Returns the changed documents up to `--limit`. Records documents beyond the limit as skipped; a later run sends them.
 */
function skipBeyondLimit({ rows, ids, options }: ImportRun, changed: readonly ImportCandidate[]) {
  const { limit } = options;
  if (limit === undefined) return changed;
  for (const { path } of changed.slice(limit)) {
    rows.set(path, { path, outcome: "skip", reason: `beyond --limit ${limit}`, notes: [] });
    // The server gave this document an id only in the plan. The run that stores the document gets another id.
    ids.delete(path);
  }
  return changed.slice(0, limit);
}

function linkTargetsAmong(changed: readonly ImportCandidate[]): ImportCandidate[] {
  const targets = new Set(changed.flatMap(({ leadsTo }) => leadsTo));
  return changed.filter(({ path }) => targets.has(path));
}

/**
 * Finds the SOP of each document before texts that link it are planned or stored, because documents that link each
 * other go out in several requests. `reserve` gives every new document a number, linked or not, so that numbers follow
 * the order of the files. Links to documents whose SOP isn't known yet stay as written.
 */
async function findSopIds(
  run: ImportRun,
  changed: readonly ImportCandidate[],
  purpose: Exclude<SendPurpose, "store">,
): Promise<void> {
  const known = new Map([...run.ids].filter(([path]) => isSettledOutcome(run.rows.get(path))));
  const firsts = new Map(changed.toReversed().map((candidate) => [candidate.sha256, candidate]));
  await sendAllBatches(
    run,
    changed.filter((candidate) => firsts.get(candidate.sha256) === candidate),
    purpose,
    known,
  );
  if (purpose === "reserve") markPlannedAsUnsent(run);
}

/** Gives documents with the same content the same id, because the server makes only one SOP of them. */
function shareIdsOfEqualDocuments(run: ImportRun, candidates: readonly ImportCandidate[]): void {
  const byContent = new Map<string, string>();
  for (const { path, sha256 } of candidates) {
    const id = run.ids.get(path);
    const first = byContent.get(sha256);
    const isKnown = run.rows.get(path)?.outcome === "unchanged";
    if (first !== undefined && id !== undefined && !isKnown) run.ids.set(path, first);
    else if (id !== undefined) byContent.set(sha256, id);
  }
}

function sendResultOf({ importId, rows }: ImportRun, quota: Quota | null, stopped: CommandFailure | null): SendResult {
  return { importId, rows: [...rows.values()], quota, stopped, onServer: null };
}

/** Records documents whose answer got lost. @returns a sentence with the number of documents that the server has */
async function describeStoredDocuments(run: ImportRun, candidates: readonly ImportCandidate[]): Promise<string> {
  const { importId, rows } = run;
  let has = 0;
  try {
    const client = (await run.lateClient?.()) ?? run.client;
    for (const chunk of splitIntoChunks(candidates, limits.importDocuments)) {
      const documents = chunk.map(({ path, sha256 }) => ({ path, sha256 }));
      const { results } = await client.sops.import({ body: { importId, documents, dryRun: true } });
      for (const { path, outcome, id } of results) {
        if (outcome !== "unchanged" && outcome !== "duplicate") continue;
        has += 1;
        if (rows.get(path)?.outcome === "unknown")
          rows.set(path, { path, outcome: "unchanged", notes: [], ...(id !== undefined && { id }) });
      }
    }
  } catch {
    return "the server doesn't answer, so the last documents are uncertain";
  }
  return `the server has ${has} of ${candidates.length} documents`;
}

function unsentRow(path: string): PlanRow {
  return { path, outcome: "unknown", reason: "not sent", notes: [] };
}

/** Sends hashes alone, so that a second run is quick. @returns the documents that the server doesn't have yet */
async function compareHashes(run: ImportRun, candidates: readonly ImportCandidate[]): Promise<ImportCandidate[]> {
  let compared = 0;
  for (const chunk of splitIntoChunks(candidates, limits.importDocuments)) {
    run.signal.throwIfAborted();
    run.progress(`comparing ${(compared += chunk.length)} of ${candidates.length}`);
    const documents = chunk.map(({ path, sha256 }) => ({ path, sha256 }));
    recordImportAnswer(run, await requestImport(run, documents, "plan"));
  }
  return candidates.filter(({ path }) => !isSettledOutcome(run.rows.get(path)));
}

function isSettledOutcome(row: PlanRow | undefined): boolean {
  return row?.outcome === "unchanged" || row?.outcome === "duplicate" || row?.outcome === "skip";
}

/** The purpose of a request: to plan, to reserve numbers, or to store. */
type SendPurpose = "plan" | "reserve" | "store";

const doing: Record<SendPurpose, string> = { plan: "planning", reserve: "reserving numbers", store: "importing" };

async function sendAllBatches(
  run: ImportRun,
  candidates: readonly ImportCandidate[],
  purpose: SendPurpose,
  ids: ReadonlyMap<string, string> = run.ids,
): Promise<void> {
  let sent = 0;
  for await (const batch of readAhead(loadImportBatches(candidates, (path) => ids.get(path)))) {
    run.signal.throwIfAborted();
    for (const row of batch.refused) {
      run.rows.set(row.path, row);
      run.ids.delete(row.path);
    }
    run.progress(`${doing[purpose]} ${(sent += batch.documents.length)} of ${candidates.length}`);
    if (purpose === "plan") recordFileSizes(run, batch);
    else if (purpose === "store") await storeImportFiles(run, batch.files);
    await sendBatch(run, batch.documents, purpose);
    addImportNotes(run, batch);
    if (purpose !== "store") continue;
    const paths = [...batch.documents.map(({ path }) => path), ...batch.refused.map(({ path }) => path)];
    const rows = paths.flatMap((path) => run.rows.get(path) ?? []);
    await run.onRowsDone?.(rows);
    if (run.options.failFast && rows.some(({ outcome }) => outcome === "refused" || outcome === "conflict")) return;
  }
}

function recordFileSizes({ files }: ImportRun, batch: ImportBatch): void {
  for (const { sha256, size } of batch.files) files.set(sha256, size);
}

/** Records the sizes of all images and PDFs before the first one is stored, if the server limits bytes. */
async function recordAllFileSizes(run: ImportRun, candidates: readonly ImportCandidate[]): Promise<void> {
  if (run.bytes === undefined) return;
  for await (const batch of loadImportBatches(candidates, (path) => run.ids.get(path))) recordFileSizes(run, batch);
}

async function updateNeededBytes(run: ImportRun, [first]: readonly ImportCandidate[]): Promise<void> {
  if (run.bytes === undefined || first === undefined) return;
  let needed = 0;
  for (const chunk of splitIntoChunks([...run.files], limits.importFiles)) {
    const files = chunk.map(([sha256, size]) => ({ sha256, size }));
    const { quota } = await requestImport(run, [{ path: first.path, sha256: first.sha256 }], "plan", { files });
    needed += quota.bytes?.needed ?? 0;
  }
  run.bytes = { ...run.bytes, needed };
}

async function storeImportFiles(run: ImportRun, files: readonly StoredFile[]): Promise<void> {
  const { signal, progress, waits, upload } = run;
  for (const file of files) {
    if (upload === undefined || run.stored.has(file.sha256)) continue;
    signal.throwIfAborted();
    run.progress(`storing ${file.name}`);
    await withRetries(() => upload(file), { signal, isFirst: false, progress, waits });
    run.stored.add(file.sha256);
  }
}

function addImportNotes({ rows }: ImportRun, { notes }: ImportBatch): void {
  for (const [path, { lines, lineShift }] of notes) {
    const row = rows.get(path);
    if (row !== undefined) rows.set(path, { ...row, notes: withServerNotes(lines, shiftLines(row.notes, lineShift)) });
  }
}

/** Sends documents. Halves a refused request until the bad document is alone, so that others are stored. */
async function sendBatch(run: ImportRun, documents: readonly ImportDocument[], purpose: SendPurpose): Promise<void> {
  if (documents.length === 0) return;
  try {
    const answer = await requestImport(run, documents, purpose);
    recordImportAnswer(run, answer);
    const beside = pathsOfFalseMoves(answer.results, run.ownPaths);
    const again = documents.filter(({ path }) => beside.has(path));
    if (again.length > 0) recordImportAnswer(run, await requestImport(run, again, purpose, { resembling: "create" }));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const isAboutDocuments = error.status === 400 || error.status === 413 || error.status === 422;
    if (isAboutDocuments && documents.length > 1) {
      const half = Math.ceil(documents.length / 2);
      await sendBatch(run, documents.slice(0, half), purpose);
      await sendBatch(run, documents.slice(half), purpose);
    } else if (isAboutDocuments || error.code === "limit_reached")
      recordRejectedDocuments(run, documents, "refused", error);
    else if (error.code === "conflict") await recordStoredAfterConflict(run, documents, error);
    else throw error;
  }
}

/**
 * Records documents as in conflict, except those that the server turns out to have. A server that stopped after storing
 * documents and before answering refuses the repeated request.
 */
async function recordStoredAfterConflict(
  run: ImportRun,
  documents: readonly ImportDocument[],
  error: ApiError,
): Promise<void> {
  recordRejectedDocuments(run, documents, "conflict", error);
  const hashes = documents.map(({ path, sha256 }) => ({ path, sha256 }));
  const answer = await requestImport(run, hashes, "plan").catch((failure: unknown) => {
    if (failure instanceof ApiError) return null;
    throw failure;
  });
  if (answer !== null) recordImportAnswer(run, { ...answer, results: answer.results.filter(isSettledOutcome) });
}

async function requestImport(
  run: ImportRun,
  documents: readonly ImportDocument[],
  purpose: SendPurpose,
  more: Pick<Partial<ImportRequest>, "files" | "resembling"> = {},
): Promise<ImportAnswer> {
  const { category, createCategories, onConflict } = run.options;
  const { importId, client, signal, progress, waits } = run;
  const body = {
    importId,
    documents: [...documents],
    dryRun: purpose === "plan",
    createCategories,
    onConflict,
    ...(purpose === "reserve" && { reserveNumbers: true }),
    ...(category !== undefined && { category }),
    ...more,
  };
  const isFirst = run.requests === 0;
  run.requests += 1;
  // Only a request that stores needs a key against being carried out twice.
  const key =
    purpose !== "store" ? {} : { idempotencyKey: `${importId}-${idempotencyKeyOf(documents)}${more.resembling ?? ""}` };
  // The client gives a request some seconds after ^C, so its answer is awaited until then.
  return await withRetries(() => client.sops.import({ body, ...key }), { signal, isFirst, progress, waits });
}

/** Returns the part of the key that names the documents: the same for the same documents, even after a resume. */
function idempotencyKeyOf(documents: readonly ImportDocument[]): string {
  const parts = documents.map(({ path, sha256 }) => `${path}\0${sha256}`);
  return sha256Of(parts.join("\n")).slice(0, 40);
}

function recordImportAnswer(run: ImportRun, { results, quota }: ImportAnswer): void {
  for (const result of results) {
    run.rows.set(result.path, result);
    // A plan by hashes alone can give an id to a document whose text the server later refuses.
    if (result.outcome === "refused" || result.outcome === "conflict") run.ids.delete(result.path);
    if (result.outcome !== "refused" && result.id !== undefined) run.ids.set(result.path, result.id);
  }
  run.free = quota.free;
  run.bytes = quota.bytes;
}

function recordRejectedDocuments(
  run: ImportRun,
  documents: readonly ImportDocument[],
  outcome: "refused" | "conflict",
  error: ApiError,
) {
  const { problem } = failureOf(error);
  for (const { path } of documents) {
    const { code, message: reason, hint } = problem;
    if (outcome === "refused") run.ids.delete(path);
    run.rows.set(path, { path, outcome, code, reason, hint, notes: [] });
  }
}

/** Marks planned creates and updates as not sent, because the plan wrote nothing. */
function markPlannedAsUnsent({ rows }: ImportRun): void {
  for (const { path, outcome } of rows.values())
    if (outcome === "create" || outcome === "update") rows.set(path, unsentRow(path));
}
