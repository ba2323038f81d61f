/** Compares each document with the text that it is based on, and with the server if requested. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { mergePath } from "./pending-merge.ts";
import type { LocalDocument } from "./documents.ts";
import { documentsById } from "./sides.ts";
import type { RemoteSop, RemoteSops } from "./remote.ts";
import type { WorkspaceState } from "./state.ts";

export const localStates = {
  unchanged: [" ", "unchanged"],
  modified: ["M", "changed here"],
  added: ["A", "new here"],
  missing: ["D", "its file is missing here"],
  moved: ["R", "moved here"],
  conflict: ["C", "its merge file waits for you"],
  untracked: ["?", "not compared with the server yet"],
} as const;

export const remoteStates = {
  same: [" ", ""],
  newer: ["M", "newer on the server"],
  new: ["A", "new on the server"],
  gone: ["D", "deleted on the server"],
  damaged: ["!", "damaged on the server"],
} as const;

export interface DocumentStatus {
  path: string;
  id: string | null;
  number: string | null;
  title: string;
  local: keyof typeof localStates;
  /** Absent if the server was not asked. */
  remote?: keyof typeof remoteStates;
  /** The version the file is based on. */
  version: number | null;
  remoteVersion?: number;
}

export function documentStatusesOf(
  root: string,
  documents: readonly LocalDocument[],
  state: WorkspaceState | null,
  remote: RemoteSops | null,
): DocumentStatus[] {
  const sops = state?.sops ?? {};
  const byId = documentsById(documents);
  const known = [
    ...new Set([...Object.keys(sops), ...(remote?.sops.keys() ?? []), ...(remote?.damaged.keys() ?? [])]),
  ].flatMap((id): DocumentStatus[] => {
    const tracked = sops[id];
    const local = byId.get(id);
    const now = remote?.sops.get(id);
    if (tracked === undefined && local === undefined && now?.archived) return [];
    return [
      {
        path: local?.path ?? tracked?.path ?? now?.path ?? "",
        id,
        number: tracked?.number ?? now?.number ?? null,
        title: local?.title ?? now?.title ?? "",
        local: localState(root, local, tracked),
        ...(remote && { remote: remote.damaged.has(id) ? "damaged" : remoteState(local, tracked, now) }),
        version: tracked?.version ?? local?.version ?? null,
        ...(now && { remoteVersion: now.version }),
      },
    ];
  });
  const listed = new Set(known.map(({ id }) => id));
  const others = documents
    .filter(({ id }) => id === null || !listed.has(id))
    .map(({ path, id, title, version }): DocumentStatus => {
      // If the server was not asked, it is unknown whether it has an SOP with this id.
      const isOurs = id !== null && remote === null;
      return { path, id, number: null, title, local: isOurs ? "untracked" : "added", version };
    });
  return [...known, ...others].sort((a, b) => (a.path < b.path ? -1 : 1));
}

type TrackedOrNone = WorkspaceState["sops"][string] | undefined;

function localState(root: string, local: LocalDocument | undefined, tracked: TrackedOrNone): DocumentStatus["local"] {
  // The SOP is only on the server, so nothing changed locally.
  if (local === undefined) return tracked === undefined ? "unchanged" : "missing";
  if (tracked === undefined) return "untracked";
  if (existsSync(join(root, mergePath(local.path)))) return "conflict";
  if (local.sha256 !== tracked.sha256) return "modified";
  return local.path === tracked.path ? "unchanged" : "moved";
}

function remoteState(
  local: LocalDocument | undefined,
  tracked: TrackedOrNone,
  now: RemoteSop | undefined,
): keyof typeof remoteStates {
  if (now === undefined) return "gone";
  if (tracked !== undefined) return tracked.sha256 === now.sha256 ? "same" : "newer";
  if (local === undefined) return "new";
  return local.sha256 === now.sha256 || local.version === now.version ? "same" : "newer";
}
