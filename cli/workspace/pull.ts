/**
 * Pulls SOPs from the server, one by one. Each file is replaced as a whole or left alone. Changes on both sides are
 * merged, or shown as a conflict.
 */
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { sha256Of } from "../hashing.ts";
import { failureOf, type CommandFailure, type Problem } from "../exit.ts";
import { writeFileAtomically } from "../files.ts";
import { problemOfOneDocument } from "../left-out-sops.ts";
import { runParallel } from "../run-parallel.ts";
import { fetchMissingAssets } from "./assets.ts";
import { documentIdentityOf, type LocalDocument } from "./documents.ts";
import { baseVersionOf } from "./base-version.ts";
import { mergeDocuments, withServerIdentity } from "./merge.ts";
import { deletePendingMerge, writePendingMerge, mergePath, applyPendingMerge } from "./pending-merge.ts";
import { fetchSopText, type RemoteCompany, type RemoteSop } from "./remote.ts";
import type { SyncRow } from "./rows.ts";
import {
  deleteBaseText,
  readBaseText,
  saveState,
  writeBaseText,
  type TrackedSop,
  type WorkspaceState,
} from "./state.ts";

export interface PullSettings {
  dryRun: boolean;
  onConflict: "merge" | "mine" | "theirs";
  /** True to delete unchanged files of SOPs that the server no longer has. */
  prune: boolean;
}

export interface PullContext {
  root: string;
  remote: RemoteCompany;
  state: WorkspaceState;
  options: PullSettings;
  /** False if the server's list lacks SOPs that it can't read. Nothing is removed then. */
  isListWhole: boolean;
  signal: AbortSignal;
  showProgress: (text: string) => void;
}

/** One SOP with its three sides: the local file, the record of the last pull, and the server. */
export interface PullItem {
  id: string;
  path: string;
  number: string | null;
  remoteSop: RemoteSop | null;
  /** The server's refusal, if it can't read the SOP. */
  damage?: Problem;
  local: LocalDocument | null;
  tracked: TrackedSop | null;
  /** The file of the SOP, if its front matter can't be read. */
  broken?: LocalDocument;
}

export interface PullResult {
  rows: SyncRow[];
  stopped: CommandFailure | null;
}

/** A pull stops if it has read no SOP after this many failures, because the fault then isn't that of single SOPs. */
const failuresAtMost = 20;

/** Pulls SOPs until the server or the disk fails. Files that were written by then stay and are recorded. */
export async function pullItems(context: PullContext, items: readonly PullItem[]): Promise<PullResult> {
  const rows: SyncRow[] = [];
  let done = 0;
  let failed = 0;
  let hasPulled = false;
  const pullOrLeaveOut = async (item: PullItem) => {
    try {
      const row = await pullSop(context, item);
      hasPulled = true;
      return row;
    } catch (error) {
      const row = unreadableSopRow(item, error);
      if (!hasPulled && (failed += 1) >= failuresAtMost) throw error;
      return row;
    }
  };
  try {
    await runParallel(items, async (item) => {
      context.signal.throwIfAborted();
      const row = await pullOrLeaveOut(item);
      if (row !== null) rows.push(row);
      context.showProgress(`${(done += 1)} of ${items.length}`);
    });
    return { rows, stopped: null };
  } catch (error) {
    const stopped = failureOf(error);
    if (stopped.problem.code === "bug") throw error;
    return { rows, stopped };
  } finally {
    if (!context.options.dryRun) await saveState(context.root, context.state);
  }
}

/** @throws the error if it concerns more than this SOP */
function unreadableSopRow(item: PullItem, error: unknown): SyncRow {
  const problem = problemOfOneDocument(item.remoteSop, error);
  if (problem === undefined) throw error;
  return damagedRow(item, problem);
}

/**
 * Returns the row of an SOP that the server can't read. The local file stays, and the pull continues with other SOPs.
 */
function damagedRow({ id, path, number, remoteSop, local }: PullItem, { message }: Problem): SyncRow {
  const about = { id, path: local?.path ?? remoteSop?.path ?? path, ...(number !== null && { number }) };
  return { ...about, outcome: "refused", reason: remoteSop ? message : `${number ?? id}: ${message}` };
}

