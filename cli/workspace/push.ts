/** Pushes local changes as the next version of each SOP, unless another user saved it first. */
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { sha256Of } from "../hashing.ts";
import { newId } from "#core/ids.ts";
import { limits } from "#core/limits.ts";
import type { ImportDocument, ImportResult } from "#core/sops/import-schema.ts";
import { ApiError } from "#core/api/client.ts";
import { exit, failureOf, type CommandFailure, type Problem } from "../exit.ts";
import { readIfExists, writeFileAtomically } from "../files.ts";
import { splitIntoChunks } from "../import/batches.ts";
import type { SopClient } from "../server.ts";
import { withServerNotes } from "../import/notes.ts";
import { withRetries } from "../retry.ts";
import { uploadAsset } from "../import/upload.ts";
import { runParallel } from "../run-parallel.ts";
import { fetchMissingAssets } from "./assets.ts";
import { documentIdentityOf, type LocalDocument } from "./documents.ts";
import { baseVersionOf } from "./base-version.ts";
import { createLostFileCheck } from "./lost-files.ts";
import type { OutgoingDocument, UnsendableDocument } from "./outgoing.ts";
import { fetchSopText, fetchRemoteSop, type RemoteCompany, type RemoteSop } from "./remote.ts";
import type { SyncRow } from "./rows.ts";
import { saveState, trackedSopAt, writeBaseText, type WorkspaceState } from "./state.ts";
import { replaceDocumentLinks, sopAddress } from "#core/import/link-to.ts";

export interface PushSettings {
  dryRun: boolean;
  note: string | undefined;
}

export interface PushContext {
  root: string;
  remote: RemoteCompany;
  /** Returns a client that still works after ^C. */
  lateClient: () => Promise<Pick<SopClient, "sops">>;
  state: WorkspaceState;
  /** Every document of the workspace, as a possible target of a link. */
  all: readonly LocalDocument[];
  /** The server's SOPs, by id. */
  remoteSops: ReadonlyMap<string, RemoteSop>;
  /** The server's refusals of SOPs that it can't read, by id. */
  damaged: ReadonlyMap<string, Problem>;
  options: PushSettings;
  signal: AbortSignal;
  showProgress: (text: string) => void;
}

export interface PushResult {
  rows: SyncRow[];
  stopped: CommandFailure | null;
}

/** Pushes documents in several requests with one import id. Each request becomes one commit. */
export async function pushDocuments(context: PushContext, documents: readonly LocalDocument[]): Promise<PushResult> {
  const rows: SyncRow[] = [];
  const importId = newId();
  let waiting: WaitingDocument[] = [];
  try {
    const toSend: LocalDocument[] = [];
    const lostFileRow = createLostFileCheck(context);
    for (const document of documents) {
      const row = pushRefusalOf(context, document) ?? (await lostFileRow(document));
      if (row === null) toSend.push(document);
      else rows.push(row);
    }
    if (toSend.length === 0) return { rows, stopped: null };
    const prepared = await (await import("./outgoing.ts")).prepareOutgoing(context.root, context.all, toSend);
    const ready = prepared.filter((one) => "prepared" in one);
    rows.push(...prepared.filter((one) => "reason" in one).map(unsendableRow));
    const idOf = await reserveLinkedIds(context, ready, importId);
    waiting = ready.map((one) => ({ document: one.document, sent: outgoingDocument(context, one, idOf) }));
    let done = 0;
    for (const batch of splitIntoChunks(ready, limits.importDocuments)) {
      context.signal.throwIfAborted();
      context.showProgress(`${(done += batch.length)} of ${ready.length}`);
      const sendable = context.options.dryRun ? batch : await storePushFiles(context, batch, rows);
      const documents = sendable.map((one) => outgoingDocument(context, one, idOf));
      const results = await sendInHalves(context, documents, {
        importId,
        purpose: context.options.dryRun ? "plan" : "store",
      });
      const byPath = new Map(results.map((result) => [result.path, result]));
      await runParallel(batch, async ({ document, prepared: { notes: own } }) => {
        const result = byPath.get(document.path);
        if (result === undefined) return;
        const known = waiting.find((one) => one.document === document);
        if (known !== undefined) known.isThere = isOnServer(result);
        const row = await recordPushResult(context, document, result);
        const notes = row.outcome === "unchanged" ? [] : withServerNotes(own, result.notes);
        rows.push(notes.length === 0 ? row : { ...row, notes });
      });
    }
    return { rows, stopped: null };
  } catch (error) {
    const { exit: code, problem } = failureOf(error);
    if (problem.code === "bug") throw error;
    const stopped = { exit: code, problem: { ...problem } };
    if (code === exit.interrupted && !context.options.dryRun && waiting.length > 0) {
      const onServer = await describePushedDocuments(context, waiting);
      stopped.problem = { ...problem, message: `${problem.message}: ${onServer}`, hint: "run `sop push` again" };
    }
    return { rows, stopped };
  } finally {
    if (!context.options.dryRun) await saveState(context.root, context.state);
  }
}

