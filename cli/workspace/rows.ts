/** Formats the result of a pull or push, or of its dry run: lines for users, totals, exit code. */
import { alignedColumns } from "../columns.ts";
import { exit, type Problem } from "../exit.ts";
import { notesText, type PrintedNote } from "../import/notes.ts";
import type { CommandResult } from "../context.ts";

export const outcomes = {
  create: { sign: "+", done: "created", plan: "to create" },
  update: { sign: "~", done: "updated", plan: "to update" },
  merge: { sign: "~", done: "merged", plan: "to merge" },
  move: { sign: ">", done: "moved", plan: "to move" },
  remove: { sign: "-", done: "removed", plan: "to remove" },
  conflict: { sign: "!", done: "in conflict", plan: "in conflict" },
  refused: { sign: "x", done: "refused", plan: "refused" },
  gone: { sign: "?", done: "deleted on the server", plan: "deleted on the server" },
  kept: { sign: "=", done: "with your changes", plan: "with your changes" },
  unchanged: { sign: "=", done: "unchanged", plan: "unchanged" },
} as const;
export type RowOutcome = keyof typeof outcomes;

export interface SyncRow {
  outcome: RowOutcome;
  path: string;
  id?: string;
  number?: string;
  title?: string;
  version?: number;
  reason?: string;
  hint?: string;
  /** Notes about other tools' markup and about files sent along. */
  notes?: readonly PrintedNote[];
}

const outcomeOrder = Object.keys(outcomes) as RowOutcome[];
const changingOutcomes: readonly RowOutcome[] = ["create", "update", "merge", "move", "remove"];
const outcomesWithoutChange: readonly RowOutcome[] = ["unchanged", "kept"];

export interface SyncReport {
  command: "Pull" | "Push";
  dryRun: boolean;
  detailed: boolean;
  verbose: boolean;
  /** The error that ended the run early. */
  stopped: { exit: number; problem: Problem } | null;
  more?: object;
}

export function syncCommandResult(rows: readonly SyncRow[], report: SyncReport): CommandResult {
  const problems = rows
    .filter(({ outcome }) => outcome === "conflict" || outcome === "refused")
    .map(({ outcome, path, reason, hint }) => ({
      code: outcome,
      message: reason ?? outcome,
      path,
      ...(hint !== undefined && { hint }),
    }));
  return {
    exit: syncExitCode(rows, report),
    data: { dryRun: report.dryRun, totals: syncTotalsOf(rows), results: rows, ...report.more },
    text: syncText(rows, report),
    errors: [...(report.stopped === null ? [] : [report.stopped.problem]), ...problems],
    errorsInText: report.stopped === null,
  };
}

function syncTotalsOf(rows: readonly SyncRow[]): Partial<Record<RowOutcome, number>> {
  const totals: Partial<Record<RowOutcome, number>> = {};
  for (const { outcome } of rows) totals[outcome] = (totals[outcome] ?? 0) + 1;
  return totals;
}

function syncText(rows: readonly SyncRow[], { command, dryRun, verbose }: SyncReport): string {
  const listed = rows
    .filter(({ outcome }) => verbose || !outcomesWithoutChange.includes(outcome))
    .toSorted(
      (a, b) => outcomeOrder.indexOf(a.outcome) - outcomeOrder.indexOf(b.outcome) || (a.path < b.path ? -1 : 1),
    );
  const lines = alignedColumns(
    listed.map((row) => [`${outcomes[row.outcome].sign} ${row.outcome}`, row.path, syncRowRemark(row)]),
  );
  const totals = syncTotalsOf(rows);
  const parts = outcomeOrder.flatMap((outcome) => {
    const count = totals[outcome];
    return count === undefined ? [] : [`${count} ${outcomes[outcome][dryRun ? "plan" : "done"]}`];
  });
  const notes = notesText(rows, verbose);
  return `${lines}${notes.lines}${dryRun ? "Plan" : command}: ${parts.join(", ") || "nothing to do"}.${notes.hidden}\n`;
}

function syncRowRemark({ number, title, version, reason, hint }: SyncRow): string {
  const subject = [number, title, version === undefined ? undefined : `(v${version})`].filter(Boolean).join(" ");
  return [reason ?? subject, hint].filter(Boolean).join("; ");
}

/**
 * Returns the exit code, as for an import: 3 if some failed and some were done, 6 if there are only conflicts, 2 if all
 * failed otherwise.
 */
function syncExitCode(rows: readonly SyncRow[], { dryRun, detailed, stopped }: SyncReport): number {
  const hasOutcome = (wanted: readonly RowOutcome[]) => rows.some(({ outcome }) => wanted.includes(outcome));
  const done = hasOutcome(changingOutcomes);
  if (stopped?.exit === exit.interrupted) return exit.interrupted;
  if (stopped !== null) return done && !dryRun ? exit.partly : stopped.exit;
  const trouble = hasOutcome(["refused"]) ? exit.invalid : hasOutcome(["conflict"]) ? exit.conflict : null;
  if (dryRun) return detailed ? (trouble ?? (done ? exit.pending : exit.done)) : exit.done;
  if (trouble === null) return exit.done;
  return done ? exit.partly : trouble;
}