async function pullSop(context: PullContext, item: PullItem): Promise<SyncRow | null> {
  const { remoteSop, local, tracked, broken, damage } = item;
  if (damage !== undefined) return damagedRow(item, damage);
  if (broken !== undefined) return unreadableFileRow(item, broken);
  if (remoteSop === null) return await pullDeletedSop(context, item);
  if (tracked === null && local === null && remoteSop.archived) return null;
  const about = {
    id: remoteSop.id,
    number: remoteSop.number,
    title: remoteSop.title,
    version: remoteSop.version,
    path: local?.path ?? remoteSop.path,
  };
  if (local === null) return await pullNewSop(context, item, remoteSop, about);
  const merging =
    tracked && !context.options.dryRun && (await applyPendingMerge({ ...context, id: remoteSop.id, tracked }, local));
  if (merging === "open" && context.options.onConflict === "merge")
    return { ...about, outcome: "conflict", ...openMergeFacts(local) };
  if (local.sha256 === remoteSop.sha256) return await recordUnchangedFile(context, item, remoteSop, local.text, about);
  const from = baseVersionOf(local, tracked, remoteSop);
  const isSame = tracked !== null && tracked.sha256 === remoteSop.sha256 && from === tracked.version;
  if (isSame)
    return await moveWithServer(
      context,
      item,
      remoteSop,
      about,
      local.sha256 === tracked.sha256 ? "unchanged" : "kept",
    );
  const theirs = await fetchSopText(context.remote, remoteSop.id);
  // The SOP was deleted after it was listed.
  if (theirs === null) return await pullDeletedSop(context, item);
  const base = from === null ? null : await fetchBaseText(context, item, from);
  if (base !== null && sha256Of(base) === local.sha256)
    return await writePulledFile(context, item, remoteSop, theirs, theirs, about, "update");
  return await mergeBothSides(context, item, remoteSop, { base: base ?? "", mine: local.text, theirs }, about);
}

type SyncRowFacts = Omit<SyncRow, "outcome">;

/**
 * Returns the row of a local file that can't be read and so can't be merged. The pull writes no second file, because
 * then two files would belong to the SOP.
 */
function unreadableFileRow({ id, number }: PullItem, { path, unread = "" }: LocalDocument): SyncRow {
  const about = { id, path, ...(number !== null && { number }) };
  return { ...about, outcome: "refused", reason: unread, hint: "correct it, then pull" };
}

async function pullNewSop(
  context: PullContext,
  item: PullItem,
  remoteSop: RemoteSop,
  about: SyncRowFacts,
): Promise<SyncRow | null> {
  const path = item.tracked?.path ?? remoteSop.path;
  if (existsSync(join(context.root, path))) {
    return {
      ...about,
      path,
      outcome: "conflict",
      reason: "another file is in its place",
      hint: "move it away, then pull",
    };
  }
  const text = context.options.dryRun ? "" : await fetchSopText(context.remote, remoteSop.id);
  if (text === null) return await pullDeletedSop(context, item);
  return await writePulledFile(context, item, remoteSop, text, text, { ...about, path }, "create");
}

async function pullDeletedSop(
  { root, state, options, isListWhole }: PullContext,
  { id, local, tracked }: PullItem,
): Promise<SyncRow | null> {
  if (tracked === null) return null;
  const { number, path } = tracked;
  const about = { id, number, path: local?.path ?? path };
  const reason = `${number} is deleted, or you can't see it anymore`;
  if (!isListWhole) return { ...about, outcome: "gone", reason, hint: "it is kept: the server can't read every SOP" };
  if (local === null || (options.prune && local.sha256 === tracked.sha256)) {
    if (!options.dryRun) {
      if (local !== null) await rm(local.file, { force: true });
      await deleteBaseText(root, id);
      delete state.sops[id];
    }
    return { ...about, outcome: "remove", reason: `${number} isn't on the server anymore` };
  }
  const edited = local.sha256 !== tracked.sha256;
  const hint = edited
    ? "it has your changes: delete the file, or its id line to make it a new SOP"
    : "--prune removes the file";
  return { ...about, outcome: "gone", reason, hint };
}

/** Returns the server's text of the version that the local file was made from; null if it no longer exists. */
async function fetchBaseText(
  { root, remote }: PullContext,
  { id, tracked }: PullItem,
  from: number,
): Promise<string | null> {
  const stored = tracked?.version === from ? await readBaseText(root, id) : null;
  return stored !== null && sha256Of(stored) === tracked?.sha256 ? stored : await fetchSopText(remote, id, from);
}

