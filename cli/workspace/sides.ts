/** Reads the three sides of every SOP: the local file, the text that it is based on, and the server's text. */
import { CliError, exit, type Problem } from "../exit.ts";
import { readDocuments, type LocalDocument, type LocalDocuments } from "./documents.ts";
import type { PullItem } from "./pull.ts";
import { listRemoteSops, type RemoteCompany, type RemoteSops } from "./remote.ts";
import type { WorkspaceState } from "./state.ts";

export interface WorkspaceSides extends LocalDocuments {
  server: RemoteSops;
  /** Every SOP that the server or the workspace knows. */
  items: PullItem[];
  /** Files without an id, or with an id that neither the server nor the workspace knows. */
  added: LocalDocument[];
}

interface SidesInput {
  root: string;
  remote: RemoteCompany;
  state: WorkspaceState;
  signal: AbortSignal;
  showProgress: (text: string) => void;
  /** True to report files with the same id and leave them out. Otherwise such files end the run with an error. */
  allowSameId?: boolean;
  /** Further file endings that count as Markdown. */
  ext?: readonly string[];
}

/** @throws exit 2 if two files have the same id, unless `allowSameId` is set */
export async function loadWorkspaceSides(reading: SidesInput): Promise<WorkspaceSides> {
  const { root, remote, state, signal, showProgress } = reading;
  const found = await readDocuments(root, signal, reading.ext);
  const local = reading.allowSameId === true ? withoutFilesOfSameId(found) : found;
  const byId = documentsById(local.documents);
  const server = await listRemoteSops(remote, [...Object.keys(state.sops), ...byId.keys()], showProgress);
  const ids = new Set([...server.sops.keys(), ...server.damaged.keys(), ...Object.keys(state.sops)]);
  const unread = local.documents.filter((document) => document.unread !== undefined);
  const unreadByKey = new Map(unread.map((document) => [document.unreadId ?? document.path, document]));
  const items = [...ids].map((id): PullItem => {
    const tracked = state.sops[id] ?? null;
    const document = byId.get(id) ?? null;
    const sop = server.sops.get(id) ?? null;
    const damage = server.damaged.get(id);
    const place = tracked?.path ?? sop?.path ?? "";
    const path = document?.path ?? place;
    const number = sop?.number ?? tracked?.number ?? null;
    const broken = document === null ? (unreadByKey.get(id) ?? unreadByKey.get(place)) : undefined;
    return {
      id,
      path,
      number,
      remoteSop: sop,
      local: document,
      tracked,
      ...(damage && { damage }),
      ...(broken && { broken }),
    };
  });
  items.sort((a, b) => (a.path < b.path ? -1 : 1));
  const added = local.documents.filter(({ id }) => id === null || !ids.has(id));
  return { ...local, server, items, added };
}

function withoutFilesOfSameId({ documents, unreadable, leftOut }: LocalDocuments): LocalDocuments {
  const byId = Map.groupBy(documents, ({ id, path }) => id ?? path);
  const twins = [...byId.values()].filter(({ length }) => length > 1).flat();
  const problems = twins.map((document) => {
    const other = twins.find((one) => one !== document && one.id === document.id);
    return sameIdProblem(document, other ?? document);
  });
  return {
    documents: documents.filter((one) => !twins.includes(one)),
    unreadable: [...unreadable, ...problems],
    leftOut,
  };
}

function sameIdProblem({ path, id }: LocalDocument, other: LocalDocument): Problem {
  return {
    code: "same_id",
    message: `${other.path} and ${path} have the same id ${id}`,
    path,
    hint: "delete one, or remove sop, id and version from the copy to make it a new SOP",
  };
}

/** Maps documents by id. Fails if two have the same id, because it's unclear which one is the SOP. */
export function documentsById(documents: readonly LocalDocument[]): Map<string, LocalDocument> {
  const byId = new Map<string, LocalDocument>();
  for (const document of documents) {
    if (document.id === null) continue;
    const twin = byId.get(document.id);
    if (twin !== undefined) {
      throw new CliError(exit.invalid, sameIdProblem(document, twin));
    }
    byId.set(document.id, document);
  }
  return byId;
}
