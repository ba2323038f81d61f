/** The three sides of every SOP: the file here, what it was made from, and the server. */
import { invalid } from "../exit.ts";
import { readDocuments, type LocalDocument, type LocalDocuments } from "./documents.ts";
import type { PullItem } from "./pull.ts";
import { listRemote, type Remote } from "./remote.ts";
import type { WorkspaceState } from "./state.ts";

export interface Sides extends LocalDocuments {
  /** Every SOP that the server or the workspace knows. */
  items: PullItem[];
  /** Files without an id: the server has not seen them. */
  added: LocalDocument[];
}

interface Reading {
  root: string;
  remote: Remote;
  state: WorkspaceState;
  signal: AbortSignal;
  showProgress: (text: string) => void;
}

/** @throws exit 2 where two files carry the same id */
export async function readSides({ root, remote, state, signal, showProgress }: Reading): Promise<Sides> {
  const local = await readDocuments(root, signal);
  const remoteSops = await listRemote(remote, showProgress);
  const byId = documentsById(local.documents);
  const ids = new Set([...remoteSops.keys(), ...Object.keys(state.sops)]);
  const items = [...ids].map((id): PullItem => {
    const tracked = state.sops[id] ?? null;
    const document = byId.get(id) ?? null;
    const sop = remoteSops.get(id) ?? null;
    const path = document?.path ?? tracked?.path ?? sop?.path ?? "";
    return { id, path, number: sop?.number ?? tracked?.number ?? null, remoteSop: sop, local: document, tracked };
  });
  items.sort((a, b) => (a.path < b.path ? -1 : 1));
  const added = local.documents.filter(({ id }) => id === null || !ids.has(id));
  return { ...local, items, added };
}

/** Which of two files with one id is the SOP? Changes neither until that is clear. */
export function documentsById(documents: readonly LocalDocument[]): Map<string, LocalDocument> {
  const byId = new Map<string, LocalDocument>();
  for (const document of documents) {
    if (document.id === null) continue;
    const twin = byId.get(document.id);
    if (twin !== undefined) {
      throw invalid("same_id", `${twin.path} and ${document.path} have the same id ${document.id}`, {
        path: document.path,
        hint: "delete one, or remove sop, id and version from the copy to make it a new SOP",
      });
    }
    byId.set(document.id, document);
  }
  return byId;
}
