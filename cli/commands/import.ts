import { resolve } from "node:path";
import type { Layout } from "#core/import/layouts.ts";
import { newId } from "#core/ids.ts";
import { exit, invalidInputError, type Problem } from "../exit.ts";
import { examineBundles, type ExamineResult } from "../import/examine.ts";
import { openJournal, findUnfinishedImport, type Journal } from "../import/journal.ts";
import { importExitCode, planText, problemsOfRows, importTotalsOf, type PlanRow } from "../import/plan.ts";
import { assertPlanMatches, readPlan, savePlan, type SavedPlan } from "../import/saved-plan.ts";
import { sendImport, type SendResult } from "../import/send.ts";
import { openSources } from "../import/sources.ts";
import { writeImportToFolder } from "../import/to-folder.ts";
import { uploadAsset } from "../import/upload.ts";
import { printLeftOut } from "../left-out.ts";
import { createGraceSignal } from "../grace.ts";
import { connectSignedIn, type SignedInClient } from "../server.ts";
import { announceTarget, type WriteTarget } from "../write-target.ts";
import type { CommandContext, CommandResult } from "../context.ts";

export interface ImportOptions {
  dryRun?: boolean;
  detailedExitcode?: boolean;
  category?: string;
  createCategories?: boolean;
  categoryFrom?: "folders";
  tagsFrom?: "folders";
  onConflict: "skip" | "theirs" | "copy";
  toDir?: string;
  from?: Layout;
  split?: "heading";
  ext?: string[];
  limit?: number;
  failFast?: boolean;
  planOut?: string;
  apply?: string;
  resume?: boolean;
}

/** Milliseconds after ^C in which the server can still report which documents it has. */
const lateMs = 10_000;

/** The sources, target and id of one import. */
interface ImportJob {
  sources: string[];
  options: ImportOptions;
  /** null if the import writes files to a folder. */
  server: SignedInClient | null;
  target: string;
  /** The server and company to write to. Null for a folder, and until the target has been printed. */
  named: WriteTarget | null;
  importId: string;
  /** The plan of `--apply`; null without that flag. */
  plan: SavedPlan | null;
}

export async function importSops(
  context: CommandContext,
  named: string[],
  given: ImportOptions,
): Promise<CommandResult> {
  const job = await prepareImportJob(context, named, given);
  const opened = await openSources(
    job.sources,
    {
      from: job.options.from ?? "auto",
      ext: job.options.ext ?? [],
      split: job.options.split === "heading",
      into: job.server === null ? job.target : null,
    },
    context,
  );
  try {
    const examined = await examineBundles(
      opened.bundles,
      {
        categories: job.options.categoryFrom === "folders",
        tags: job.options.tagsFrom === "folders",
        split: job.options.split === "heading",
      },
      context.signal,
    );
    if (examined.deeper > 0) {
      const documents = examined.deeper === 1 ? "1 document is" : `${examined.deeper} documents are`;
      context.out.note(`${documents} below the second folder; --tags-from folders keeps deeper folders as tags`);
    }
    const others = [...opened.rows, ...examined.refused];
    if (job.server !== null) job.named = await announceTarget(context, job.server);
    if (job.plan !== null) await assertPlanIsCurrent(context, job, job.plan, examined, others);
    const sent = await runJournaledImport(context, job, examined, others);
    const rows = [...others, ...sent.rows];
    const { planOut } = job.options;
    if (planOut !== undefined && sent.stopped === null) {
      await savePlan(
        resolve(context.cwd, planOut),
        { ...storedJobOf(job), importId: sent.importId },
        rows,
        examined.candidates,
      );
    }
    printLeftOut(context.out, opened.leftOut);
    const result = importCommandResult(context, job, sent, rows);
    return { ...result, data: { ...result.data, leftOut: opened.leftOut } };
  } finally {
    await opened.close();
  }
}

/** Returns the fields of a job that a saved plan and the journal of an import store. */
function storedJobOf({ sources, target, options }: ImportJob) {
  const { category, createCategories, categoryFrom, tagsFrom, onConflict, toDir } = options;
  const { from, ext, split, limit, failFast } = options;
  const placing = { category, createCategories, categoryFrom, tagsFrom, onConflict, toDir };
  const all = { ...placing, from, ext, split, limit, failFast };
  return {
    sources,
    target,
    options: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
  };
}

