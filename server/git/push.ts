/** Turns a push into drafts. Each changed document is imported and gets its own result. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import { limits } from "#core/limits.ts";
import type { ProposalSource } from "#core/proposals/rules.ts";
import { ImportRequest, type ImportDocument } from "#core/sops/import-schema.ts";
import { isMadeByServer } from "#core/repository/index-files.ts";
import type { Identity, Origin } from "../http/call.ts";
import { toAppError } from "../http/error-body.ts";
import { parseInput } from "../http/input-texts.ts";
import type { Services } from "../http/services.ts";
import { sopPath } from "#core/repository/names.ts";
import type { VersionWriter } from "#core/approvals/writers.ts";
import { proposeArchives } from "../proposals/archive.ts";
import { storeProposals, supersedeOwnProposals, type Proposer, type StoredProposal } from "../proposals/store.ts";
import type { DecidedDocument } from "../sops/import/decide.ts";
import type { PushFacts } from "../sops/import/identity-keys.ts";
import { decideAndApply, importResultOf as resultOfImport } from "../sops/import/import.ts";
import {
  readPushedDocument,
  batchesForImport,
  isDocumentPath,
  isImagePath,
  prepareDocuments,
  refusedResult,
  unpackFiles,
} from "./pushed-documents.ts";
import { findWritersOfCommits } from "./commit-writers.ts";
import { reportNotes, countAndReportResult, type PushCounts, type PushedDocument } from "./push-lines.ts";
import { recordPushedCommits } from "./pushed-before.ts";
import { readKeysOfFiles, findKeysOfPush } from "./pushed-keys.ts";
import { PushRefused, submodule, symbolicLink, type PushedFile, type Quarantine } from "./quarantine.ts";
import { refusals } from "./refusals.ts";

export interface PushCall {
  services: Services;
  /** Identifies the user of the push again. @throws AppError when the user has lost access */
  identify: () => Promise<Identity>;
  origin: Origin;
  quarantine: Quarantine;
  /** A folder that only this push uses. */
  folder: string;
  commit: string;
  signal: AbortSignal;
  say: (...lines: string[]) => void;
  /** The source of the changes; default: `push`. With `mirror`, all changes become proposals instead of drafts. */
  source?: ProposalSource;
  /** The commit on which the pushed commit is based; by default, the server finds it. */
  base?: string;
}

const longestPath = 500;

