/** Workspace → server: what changed here becomes the next version there, unless somebody was faster. */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { limits } from "#core/limits.ts";
import type { ImportResult } from "#core/sops/import-schema.ts";
import { failureOf, type Failure } from "../exit.ts";
import { readIfThere, writeFileWhole } from "../files.ts";
import { chunks } from "../import/batches.ts";
import { withRetries } from "../import/retry.ts";
import { fetchAssets } from "./assets.ts";
import { identityOf, type LocalDocument } from "./documents.ts";
import { fetchText, readRemote, sha256Of, type Remote, type RemoteSop } from "./remote.ts";
import type { SyncRow } from "./rows.ts";
import { saveState, writeBase, type WorkspaceState } from "./state.ts";

export interface PushWish {
  dryRun: boolean;
  note: string | undefined;
}

export interface Pushing {
  root: string;
  remote: Remote;
  state: WorkspaceState;
  /** What the server has, by id. */
  there: ReadonlyMap<string, RemoteSop>;
  wish: PushWish;
  signal: AbortSignal;
  tell: (text: string) => void;
}

export interface Pushed {
  rows: SyncRow[];
  stopped: Failure | null;
}

/** Requests of a push are one import: they share its id, each is one commit. */
export async function pushDocuments(pushing: Pushing, documents: readonly LocalDocument[]): Promise<Pushed> {
  const rows: SyncRow[] = [];
  const importId = randomUUID();
  try {
    const fresh = documents.filter((document) => {
      const row = refusalOf(pushing, document);
      if (row !== null) rows.push(row);
      return row === null;
    });
    for (const [index, batch] of chunks(fresh, limits.importDocuments).entries()) {
      pushing.signal.throwIfAborted();
      pushing.tell(`${index * limits.importDocuments + batch.length} of ${fresh.length}`);
      const results = await send(pushing, batch, { importId, index });
      const byPath = new Map(results.map((result) => [result.path, result]));
      for (const document of batch) {
        const result = byPath.get(document.path);
        if (result) rows.push(await settle(pushing, document, result));
      }
    }
    return { rows, stopped: null };
  } catch (error) {
    const stopped = failureOf(error);
    if (stopped.problem.code === "bug") throw error;
    return { rows, stopped };
  } finally {
    if (!pushing.wish.dryRun) await saveState(pushing.root, pushing.state);
  }
}

/** Said before anything is sent: somebody saved in the meantime, or the SOP is gone. */
function refusalOf({ state, there }: Pushing, { id, path, title }: LocalDocument): SyncRow | null {
  const tracked = id === null ? undefined : state.sops[id];
  if (id === null || tracked === undefined) return null;
  const now = there.get(id);
  const about = { id, number: tracked.number, path, title };
  if (now === undefined) {
    const hint = "delete the lines sop, id and version to make it a new SOP";
    return {
      ...about,
      outcome: "refused",
      reason: `${tracked.number} is deleted, or you may not see it any more`,
      hint,
    };
  }
  if (now.sha256 === tracked.sha256) return null;
  const reason = `the server has version ${now.version}, yours is based on ${tracked.version}`;
  return { ...about, outcome: "conflict", reason, hint: "run `sop pull` to merge them" };
}

async function send(
  { remote, wish, signal }: Pushing,
  batch: readonly LocalDocument[],
  { importId, index }: { importId: string; index: number },
): Promise<ImportResult[]> {
  const body = {
    importId,
    documents: batch.map(({ path, sha256, text }) => ({ path, sha256, text })),
    dryRun: wish.dryRun,
    ...(wish.note !== undefined && { note: wish.note }),
  };
  const key = wish.dryRun ? {} : { idempotencyKey: `${importId}-${index}` };
  const call = () => remote.client.sops.import({ body, ...key, signal });
  return (await withRetries(call, { signal, isFirst: index === 0 })).results;
}

async function settle(pushing: Pushing, document: LocalDocument, result: ImportResult): Promise<SyncRow> {
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
    const reason = result.reason ?? outcome;
    return {
      ...about,
      outcome: "refused",
      reason: reason.startsWith(`${path}: `) ? reason.slice(path.length + 2) : reason,
    };
  }
  if (pushing.wish.dryRun || id === undefined) return { ...about, outcome };
  return { ...about, outcome, path: await takeBack(pushing, document, id) };
}

/** The file gets what the server made of it: number, id, version and the canonical form. @returns where it stands now */
async function takeBack(pushing: Pushing, document: LocalDocument, id: string): Promise<string> {
  const { root, remote, state, there } = pushing;
  const theirs = await fetchText(remote, id);
  const now = theirs === null ? null : identityOf(theirs, document.path);
  // Whoever kept writing keeps what was written: the next pull merges it.
  const isAsSent = (await readIfThere(document.file))?.equals(Buffer.from(document.text)) === true;
  if (theirs === null || now === null || !isAsSent) return document.path;
  const row = there.get(id) ?? (await readRemote(remote, id));
  const path = document.id === null && !existsSync(join(root, row.path)) ? row.path : document.path;
  await writeFileWhole(join(root, path), theirs);
  if (path !== document.path) await rm(document.file, { force: true });
  await writeBase(root, id, theirs);
  await fetchAssets(remote, root, theirs);
  const version = now.version ?? row.version;
  state.sops[id] = { number: row.number, path, remotePath: row.path, version, sha256: sha256Of(theirs) };
  return path;
}