async function prepareImportJob(context: CommandContext, named: string[], given: ImportOptions): Promise<ImportJob> {
  const { apply, planOut, resume } = given;
  if (apply !== undefined && resume) throw usageError("--apply and --resume can't be combined");
  if ((apply !== undefined || resume) && named.length > 0)
    throw usageError("--apply and --resume can't be used with sources");
  if (apply !== undefined && planOut !== undefined) throw usageError("--apply and --plan-out can't be combined");
  const plan = apply === undefined ? null : await readPlan(apply, context.cwd);
  const before = await findUnfinishedImport(context.cwd);
  if (resume && before === null) {
    throw invalidInputError("nothing_to_resume", "no interrupted import in this folder", {
      hint: "run the import itself",
    });
  }
  const old = plan ?? (resume ? before?.start : undefined);
  const remembered = (old?.options ?? {}) as Partial<ImportOptions>;
  const options: ImportOptions = { ...given, ...remembered, ...(planOut !== undefined && { dryRun: true }) };
  const sources = old?.sources ?? named;
  if (sources.length === 0) throw usageError("name what to import: files, folders, zips or repositories");
  if (options.split !== undefined && sources.includes("-")) {
    throw invalidInputError("usage", "--split needs a file: parts of stdin would have no path to be known by", {
      hint: "sop import handbook.md --split heading",
    });
  }
  if (options.toDir !== undefined && options.categoryFrom !== undefined) {
    throw invalidInputError("usage", "--category-from can't be used with --to-dir, which keeps the folders", {
      hint: "--tags-from folders",
    });
  }
  // Check the sign-in before reading a thousand files.
  const server =
    options.toDir === undefined
      ? await connectSignedIn({ ...context, signal: createGraceSignal(context.signal) })
      : null;
  const target = server === null ? resolve(context.cwd, options.toDir ?? ".") : server.connection.server;
  if (old !== undefined && old.target !== target) {
    throw invalidInputError("other_target", `it's for ${old.target}, but this import goes to ${target}`);
  }
  // If the same sources were imported in part, the import keeps its id, because documents already link to ids made from
  // it.
  const isContinuation =
    before !== null && before.start.target === target && hasSameValues(before.start.sources, sources);
  const importId = plan?.importId ?? (isContinuation && before !== null ? before.start.importId : newId());
  if (resume && before !== null) context.out.note(`continuing after ${before.done} documents`);
  return { sources, options, server, target, named: null, importId, plan };
}

function hasSameValues(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}

function usageError(message: string) {
  return invalidInputError("usage", message, { hint: "sop import --help" });
}

async function runJournaledImport(
  context: CommandContext,
  job: ImportJob,
  { candidates, refused }: ExamineResult,
  others: readonly PlanRow[],
): Promise<SendResult> {
  const { options, importId } = job;
  const dryRun = options.dryRun === true;
  if (options.failFast && !dryRun && (refused.length > 0 || others.some(({ outcome }) => outcome === "refused"))) {
    const rows = candidates.map(({ path }): PlanRow => ({ path, outcome: "unknown", reason: "not sent", notes: [] }));
    return { importId, rows, quota: null, stopped: null, onServer: null };
  }
  const journal = openJournal({ ...storedJobOf(job), importId, cwd: context.cwd }, context.out.detail);
  const sent = await runImportJob(context, job, candidates, journal, dryRun);
  if (!dryRun && sent.stopped === null) await journal.end();
  return sent;
}

async function runImportJob(
  context: CommandContext,
  job: ImportJob,
  candidates: ExamineResult["candidates"],
  journal: Journal,
  dryRun: boolean,
): Promise<SendResult> {
  const { options, server, importId } = job;
  const { recordRows } = journal;
  if (server === null)
    return await writeImportToFolder(
      candidates,
      { ...options, dryRun, importId, onRowsDone: recordRows, folder: job.target },
      context,
    );
  const { signal, out } = context;
  return await sendImport(
    candidates,
    { ...options, importId, dryRun, createCategories: options.createCategories === true },
    {
      client: server.client,
      lateClient: async () => (await connectSignedIn({ ...context, signal: AbortSignal.timeout(lateMs) })).client,
      signal,
      progress: out.progress,
      onRowsDone: recordRows,
      upload: (file) => uploadAsset(server, file),
    },
  );
}

/**
 * Checks that the server would still do what the plan says.
 * @throws exit 2 if the plan is out of date; nothing has been changed then
 */
async function assertPlanIsCurrent(
  context: CommandContext,
  job: ImportJob,
  plan: SavedPlan,
  examined: ExamineResult,
  others: readonly PlanRow[],
): Promise<void> {
  const journal = openJournal({ ...storedJobOf(job), importId: job.importId, cwd: context.cwd }, context.out.detail);
  const now = await runImportJob(context, job, examined.candidates, journal, true);
  if (now.stopped === null) assertPlanMatches(plan, [...others, ...now.rows], examined.candidates);
}

function importCommandResult(
  { out }: CommandContext,
  { options, named }: ImportJob,
  sent: SendResult,
  rows: readonly PlanRow[],
) {
  const dryRun = options.dryRun === true;
  const totals = importTotalsOf(rows);
  const stopped: Problem[] = sent.stopped === null ? [] : [stoppedImportProblem(sent, totals.unknown ?? 0)];
  if (!out.json) for (const problem of stopped) out.problem(problem);
  return {
    exit: importExitCode(totals, {
      dryRun,
      detailed: options.detailedExitcode === true,
      stopped: sent.stopped?.exit ?? null,
    }),
    data: { importId: sent.importId, ...named, dryRun, totals, quota: sent.quota, results: rows },
    text: planText(rows, dryRun, out.verbose),
    errors: [...stopped, ...problemsOfRows(rows)],
    errorsInText: true,
  };
}

function stoppedImportProblem({ stopped, onServer }: SendResult, unsent: number): Problem {
  const { ...problem } = stopped?.problem ?? { code: "bug", message: "" };
  if (stopped?.exit === exit.invalid) return problem;
  if (onServer !== null) problem.message += `: ${onServer}`;
  const again = "run the same command again: finished documents stay unchanged";
  const hint = unsent === 0 ? problem.hint : [problem.hint, again].filter(Boolean).join("; ");
  return { ...problem, ...(hint !== undefined && { hint }) };
}
