/**
 * Server → workspace, SOP by SOP. Each file is replaced whole or left alone; changes on both sides are merged or shown.
 */
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { failureOf, type Failure } from "../exit.ts";
import { writeFileWhole } from "../files.ts";
import { inLanes } from "../lanes.ts";
import { fetchAssets } from "./assets.ts";
import { identityOf, type LocalDocument } from "./documents.ts";
import { madeFrom } from "./made-from.ts";
import { mergeDocuments, rebase } from "./merge.ts";
import { forgetMerge, leaveMerge, mergePath, takeMerge } from "./pending-merge.ts";
import { fetchText, sha256Of, type Remote, type RemoteSop } from "./remote.ts";
import type { SyncRow } from "./rows.ts";
import { dropBase, readBase, saveState, writeBase, type TrackedSop, type WorkspaceState } from "./state.ts";

export interface PullWish {
  dryRun: boolean;
  onConflict: "merge" | "mine" | "theirs";
  /** Removes unchanged files of SOPs that are gone on the server. */
  prune: boolean;
}

export interface Pulling {
  root: string;
  remote: Remote;
  state: WorkspaceState;
  wish: PullWish;
  signal: AbortSignal;
  tell: (text: string) => void;
}

/** One SOP, as the three sides know it. */
export interface PullItem {
  id: string;
  path: string;
  number: string | null;
  there: RemoteSop | null;
  local: LocalDocument | null;
  tracked: TrackedSop | null;
}

export interface Pulled {
  rows: SyncRow[];
  stopped: Failure | null;
}

/** Stops at a failure of the server or the disk, between two files. Finished work is kept and recorded. */
export async function pullItems(pulling: Pulling, items: readonly PullItem[]): Promise<Pulled> {
  const rows: SyncRow[] = [];
  let done = 0;
  try {
    await inLanes(items, async (item) => {
      pulling.signal.throwIfAborted();
      const row = await pullOne(pulling, item);
      if (row !== null) rows.push(row);
      pulling.tell(`${(done += 1)} of ${items.length}`);
    });
    return { rows, stopped: null };
  } catch (error) {
    const stopped = failureOf(error);
    if (stopped.problem.code === "bug") throw error;
    return { rows, stopped };
  } finally {
    if (!pulling.wish.dryRun) await saveState(pulling.root, pulling.state);
  }
}

async function pullOne(pulling: Pulling, item: PullItem): Promise<SyncRow | null> {
  const { there, local, tracked } = item;
  if (there === null) return await pullGone(pulling, item);
  if (tracked === null && local === null && there.archived) return null;
  const about = {
    id: there.id,
    number: there.number,
    title: there.title,
    version: there.version,
    path: local?.path ?? there.path,
  };
  if (local === null) return await pullNew(pulling, item, there, about);
  const merging = tracked && !pulling.wish.dryRun && (await takeMerge({ ...pulling, id: there.id, tracked }, local));
  if (merging === "open" && pulling.wish.onConflict === "merge")
    return { ...about, outcome: "conflict", ...openMerge(local) };
  if (local.sha256 === there.sha256) return await adopt(pulling, item, there, local.text, about);
  const from = madeFrom(local, tracked, there);
  const isSame = tracked !== null && tracked.sha256 === there.sha256 && from === tracked.version;
  if (isSame)
    return await moveOrKeep(pulling, item, there, about, local.sha256 === tracked.sha256 ? "unchanged" : "kept");
  const theirs = await fetchText(pulling.remote, there.id);
  // It went since it was listed.
  if (theirs === null) return await pullGone(pulling, item);
  const base = from === null ? null : await baseText(pulling, item, from);
  if (base !== null && sha256Of(base) === local.sha256)
    return await write(pulling, item, there, theirs, theirs, about, "update");
  return await mergeBoth(pulling, item, there, { base: base ?? "", mine: local.text, theirs }, about);
}

type About = Omit<SyncRow, "outcome">;

async function pullNew(pulling: Pulling, item: PullItem, there: RemoteSop, about: About): Promise<SyncRow | null> {
  const path = item.tracked?.path ?? there.path;
  if (existsSync(join(pulling.root, path))) {
    return {
      ...about,
      path,
      outcome: "conflict",
      reason: "another file is in its place",
      hint: "move it away, then pull",
    };
  }
  const text = pulling.wish.dryRun ? "" : await fetchText(pulling.remote, there.id);
  if (text === null) return await pullGone(pulling, item);
  return await write(pulling, item, there, text, text, { ...about, path }, "create");
}

async function pullGone({ root, state, wish }: Pulling, { id, local, tracked }: PullItem): Promise<SyncRow | null> {
  if (tracked === null) return null;
  const { number, path } = tracked;
  const about = { id, number, path: local?.path ?? path };
  if (local === null || (wish.prune && local.sha256 === tracked.sha256)) {
    if (!wish.dryRun) {
      if (local !== null) await rm(local.file, { force: true });
      await dropBase(root, id);
      delete state.sops[id];
    }
    return { ...about, outcome: "remove", reason: `${number} isn't on the server anymore` };
  }
  const edited = local.sha256 !== tracked.sha256;
  const hint = edited
    ? "it has your changes: delete the file, or its id line to make it a new SOP"
    : "--prune removes the file";
  return { ...about, outcome: "gone", reason: `${number} is deleted, or you can't see it anymore`, hint };
}

