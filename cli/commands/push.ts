import { dirname } from "node:path/posix";
import { exit, failureOf, invalidInputError, messageWithoutPath, type Problem } from "../exit.ts";
import { createGraceSignal } from "../grace.ts";
import { printLeftOut } from "../left-out.ts";
import { filterOnly } from "../workspace/filter-only.ts";
import type { LocalDocument } from "../workspace/documents.ts";
import { findWorkspace } from "../workspace/find.ts";
import { findPushIssues } from "../workspace/find-issues.ts";
import { mergePath, applyPendingMerge } from "../workspace/pending-merge.ts";
import type { PullItem } from "../workspace/pull.ts";
import { pushDocuments } from "../workspace/push.ts";
import { connectWorkspace } from "../workspace/remote.ts";
import { syncCommandResult, type SyncRow } from "../workspace/rows.ts";
import { loadWorkspaceSides } from "../workspace/sides.ts";
import { loadState, saveState, type WorkspaceState } from "../workspace/state.ts";
import { printTarget } from "../write-target.ts";
import { submitForApproval } from "./approvals.ts";
import type { CommandContext, CommandResult } from "../context.ts";

export interface PushOptions {
  dryRun?: boolean;
  detailedExitcode?: boolean;
  only?: string[];
  ext?: string[];
  note?: string;
  submit?: boolean;
  approver?: string[];
}

export async function pushWorkspace(
  context: CommandContext,
  files: readonly string[],
  options: PushOptions,
): Promise<CommandResult> {
  const root = findWorkspace(context);
  const approvers = wantedApprovers(options);
  const known = await loadState(root);
  const remote = await connectWorkspace({ ...context, signal: createGraceSignal(context.signal) }, known);
  const target = printTarget(context, { server: remote.connection.server, company: remote.companyName });
  const state: WorkspaceState = known ?? {
    schema: 1,
    server: remote.connection.server,
    company: remote.company,
    sops: {},
  };
  const dryRun = options.dryRun === true;
  const showProgress = (text: string) => context.out.progress(`pushing: ${text}`);
  const sides = await loadWorkspaceSides({
    root,
    remote,
    state,
    signal: context.signal,
    showProgress,
    allowSameId: true,
    ext: options.ext ?? [],
  });
  const waiting = dryRun ? [] : await acceptFinishedMerges(root, state, sides.items);
  const broken = sides.unreadable.map(refusedFileRow);
  const here = filterOnly([...sides.documents, ...broken], [...files, ...(options.only ?? [])], {
    root,
    cwd: context.cwd,
  });
  const changed = here.filter((one) => "sha256" in one).filter(createChangedCheck(sides.items));
  const unblocked = changed.filter(({ path }) => !waiting.some((row) => row.path === path));
  const remoteSops = sides.server.sops;
  const issues = await findPushIssues(context, unblocked, state, remoteSops);
  const ready = unblocked.filter(({ path }) => !issues.altered.has(path));
  const refused = [
    ...broken.filter((one) => here.includes(one)),
    ...unblocked.flatMap((one) => refusedAlteredRows(one, issues.altered.get(one.path))),
  ];
  const moved = movedFileRows(sides.items.filter(({ local }) => local !== null && here.includes(local)));
  const settings = { dryRun, note: options.note };
  const pushed = await pushDocuments(
    {
      root,
      remote,
      lateClient: async () =>
        (await connectWorkspace({ ...context, signal: AbortSignal.timeout(10_000) }, state)).client,
      state,
      all: sides.documents,
      remoteSops,
      damaged: sides.server.damaged,
      options: settings,
      signal: context.signal,
      showProgress,
    },
    ready,
  );
  const { stopped } = pushed;
  const shown = waiting.filter(({ path }) => changed.some((document) => document.path === path));
  const rows = withMoveNotes([...shown, ...refused, ...pushed.rows], moved);
  if (!context.out.json) printIssues(context, issues.blocking);
  if (files.length === 0) printLeftOut(context.out, sides.leftOut);
  const submitted =
    stopped === null && !dryRun ? await submitPushedDocuments(context, rows, approvers, options.note) : [];
  const problems = submitted.flatMap(({ problem }) => (problem === null ? [] : [problem]));
  const more = {
    ...target,
    issues: issues.blocking,
    leftOut: sides.leftOut,
    ...(approvers.length > 0 && { submitted: submitted.map(({ data }) => data).filter(Boolean) }),
  };
  const detailed = options.detailedExitcode === true;
  const result = syncCommandResult(rows, {
    command: "Push",
    dryRun,
    detailed,
    verbose: context.out.verbose,
    stopped,
    more,
  });
  const text = (result.text ?? "") + submitted.map(({ text: line }) => line).join("");
  if (problems.length === 0) return { ...result, text };
  if (!context.out.json) for (const problem of problems) context.out.problem(problem);
  return { ...result, text, exit: exit.partly, errors: [...(result.errors ?? []), ...problems] };
}