interface WaitingDocument {
  document: LocalDocument;
  sent: ImportDocument;
  /** True if the server has the document; undefined if its answer never came. */
  isThere?: boolean;
}

/** After ^C, asks the server which documents it has. The next push links documents whose answer got lost. */
async function describePushedDocuments(
  { lateClient }: PushContext,
  waiting: readonly WaitingDocument[],
): Promise<string> {
  let has = waiting.filter(({ isThere }) => isThere === true).length;
  const uncertain = waiting.filter(({ isThere }) => isThere === undefined).map(({ sent }) => sent);
  try {
    const client = await lateClient();
    for (const documents of splitIntoChunks(uncertain, limits.importDocuments)) {
      const body = { importId: newId(), documents, dryRun: true, resembling: "create" as const };
      const { results } = await client.sops.import({ body });
      has += results.filter(({ outcome }) => outcome === "unchanged" || outcome === "duplicate").length;
    }
  } catch {
    return "the server doesn't answer, so the last documents are uncertain";
  }
  return `the server has ${has} of ${waiting.length} documents`;
}

/**
 * Returns the row of a document that must not be sent, because another user saved since the last pull, or the SOP is
 * deleted or damaged; null for other documents.
 */
function pushRefusalOf({ state, remoteSops, damaged }: PushContext, document: LocalDocument): SyncRow | null {
  const { id, path, title } = document;
  if (id === null) return null;
  const damage = damaged.get(id);
  if (damage !== undefined) return { id, path, title, outcome: "refused", reason: damage.message };
  const tracked = state.sops[id];
  if (tracked === undefined) return null;
  const now = remoteSops.get(id);
  const about = { id, number: tracked.number, path, title };
  if (now === undefined) {
    const hint = "delete the lines sop, id and version to make it a new SOP";
    return {
      ...about,
      outcome: "refused",
      reason: `${tracked.number} is deleted, or you can't see it anymore`,
      hint,
    };
  }
  const from = baseVersionOf(document, tracked, now);
  if (from === now.version || document.sha256 === now.sha256) return null;
  const reason = `the server has version ${now.version}, yours is based on ${from ?? "no known version"}`;
  return { ...about, outcome: "conflict", reason, hint: "run `sop pull` to merge them" };
}

function unsendableRow({ document: { path, title, id }, reason }: UnsendableDocument): SyncRow {
  return { outcome: "refused", path, title, ...(id !== null && { id }), reason };
}

/**
 * Reserves ids for new documents that other documents link, and returns a function from a path to the id of its SOP.
 * The link needs the id, and the linked document can be in a later request than the link.
 */
