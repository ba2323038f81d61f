/** A push becomes drafts: each changed document goes the way of an import and gets one result. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import { limits } from "#core/limits.ts";
import { ImportRequest, type ImportDocument, type ImportResult } from "#core/sops/import-schema.ts";
import type { Identity, Origin } from "../http/call.ts";
import { toAppError } from "../http/error-body.ts";
import { parseInput } from "../http/input-texts.ts";
import type { Services } from "../http/services.ts";
import { importDocuments } from "../sops/import/import.ts";
import {
  asPushed,
  batchesOf,
  isDocument,
  isPicture,
  prepareDocuments,
  refusal,
  unpackFiles,
} from "./pushed-documents.ts";
import { rememberPushed, withPushedVersions } from "./pushed-before.ts";
import { PushRefused, submodule, symbolicLink, type PushedFile, type Quarantine } from "./quarantine.ts";

export interface PushCall {
  services: Services;
  /** The user of the push as of now. @throws AppError when it has lost access */
  identify: () => Promise<Identity>;
  origin: Origin;
  quarantine: Quarantine;
  /** A folder of this push alone. */
  folder: string;
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

const longestPath = 500;

/** @throws PushRefused when nothing of the push may be taken */
export async function takePush(call: PushCall): Promise<PushCounts> {
  const { quarantine, commit, say, services } = call;
  await quarantine.check(commit);
  const base = await quarantine.baseOf(commit);
  const files = await quarantine.changes(base, commit);
  assertFiles(files);
  const note = (await quarantine.message(base, commit)).slice(0, limits.noteCharacters);
  const counts: PushCounts = { created: 0, updated: 0, unchanged: 0, conflicts: 0, refused: 0 };
  const importId = newId();
  const ids = new Map<string, string>();
  const folder = path.join(call.folder, "files");
  await mkdir(folder, { mode: 0o700 });
  const all = await unpackFiles(quarantine, folder, files);
  const isUnlistable = /[\p{Cc}\ufffd]/u;
  const commits = await quarantine.commits(base, commit);
  const names = (await quarantine.paths(commit)).filter((name) => isDocument(name) && !isUnlistable.test(name));
  const idsOf = async (paths: readonly string[]) => {
    const unchanged = paths.filter((name) => !ids.has(name) && !all.some((file) => file.path === name));
    for (const [name, id] of await idsIn(quarantine, unchanged, (name) => `${commit}:${name}`)) ids.set(name, id);
    const unknown = all.filter((file) => paths.includes(file.path) && !ids.has(file.path));
    for (const batch of batchesOf(unknown)) {
      const asked = await Promise.all(batch.map(asPushed));
      const planned = await importApart(call, asked, { importId, dryRun: true });
      for (const { path: name, id } of planned) if (id !== undefined) ids.set(name, id);
    }
    return ids;
  };
  for (const batch of batchesOf(all.filter(({ path: name }) => isDocument(name)))) {
    const identity = await call.identify();
    const { origin } = call;
    const prepared = await prepareDocuments({ services, identity, origin, folder, all, names, batch, idsOf });
    const { companyId } = identity.actor;
    const based = await withPushedVersions(services, companyId, prepared.documents, commits);
    const results = await importApart(call, based, { importId, ...(note && { note }) });
    await rememberPushed(services, companyId, results, commit);
    for (const result of [...results, ...prepared.refused]) {
      if (result.id !== undefined) ids.set(result.path, result.id);
      sayResult(result, counts, services.address.url, say);
      const notes = prepared.notes.get(result.path) ?? [];
      if (result.outcome !== "unchanged") sayNotes([...notes, ...result.notes], say);
    }
  }
  for (const { path: name, oid } of files) {
    if (oid !== null && !isDocument(name) && !isPicture(name))
      say(`${name}: left out, it is not a document below sops/, templates/ or archive/`);
  }
  await sayDeleted(call, files, new Set(ids.values()));
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

type Shared = Pick<ImportRequest, "importId" | "note"> & { dryRun?: boolean };

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
    const known = signal.aborted ? new AppError("busy", "The push took too long") : toAppError(error);
    if (known.code === "internal") throw error;
    const isAboutDocuments = [400, 413, 415, 422].includes(known.status);
    if (documents.length === 1 || !isAboutDocuments) return documents.map(({ path }) => refusal(path, known.message));
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

const notesAtMost = 5;

/** What was mapped, kept or not found in the text. `sop push -v` has the other notes. */
function sayNotes(notes: ImportResult["notes"], say: PushCall["say"]): void {
  const inText = notes.filter(({ line }) => line !== undefined);
  const told = [...new Set(inText.map(({ line, message }) => `line ${line}: ${message}`))];
  say(...told.slice(0, notesAtMost).map((note) => `  ${note}`));
  if (told.length > notesAtMost) say(`  … and ${told.length - notesAtMost} more`);
}

/** A moved document comes back under another path, with its id. */
async function sayDeleted(
  { quarantine, services, say }: PushCall,
  files: readonly PushedFile[],
  moved: ReadonlySet<string>,
) {
  const deleted = files.filter(({ oid, path, before }) => oid === null && before !== null && isDocument(path));
  const ids = await idsIn(quarantine, deleted, ({ before }) => before ?? "");
  for (const file of deleted) {
    const id = ids.get(file);
    if (id !== undefined && moved.has(id)) continue;
    say(`${file.path}: kept. A push deletes nothing: archive the SOP in the browser`);
    if (id !== undefined) say(`  ${services.address.url}/sop/${id}`);
  }
}

/** The ids in files that the server wrote. @param nameOf as `Quarantine.read` takes it */
async function idsIn<File>(
  quarantine: Quarantine,
  files: readonly File[],
  nameOf: (file: File) => string,
): Promise<Map<File, string>> {
  const found = new Map<File, string>();
  for (let at = 0; at < files.length; at += limits.importDocuments) {
    const batch = files.slice(at, at + limits.importDocuments);
    const contents = await quarantine.read(batch.map(nameOf));
    for (const [index, file] of batch.entries()) {
      const [, id] = /^id: "([0-9a-f-]{36})"$/m.exec(contents[index]?.toString("utf8", 0, 4096) ?? "") ?? [];
      if (id !== undefined) found.set(file, id);
    }
  }
  return found;
}