/** The server's text of the version that the local file was made from; null if it no longer exists. */
async function baseText({ root, remote }: Pulling, { id, tracked }: PullItem, from: number): Promise<string | null> {
  const kept = tracked?.version === from ? await readBase(root, id) : null;
  return kept !== null && sha256Of(kept) === tracked?.sha256 ? kept : await fetchText(remote, id, from);
}

async function mergeBoth(
  pulling: Pulling,
  item: PullItem,
  there: RemoteSop,
  texts: { base: string; mine: string; theirs: string },
  about: About,
): Promise<SyncRow> {
  const { root, wish, state } = pulling;
  const { base, mine, theirs } = texts;
  const path = about.path;
  if (wish.onConflict === "theirs") return await write(pulling, item, there, theirs, theirs, about, "update");
  if (wish.onConflict === "mine")
    return await write(pulling, item, there, rebase(mine, theirs), theirs, about, "merge");
  const version = identityOf(theirs, path).version ?? there.version;
  const merged = mergeDocuments(base, mine, theirs, { mine: "yours", theirs: `server, version ${version}` });
  if (merged.conflicts === 0) return await write(pulling, item, there, merged.text, theirs, about, "merge");
  const places = `${merged.conflicts} ${merged.conflicts === 1 ? "place" : "places"} changed here and on the server`;
  if (wish.dryRun) return { ...about, outcome: "conflict", reason: places };
  await leaveMerge({ root, id: there.id, path }, { mine, theirs, merged: merged.text });
  if (item.tracked === null) {
    await writeBase(root, there.id, base);
    state.sops[there.id] = trackedAs(there, path, { version: item.local?.version ?? 0, sha256: sha256Of(base) });
  }
  return { ...about, version, outcome: "conflict", reason: places, hint: mergeHint(path) };
}

const mergeHint = (path: string) =>
  `decide in ${mergePath(path)}, then pull again; or pull with --on-conflict mine or theirs`;

function openMerge({ path }: LocalDocument): Pick<SyncRow, "reason" | "hint"> {
  return { reason: "its merge file still has markers", hint: mergeHint(path) };
}

/** The file gets `text`, made from the server's `theirs`. */
async function write(
  pulling: Pulling,
  item: PullItem,
  there: RemoteSop,
  text: string,
  theirs: string,
  about: About,
  outcome: "create" | "update" | "merge",
): Promise<SyncRow> {
  const { root, remote, wish } = pulling;
  if (wish.dryRun) return { ...about, outcome };
  const from = item.local?.path ?? null;
  const path = targetPath(pulling, item, there, about.path);
  await writeFileWhole(join(root, path), text);
  if (from !== null && from !== path) await rm(join(root, from), { force: true });
  if (from !== null) await forgetMerge({ root, id: there.id, path: from });
  await fetchAssets(remote, root, text);
  const version = identityOf(theirs, path).version ?? there.version;
  await track(pulling, there, path, theirs, version);
  return { ...about, path, version, outcome };
}

/** The file is the server's already: it is known from now on. */
async function adopt(pulling: Pulling, item: PullItem, there: RemoteSop, text: string, about: About): Promise<SyncRow> {
  const isKnown = item.tracked?.sha256 === there.sha256;
  if (!isKnown && !pulling.wish.dryRun) await track(pulling, there, about.path, text, there.version);
  return await moveOrKeep(
    pulling,
    { ...item, tracked: pulling.state.sops[there.id] ?? item.tracked },
    there,
    about,
    "unchanged",
  );
}

async function track(pulling: Pulling, there: RemoteSop, path: string, theirs: string, version: number): Promise<void> {
  await writeBase(pulling.root, there.id, theirs);
  pulling.state.sops[there.id] = trackedAs(there, path, { version, sha256: sha256Of(theirs) });
}

function trackedAs(
  { number, path: remotePath }: RemoteSop,
  path: string,
  base: Pick<TrackedSop, "version" | "sha256">,
) {
  return { number, path, remotePath, ...base };
}

/** An SOP that moved on the server (another category, archived) moves here too, unless its writer put it elsewhere. */
function targetPath({ root }: Pulling, { tracked, local }: PullItem, there: RemoteSop, path: string): string {
  const isWhereItWas = tracked !== null && (local === null || local.path === tracked.path);
  const moved = isWhereItWas && tracked.remotePath !== there.path;
  return moved && !existsSync(join(root, there.path)) ? there.path : path;
}

async function moveOrKeep(
  pulling: Pulling,
  item: PullItem,
  there: RemoteSop,
  about: About,
  otherwise: "unchanged" | "kept",
): Promise<SyncRow> {
  const { root, state, wish } = pulling;
  const path = targetPath(pulling, item, there, about.path);
  const known = state.sops[there.id];
  if (path === about.path) {
    // Its writer moved or renamed it.
    if (known && !wish.dryRun) Object.assign(known, { path, remotePath: there.path });
    return { ...about, outcome: otherwise };
  }
  if (!wish.dryRun) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await rename(join(root, about.path), join(root, path));
    if (known) Object.assign(known, { path, remotePath: there.path });
  }
  return { ...about, outcome: "move", reason: `to ${path}` };
}