function wantedApprovers({ submit: wanted, approver = [] }: PushOptions): readonly string[] {
  if (wanted && approver.length === 0) {
    throw invalidInputError("usage", "--submit needs an approver", { hint: "--submit --approver <user…>" });
  }
  if (!wanted && approver.length > 0) throw invalidInputError("usage", "--approver goes with --submit");
  return approver;
}

/**
 * Makes finished merge files the new text of their documents.
 * @returns a row for each document whose merge file still has conflict markers; these documents aren't pushed
 */
async function acceptFinishedMerges(
  root: string,
  state: WorkspaceState,
  items: readonly PullItem[],
): Promise<SyncRow[]> {
  const waiting: SyncRow[] = [];
  let taken = false;
  for (const { id, tracked, local } of items) {
    if (tracked === null || local === null) continue;
    const merge = await applyPendingMerge({ root, id, tracked }, local);
    taken ||= merge === "taken";
    if (merge !== "open") continue;
    const { path, title } = local;
    const hint = `decide in ${mergePath(path)}, then push again`;
    waiting.push({
      id,
      number: tracked.number,
      path,
      title,
      outcome: "conflict",
      reason: "its merge file still has markers",
      hint,
    });
  }
  if (taken) await saveState(root, state);
  return waiting;
}

function createChangedCheck(items: readonly PullItem[]): (document: LocalDocument) => boolean {
  const known = new Map(items.map(({ id, tracked, remoteSop }) => [id, tracked?.sha256 ?? remoteSop?.sha256]));
  return ({ id, sha256 }) => id === null || known.get(id) !== sha256;
}

/** Reports documents that were moved to a folder other than that of their SOP since the last push or pull. */
function movedFileRows(items: readonly PullItem[]): SyncRow[] {
  return items.flatMap(({ id, local, tracked, remoteSop }) => {
    if (local === null || tracked === null || remoteSop === null) return [];
    const [folder, before, own] = [local, tracked, remoteSop].map(({ path }) => dirname(path));
    if (folder === before || folder === own) return [];
    const message = `its folder changes nothing: ${remoteSop.number} stays in ${own}/. Move or archive it in the app`;
    const notes = [{ code: "other-folder", message }];
    return [{ outcome: "unchanged", id, number: remoteSop.number, path: local.path, title: local.title, notes }];
  });
}

/** Adds notes about moved files to the rows. A push changes only texts, so a moved file doesn't move its SOP. */
function withMoveNotes(rows: readonly SyncRow[], moved: readonly SyncRow[]): SyncRow[] {
  const moveOf = ({ id }: SyncRow) => moved.find((one) => one.id === id && id !== undefined);
  const noted = rows.map((row) => ({ ...row, notes: [...(moveOf(row)?.notes ?? []), ...(row.notes ?? [])] }));
  return [
    ...noted.map(({ notes, ...row }) => (notes.length === 0 ? row : { ...row, notes })),
    ...moved.filter(({ id }) => !rows.some((row) => row.id === id)),
  ];
}

function refusedFileRow({ path = "", message, hint }: Problem): SyncRow {
  return { outcome: "refused", path, reason: messageWithoutPath(message, path), ...(hint !== undefined && { hint }) };
}

function refusedAlteredRows({ path, title }: LocalDocument, reason: string | undefined): SyncRow[] {
  return reason === undefined ? [] : [{ outcome: "refused", path, title, reason }];
}

const issuesShownAtMost = 20;

/** Prints the issues of pushed drafts as warnings. They don't stop the push; they only block publishing. */
function printIssues({ out }: CommandContext, issues: readonly Problem[]): void {
  if (issues.length === 0) return;
  for (const { message } of issues.slice(0, issuesShownAtMost)) out.note(`warning: ${message}`);
  const count = `${issues.length} ${issues.length === 1 ? "issue" : "issues"}`;
  out.note(`${count} to fix before publishing. \`sop lint\` lists them, \`sop lint --fix\` fixes some.`);
}

interface SubmitResult {
  data: unknown;
  text: string;
  problem: Problem | null;
}

/**
 * Submits each pushed document for approval in a request of its own. A document that can't be submitted stays a draft
 * on the server.
 */
async function submitPushedDocuments(
  context: CommandContext,
  rows: readonly SyncRow[],
  approver: readonly string[],
  note: string | undefined,
): Promise<SubmitResult[]> {
  if (approver.length === 0) return [];
  const sent = rows.filter(({ outcome }) => outcome === "create" || outcome === "update");
  const submitted: SubmitResult[] = [];
  for (const { id, number, path } of sent) {
    if (id === undefined) continue;
    try {
      const { data, text = "" } = await submitForApproval(
        context,
        id,
        {
          approver: [...approver],
          ...(note !== undefined && { note }),
        },
        true,
      );
      submitted.push({ data, text, problem: null });
    } catch (error) {
      const { problem } = failureOf(error);
      if (problem.code === "bug") throw error;
      const hint = `it is saved as a draft: sop submit ${number ?? id} --approver <user…>`;
      submitted.push({ data: null, text: "", problem: { ...problem, path, hint } });
    }
  }
  return submitted;
}