/** Imports the documents of a push. @throws PushRefused when the whole push is refused */
export async function importPush(call: PushCall): Promise<PushCounts> {
  const { quarantine, commit, say, services, source = "push" } = call;
  await quarantine.check(commit);
  const base = call.base ?? (await quarantine.baseOf(commit));
  const files = await quarantine.changes(base, commit);
  assertFilesAllowed(files);
  const note = (await quarantine.message(base, commit, source === "mirror")).slice(0, limits.noteCharacters);
  const counts: PushCounts = { created: 0, updated: 0, unchanged: 0, proposed: 0, conflicts: 0, refused: 0 };
  const importId = newId();
  const ids = new Map<string, string>();
  const folder = path.join(call.folder, "files");
  await mkdir(folder, { mode: 0o700 });
  const all = await unpackFiles(quarantine, folder, files);
  const isUnlistable = /[\p{Cc}\ufffd]/u;
  const { present, had, ...keys } = await findKeysOfPush(quarantine, files, commit);
  const push = { ...keys, commits: await quarantine.commits(base, commit) };
  /** Ids of SOPs whose file was refused. The file can be a renamed one, so the SOP doesn't count as deleted. */
  const lost = new Set<string>();
  const authors = await quarantine.authors(base, commit);
  const names = (await quarantine.paths(commit)).filter((name) => isDocumentPath(name) && !isUnlistable.test(name));
  const idsOf = async (paths: readonly string[]) => {
    const unchanged = paths.filter((name) => !ids.has(name) && !all.some((file) => file.path === name));
    const named = await readKeysOfFiles(quarantine, unchanged, (name) => `${commit}:${name}`);
    for (const [name, { id }] of named) ids.set(name, id);
    const unknown = all.filter((file) => paths.includes(file.path) && !ids.has(file.path));
    for (const batch of batchesForImport(unknown)) {
      const asked = await Promise.all(batch.map(readPushedDocument));
      const planned = await importSeparately(call, asked, { importId, dryRun: true, push });
      for (const { result } of planned) if (result.id !== undefined) ids.set(result.path, result.id);
    }
    return ids;
  };
  for (const batch of batchesForImport(all.filter(({ path: name }) => isDocumentPath(name)))) {
    const identity = await call.identify();
    const { origin } = call;
    const prepared = await prepareDocuments({ services, identity, origin, folder, all, names, batch, idsOf });
    const { companyId } = identity.actor;
    const writers = await findWritersOfCommits(services.db, companyId, authors);
    const dryRun = source === "mirror";
    const pushed = await importSeparately(
      call,
      prepared.documents,
      { importId, dryRun, push, ...(note && { note }) },
      writers,
    );
    if (!dryRun) await recordPushedCommits(services, companyId, pushed.map(resultOfPushedFile), commit);
    const proposals = await storeAsProposals(
      { identity, origin, source, commit, comment: note || null, writers },
      pushed,
    );
    const refused = prepared.refused.map((result) => ({ result, decided: null }));
    for (const one of [...pushed, ...refused].toSorted((a, b) => (a.result.path < b.result.path ? -1 : 1))) {
      const { result } = one;
      if (result.id !== undefined) ids.set(result.path, result.id);
      const before = push.idsBefore.get(result.path);
      if (result.outcome === "refused" && before !== undefined) lost.add(before.id);
      countAndReportResult(one, proposals.get(one), counts, { url: services.address.url, say });
      if (one.decided) await reportOtherFolder(call, one.decided);
      const notes = prepared.notes.get(result.path) ?? [];
      const isIgnored = ({ code }: { code: string }) => code === "ignored-key";
      const all = [...notes, ...result.notes];
      reportNotes(result.outcome === "unchanged" ? all.filter(isIgnored) : all, say);
    }
  }
  for (const { path: name, oid } of files) {
    if (oid === null || isDocumentPath(name) || isImagePath(name)) continue;
    const reason = isMadeByServer(name)
      ? "the server writes it"
      : "it is not a document below sops/, templates/ or archive/";
    say(`${name}: left out, ${reason}`);
  }
  const comment = note || null;
  const moved = new Set([...ids.values(), ...lost, ...present]);
  counts.proposed += await proposeDeleted(call, files, { had, moved }, { source, commit, comment });
  if (files.length === 0) say("Nothing is changed.");
  if (counts.proposed > 0) say("Proposals wait for a decision. Nothing was overwritten.");
  return counts;

  /**
   * Stores documents that can't become drafts as proposals. Closes earlier proposals for documents that became drafts.
   */
  async function storeAsProposals(
    proposer: Proposer,
    pushed: readonly PushedDocument[],
  ): Promise<Map<PushedDocument, StoredProposal>> {
    const documents = pushed.flatMap(({ decided }) => (decided && becomesProposal(decided, source) ? decided : []));
    const stored = await storeProposals(services, proposer, documents);
    const drafts = source === "push" ? pushed.filter(({ result }) => result.outcome === "update") : [];
    await supersedeOwnProposals(
      services,
      proposer,
      drafts.flatMap(({ result }) => result.id ?? []),
    );
    return new Map(
      pushed.flatMap((one) => {
        const proposal = one.decided && stored.get(one.decided);
        return proposal ? [[one, proposal] as const] : [];
      }),
    );
  }
}

const resultOfPushedFile = ({ result }: PushedDocument) => result;

/**
 * Tells the user that a file in another folder doesn't change the category of its SOP, because a push changes only
 * texts.
 */
async function reportOtherFolder({ services, say }: PushCall, { path: name, sop }: DecidedDocument): Promise<void> {
  if (sop === null) return;
  const categories = await services.companies.categories(sop.companyId);
  // a draft can have another category than the published version
  const folders = [sop.categoryId, sop.published?.categoryId ?? sop.categoryId].map((id) => {
    const categorySlug = categories.find(({ _id }) => _id === id)?.slug ?? null;
    return path.dirname(sopPath({ ...sop, categorySlug, archived: sop.status === "archived" }));
  });
  if (folders.includes(path.dirname(name))) return;
  say(`  its folder changes nothing: ${sop.label} stays in ${folders[0]}/. Move or archive it in the app`);
}

