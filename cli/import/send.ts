/** Sends an import to the server: hashes first, then only what the server does not know unchanged. */
import { randomUUID } from "node:crypto";
import { limits } from "#core/limits.ts";
import { ApiError } from "#core/contract/client.ts";
import type { ImportAnswer, ImportDocument, ImportResult } from "#core/sops/import-schema.ts";
import { exit, failureOf, type Failure } from "../exit.ts";
import type { SopClient } from "../server.ts";
import { batches, chunks } from "./batches.ts";
import type { Candidate } from "./examine.ts";
import type { PlanRow } from "./plan.ts";
import { withRetries } from "./retry.ts";

export interface SendOptions {
  dryRun: boolean;
  category?: string | undefined;
  createCategories: boolean;
  onConflict: "skip" | "theirs" | "copy";
}

export interface Surroundings {
  client: Pick<SopClient, "sops">;
  signal: AbortSignal;
  progress(text: string | null): void;
  /** Milliseconds between tries. */
  waits?: readonly number[];
}

export interface Sent {
  importId: string;
  rows: PlanRow[];
  quota: Quota | null;
  /** What ended the run early; what was not sent by then has the outcome `unknown`. */
  stopped: Failure | null;
}

interface Quota {
  free: number;
  needed: number;
}

interface Run extends Surroundings {
  importId: string;
  options: SendOptions;
  rows: Map<string, PlanRow>;
  free: number | null;
  requests: number;
}

export async function sendImport(
  candidates: readonly Candidate[],
  options: SendOptions,
  around: Surroundings,
): Promise<Sent> {
  const rows = new Map(candidates.map(({ path }) => [path, notSent(path)]));
  const run: Run = { ...around, importId: randomUUID(), options, rows, free: null, requests: 0 };
  try {
    const changed = await compareHashes(run, candidates);
    const mayNotFit = run.free !== null && changed.length > run.free;
    // The quota refuses before anything is written; a real run makes the plan first only where it could.
    if (options.dryRun || mayNotFit) await sendAll(run, changed, true);
    const quota = quotaOf(run);
    const stopped = quota !== null && quota.needed > quota.free ? quotaFailure(quota) : null;
    if (options.dryRun) return ended(run, quota, stopped);
    withdrawPlan(run);
    if (stopped === null) await sendAll(run, changed, false);
    return ended(run, quota, stopped);
  } catch (error) {
    const stopped = failureOf(error);
    if (stopped.problem.code === "bug") throw error;
    return ended(run, quotaOf(run), stopped);
  }
}

function ended({ importId, rows }: Run, quota: Quota | null, stopped: Failure | null): Sent {
  return { importId, rows: [...rows.values()], quota, stopped };
}

function notSent(path: string): PlanRow {
  return { path, outcome: "unknown", reason: "not sent", notes: [] };
}

/** Few bytes say what is unchanged, so that a second run is quick. @returns the rest */
async function compareHashes(run: Run, candidates: readonly Candidate[]): Promise<Candidate[]> {
  let compared = 0;
  for (const chunk of chunks(candidates, limits.importDocuments)) {
    run.progress(`comparing ${(compared += chunk.length)} of ${candidates.length}`);
    const documents = chunk.map(({ path, sha256 }) => ({ path, sha256 }));
    take(run, await request(run, documents, true));
  }
  return candidates.filter(({ path }) => !isSettled(run.rows.get(path)));
}

function isSettled(row: PlanRow | undefined): boolean {
  return row?.outcome === "unchanged" || row?.outcome === "duplicate" || row?.outcome === "skip";
}

async function sendAll(run: Run, candidates: readonly Candidate[], dryRun: boolean): Promise<void> {
  let sent = 0;
  for await (const batch of batches(candidates)) {
    for (const row of batch.refused) run.rows.set(row.path, row);
    run.progress(`${dryRun ? "planning" : "importing"} ${(sent += batch.documents.length)} of ${candidates.length}`);
    await sendBatch(run, batch.documents, dryRun);
  }
}

/** One document that breaks a request must not stop the others: the request is halved until it stands alone. */
async function sendBatch(run: Run, documents: readonly ImportDocument[], dryRun: boolean): Promise<void> {
  if (documents.length === 0) return;
  try {
    take(run, await request(run, documents, dryRun));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const isAboutDocuments = error.status === 400 || error.status === 413 || error.status === 422;
    if (isAboutDocuments && documents.length > 1) {
      const half = Math.ceil(documents.length / 2);
      await sendBatch(run, documents.slice(0, half), dryRun);
      await sendBatch(run, documents.slice(half), dryRun);
    } else if (isAboutDocuments || error.code === "limit_reached") settle(run, documents, "refused", error);
    else if (error.code === "conflict") settle(run, documents, "conflict", error);
    else throw error;
  }
}

async function request(run: Run, documents: readonly ImportDocument[], dryRun: boolean): Promise<ImportAnswer> {
  const { category, createCategories, onConflict } = run.options;
  const { importId, client, signal, waits } = run;
  const body = {
    importId,
    documents: [...documents],
    dryRun,
    createCategories,
    onConflict,
    ...(category !== undefined && { category }),
  };
  const isFirst = run.requests === 0;
  run.requests += 1;
  const key = dryRun ? {} : { idempotencyKey: `${importId}-${run.requests}` };
  return await withRetries(() => client.sops.import({ body, ...key, signal }), { signal, isFirst, waits });
}

function take(run: Run, { results, quota }: ImportAnswer): void {
  for (const result of results) run.rows.set(result.path, withoutPath(result));
  run.free = quota.free;
}

/** The path stands in its own column. */
function withoutPath(result: ImportResult): PlanRow {
  const { path, reason } = result;
  return reason?.startsWith(`${path}: `) ? { ...result, reason: reason.slice(path.length + 2) } : result;
}

function settle(run: Run, documents: readonly ImportDocument[], outcome: "refused" | "conflict", error: ApiError) {
  const { problem } = failureOf(error);
  for (const { path } of documents) {
    const { code, message: reason, hint } = problem;
    run.rows.set(path, { path, outcome, code, reason, hint, notes: [] });
  }
}

function quotaOf({ rows, free }: Run): Quota | null {
  if (free === null) return null;
  return { free, needed: [...rows.values()].filter(({ outcome }) => outcome === "create").length };
}

function quotaFailure({ free, needed }: Quota): Failure {
  return {
    exit: exit.invalid,
    problem: {
      code: "limit_reached",
      message: `this import would create ${needed} SOPs and the company has room for ${free}: nothing was written`,
      hint: "import fewer, archive or delete some, or have the company's limit raised",
    },
  };
}

/** What was only planned has not happened. */
function withdrawPlan(run: Run): void {
  for (const { path, outcome } of run.rows.values()) {
    if (outcome === "create" || outcome === "update") run.rows.set(path, notSent(path));
  }
}