async function reserveLinkedIds(
  context: PushContext,
  ready: readonly OutgoingDocument[],
  importId: string,
): Promise<(path: string) => string | undefined> {
  const known = new Map(context.all.flatMap(({ path, id }) => (id === null ? [] : [[path, id] as const])));
  const linked = pathsLinkedInPush(ready);
  const isNew = ({ document: { id } }: OutgoingDocument) => id === null;
  const toSend = ready.some((one) => isNew(one) && linked.has(one.document.path)) ? ready.filter(isNew) : [];
  const purpose = context.options.dryRun ? "plan" : "reserve";
  for (const batch of splitIntoChunks(toSend, limits.importDocuments)) {
    const documents = batch.map((one) => outgoingDocument(context, one, () => undefined));
    for (const { path, id } of await sendInHalves(context, documents, { importId, purpose })) {
      if (id !== undefined) known.set(path, id);
    }
  }
  return (path) => known.get(path);
}

function outgoingDocument(
  { state, remoteSops }: PushContext,
  one: OutgoingDocument,
  idOf: (path: string) => string | undefined,
): ImportDocument {
  const { id, path, version } = one.document;
  const sent = { path, sha256: one.prepared.sha256, text: textWithSopLinks(one, idOf) };
  if (version !== null) return sent;
  const [known = ""] = id === null ? (trackedSopAt(state, path) ?? []) : [id];
  const remoteSop = remoteSops.get(known);
  const baseVersion = remoteSop && baseVersionOf(one.document, state.sops[known], remoteSop);
  return baseVersion ? { ...sent, baseVersion } : sent;
}

/** @returns documents whose images and PDFs are on the server; each other document gets a row */
async function storePushFiles(
  { remote, signal, showProgress: progress }: PushContext,
  batch: readonly OutgoingDocument[],
  rows: SyncRow[],
): Promise<OutgoingDocument[]> {
  const stored = new Set<string>();
  const sendable: OutgoingDocument[] = [];
  for (const one of batch) {
    try {
      for (const file of one.prepared.files) {
        if (stored.has(file.sha256)) continue;
        signal.throwIfAborted();
        await withRetries(() => uploadAsset(remote, file), { signal, isFirst: false, progress });
        stored.add(file.sha256);
      }
      sendable.push(one);
    } catch (error) {
      if (!isAboutDocuments(error)) throw error;
      rows.push(unsendableRow({ document: one.document, reason: failureOf(error).problem.message }));
    }
  }
  return sendable;
}

/** Says whether the server refused a request because of a document's content, and not because of rights or limits. */
function isAboutDocuments(error: unknown): error is ApiError {
  return error instanceof ApiError && [400, 413, 415, 422].includes(error.status);
}

interface PushRequest {
  importId: string;
  purpose: "plan" | "reserve" | "store";
}

/**
 * Sends documents in one request. Halves a refused request until the bad document is alone, so that others are stored.
 */
async function sendInHalves(
  context: PushContext,
  documents: ImportDocument[],
  how: PushRequest,
): Promise<ImportResult[]> {
  if (documents.length === 0) return [];
  try {
    return await sendDocuments(context, documents, how);
  } catch (error) {
    const stored = await findStoredResults(context, documents, how, error);
    if (stored !== null) return stored;
    if (!isAboutDocuments(error)) throw error;
    const [only] = documents;
    if (documents.length === 1 && only !== undefined)
      return [{ path: only.path, outcome: "refused", reason: failureOf(error).problem.message, notes: [] }];
    const half = documents.length >> 1;
    const first = await sendInHalves(context, documents.slice(0, half), how);
    return [...first, ...(await sendInHalves(context, documents.slice(half), how))];
  }
}

/**
 * After a conflict, asks the server for its results. Returns null if it lacks one of the documents, or for other
 * errors. A server that stopped after storing documents and before answering refuses the repeated request.
 */
async function findStoredResults(
  context: PushContext,
  documents: ImportDocument[],
  how: PushRequest,
  error: unknown,
): Promise<ImportResult[] | null> {
  if (how.purpose !== "store" || !(error instanceof ApiError) || error.code !== "conflict") return null;
  const results = await sendDocuments(context, documents, { ...how, purpose: "plan" });
  return results.some(({ outcome }) => outcome === "create" || outcome === "update") ? null : results;
}