/**
 * Says whether a document becomes a proposal. All changes from a mirror do, because no user of this company made them.
 */
function becomesProposal({ outcome, proposable }: DecidedDocument, source: ProposalSource): boolean {
  return proposable === true || (source === "mirror" && (outcome === "create" || outcome === "update"));
}

/** Refuses the whole push if one file isn't allowed, because the push then isn't an edit of SOPs. */
function assertFilesAllowed(files: readonly PushedFile[]): void {
  for (const { path, mode, oid, size } of files) {
    if (oid === null) continue;
    const problem = pushedFileProblem(path, mode, size);
    if (problem === null) continue;
    const hint = `git rm --cached '${path.slice(0, 200).replaceAll("'", "")}', commit, then push again`;
    throw new PushRefused(`${path.slice(0, longestPath)}: ${problem}`, { hint });
  }
}

function pushedFileProblem(path: string, mode: string, size: number): string | null {
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

type SharedImportFields = Pick<ImportRequest, "importId" | "note"> & { dryRun?: boolean; push: PushFacts };

/**
 * Imports documents so that a bad document doesn't stop the others: if the import is refused, it is repeated for each
 * half, until the bad document is alone.
 */
async function importSeparately(
  call: PushCall,
  documents: ImportDocument[],
  { push, ...shared }: SharedImportFields,
  writers: readonly VersionWriter[] = [],
): Promise<PushedDocument[]> {
  const [only] = documents;
  if (only === undefined) return [];
  const { services, origin, signal } = call;
  try {
    signal.throwIfAborted();
    const identity = await call.identify();
    const body = parseInput(ImportRequest, { ...shared, documents });
    const asked = { identity, body, origin, idempotency: null, words: { writers }, push };
    const decided = await decideAndApply(services, asked);
    return decided.map((one) => ({ result: resultOfImport(one), decided: one }));
  } catch (error) {
    const known = signal.aborted ? new AppError("busy", refusals.slowPush()) : toAppError(error);
    if (known.code === "internal") throw error;
    const isAboutDocuments = [400, 413, 415, 422].includes(known.status);
    if (documents.length === 1 || !isAboutDocuments)
      return documents.map(({ path }) => ({ result: refusedResult(path, known.message), decided: null }));
    const half = documents.length >> 1;
    const first = await importSeparately(call, documents.slice(0, half), { push, ...shared }, writers);
    return [...first, ...(await importSeparately(call, documents.slice(half), { push, ...shared }, writers))];
  }
}

/**
 * Proposes to archive the SOPs of deleted documents. If a document with the same id exists at another path, the
 * document has moved and isn't deleted.
 * @param ids.had the ids of the files before the push, by path
 * @returns the number of proposals
 */
async function proposeDeleted(
  { services, identify, origin, say }: PushCall,
  files: readonly PushedFile[],
  { had, moved }: { had: ReadonlyMap<string, string>; moved: ReadonlySet<string> },
  about: Pick<Proposer, "source" | "commit" | "comment">,
): Promise<number> {
  const deleted = files.filter(({ oid, path, before }) => oid === null && before !== null && isDocumentPath(path));
  const gone = deleted.filter((file) => !moved.has(had.get(file.path) ?? ""));
  const asked = gone.flatMap((file) => {
    const sopId = had.get(file.path);
    return sopId === undefined ? [] : { path: file.path, sopId };
  });
  const found =
    asked.length === 0
      ? null
      : await proposeArchives(services, { ...about, identity: await identify(), origin }, asked);
  let proposed = 0;
  for (const { path } of gone) {
    const archive = found?.get(path);
    if (!archive) say(`${path}: kept. There is no SOP to archive`);
    else if ("refused" in archive.stored) say(`${path}: kept. ${archive.stored.refused}`);
    else {
      const { number, isOld } = archive.stored;
      if (!isOld) proposed++;
      const what = isOld ? `unchanged since proposal ${number}` : `proposal ${number} to archive ${archive.number}`;
      say(`${path}: ${what}`, `  ${services.address.url}/proposals/${number}`);
    }
  }
  return proposed;
}