async function mergeBothSides(
  context: PullContext,
  item: PullItem,
  remoteSop: RemoteSop,
  texts: { base: string; mine: string; theirs: string },
  about: SyncRowFacts,
): Promise<SyncRow> {
  const { root, options, state } = context;
  const { base, mine, theirs } = texts;
  const path = about.path;
  if (options.onConflict === "theirs")
    return await writePulledFile(context, item, remoteSop, theirs, theirs, about, "update");
  if (options.onConflict === "mine")
    return await writePulledFile(context, item, remoteSop, withServerIdentity(mine, theirs), theirs, about, "merge");
  const version = documentIdentityOf(theirs, path).version ?? remoteSop.version;
  const merged = mergeDocuments(base, mine, theirs, { mine: "yours", theirs: `server, version ${version}` });
  if (merged.conflicts === 0)
    return await writePulledFile(context, item, remoteSop, merged.text, theirs, about, "merge");
  const places = `${merged.conflicts} ${merged.conflicts === 1 ? "place" : "places"} changed here and on the server`;
  if (options.dryRun) return { ...about, outcome: "conflict", reason: places };
  await writePendingMerge({ root, id: remoteSop.id, path }, { mine, theirs, merged: merged.text });
  if (item.tracked === null) {
    await writeBaseText(root, remoteSop.id, base);
    state.sops[remoteSop.id] = trackedSop(remoteSop, path, {
      version: item.local?.version ?? 0,
      sha256: sha256Of(base),
    });
  }
  return { ...about, version, outcome: "conflict", reason: places, hint: mergeHint(path) };
}

const mergeHint = (path: string) =>
  `decide in ${mergePath(path)}, then pull again; or pull with --on-conflict mine or theirs`;

function openMergeFacts({ path }: LocalDocument): Pick<SyncRow, "reason" | "hint"> {
  return { reason: "its merge file still has markers", hint: mergeHint(path) };
}

/** Writes `text` to the file, with the server's `theirs` as its base. */
async function writePulledFile(
  context: PullContext,
  item: PullItem,
  remoteSop: RemoteSop,
  text: string,
  theirs: string,
  about: SyncRowFacts,
  outcome: "create" | "update" | "merge",
): Promise<SyncRow> {
  const { root, remote, options } = context;
  if (options.dryRun) return { ...about, outcome };
  const from = item.local?.path ?? null;
  const path = targetPath(context, item, remoteSop, about.path);
  await fetchMissingAssets(remote, root, text);
  await writeFileAtomically(join(root, path), text);
  if (from !== null && from !== path) await rm(join(root, from), { force: true });
  if (from !== null) await deletePendingMerge({ root, id: remoteSop.id, path: from });
  const version = documentIdentityOf(theirs, path).version ?? remoteSop.version;
  await trackPulledSop(context, remoteSop, path, theirs, version);
  return { ...about, path, version, outcome };
}

/** Records a file that already has the server's text. */
async function recordUnchangedFile(
  context: PullContext,
  item: PullItem,
  remoteSop: RemoteSop,
  text: string,
  about: SyncRowFacts,
): Promise<SyncRow> {
  const isKnown = item.tracked?.sha256 === remoteSop.sha256;
  if (!isKnown && !context.options.dryRun)
    await trackPulledSop(context, remoteSop, about.path, text, remoteSop.version);
  return await moveWithServer(
    context,
    { ...item, tracked: context.state.sops[remoteSop.id] ?? item.tracked },
    remoteSop,
    about,
    "unchanged",
  );
}

async function trackPulledSop(
  context: PullContext,
  remoteSop: RemoteSop,
  path: string,
  theirs: string,
  version: number,
): Promise<void> {
  await writeBaseText(context.root, remoteSop.id, theirs);
  context.state.sops[remoteSop.id] = trackedSop(remoteSop, path, { version, sha256: sha256Of(theirs) });
}

function trackedSop(
  { number, path: remotePath }: RemoteSop,
  path: string,
  base: Pick<TrackedSop, "version" | "sha256">,
) {
  return { number, path, remotePath, ...base };
}

/**
 * Returns the server's path for a file whose SOP moved on the server; `path` if it didn't, if the user has moved the
 * file, or if another file has that path.
 */
function targetPath({ root }: PullContext, { tracked, local }: PullItem, remoteSop: RemoteSop, path: string): string {
  const isWhereItWas = tracked !== null && (local === null || local.path === tracked.path);
  const moved = isWhereItWas && tracked.remotePath !== remoteSop.path;
  return moved && !existsSync(join(root, remoteSop.path)) ? remoteSop.path : path;
}

async function moveWithServer(
  context: PullContext,
  item: PullItem,
  remoteSop: RemoteSop,
  about: SyncRowFacts,
  otherwise: "unchanged" | "kept",
): Promise<SyncRow> {
  const { root, state, options } = context;
  const path = targetPath(context, item, remoteSop, about.path);
  const known = state.sops[remoteSop.id];
  if (path === about.path) {
    // The user moved or renamed the file, so it stays and its new path is recorded.
    if (known && !options.dryRun) Object.assign(known, { path, remotePath: remoteSop.path });
    return { ...about, outcome: otherwise };
  }
  if (!options.dryRun) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await rename(join(root, about.path), join(root, path));
    if (known) Object.assign(known, { path, remotePath: remoteSop.path });
  }
  return { ...about, outcome: "move", reason: `to ${path}` };
}