function isOnServer({ outcome }: ImportResult): boolean {
  return outcome === "create" || outcome === "update" || outcome === "unchanged";
}

async function sendDocuments(
  { remote, options, signal, showProgress: progress }: PushContext,
  documents: ImportDocument[],
  { importId, purpose }: PushRequest,
): Promise<ImportResult[]> {
  const body = {
    importId,
    documents,
    dryRun: purpose === "plan",
    reserveNumbers: purpose === "reserve",
    resembling: "create" as const,
    ...(options.note !== undefined && { note: options.note }),
  };
  const key = purpose !== "store" ? {} : { idempotencyKey: `${importId}-${idempotencyKeyOf(documents)}` };
  // The client gives a request some seconds after ^C, so its answer is awaited until then.
  const importDocuments = () => remote.client.sops.import({ body, ...key });
  return (await withRetries(importDocuments, { signal, isFirst: false, progress })).results;
}

function idempotencyKeyOf(documents: readonly ImportDocument[]): string {
  return sha256Of(documents.map(({ path, sha256 }) => `${path}\0${sha256}`).join("\n")).slice(0, 40);
}

async function recordPushResult(context: PushContext, document: LocalDocument, result: ImportResult): Promise<SyncRow> {
  const { path } = document;
  const { id, number, version, outcome, title = document.title } = result;
  const about = { path, title, ...(id && { id }), ...(number && { number }), ...(version && { version }) };
  if (outcome === "conflict") {
    return {
      ...about,
      outcome,
      reason: `the server is at version ${version ?? "?"}`,
      hint: "run `sop pull` to merge them",
    };
  }
  if (outcome !== "create" && outcome !== "update" && outcome !== "unchanged") {
    return { ...about, outcome: "refused", reason: result.reason ?? outcome };
  }
  if (context.options.dryRun || id === undefined) return { ...about, outcome };
  return { ...about, outcome, path: await writeServerText(context, document, id) };
}

/** Writes the server's text to the file: number, id, version and the canonical form. @returns the file's new path */
async function writeServerText(context: PushContext, document: LocalDocument, id: string): Promise<string> {
  const { root, remote, state, remoteSops } = context;
  const theirs = await fetchSopText(remote, id);
  const now = theirs === null ? null : documentIdentityOf(theirs, document.path);
  // A file that was edited during the push stays as it is; the next pull merges it.
  const isAsSent = (await readIfExists(document.file))?.equals(Buffer.from(document.text)) === true;
  if (theirs === null || now === null || !isAsSent) return document.path;
  const row = remoteSops.get(id) ?? (await fetchRemoteSop(remote, id));
  const path = document.id === null && !existsSync(join(root, row.path)) ? row.path : document.path;
  await writeFileAtomically(join(root, path), theirs);
  if (path !== document.path) await rm(document.file, { force: true });
  await writeBaseText(root, id, theirs);
  await fetchMissingAssets(remote, root, theirs);
  const version = now.version ?? row.version;
  state.sops[id] = { number: row.number, path, remotePath: row.path, version, sha256: sha256Of(theirs) };
  return path;
}

/** Paths of documents that other documents in the push link to. */
function pathsLinkedInPush(outgoing: readonly OutgoingDocument[]): Set<string> {
  return new Set(outgoing.flatMap(({ prepared }) => prepared.links.map(({ path }) => path)));
}

/**
 * @param idOf returns the id of a document's SOP, existing or planned; links to documents without one stay unchanged
 */
function textWithSopLinks({ prepared }: OutgoingDocument, idOf: (path: string) => string | undefined): string {
  return replaceDocumentLinks(prepared.text, prepared.links, (path) => {
    const id = idOf(path);
    return id === undefined ? undefined : sopAddress(id);
  });
}
