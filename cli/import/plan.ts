/** The result of an import or its plan: lines for users, totals, exit code. */
import type { ImportNote, ImportOutcome } from "#core/sops/import-schema.ts";
import type { z } from "zod";
import { exit, messageWithoutPath, type Problem } from "../exit.ts";
import { alignedColumns } from "../columns.ts";
import { notesText } from "./notes.ts";

export interface PlanRow {
  path: string;
  outcome: ImportOutcome;
  id?: string | undefined;
  number?: string | undefined;
  title?: string | undefined;
  version?: number | undefined;
  reason?: string | undefined;
  hint?: string | undefined;
  /** The error code of a refused document. */
  code?: string | undefined;
  notes: z.output<typeof ImportNote>[];
}

export type OutcomeTotals = Partial<Record<ImportOutcome, number>>;

const outcomeLabels: Record<ImportOutcome, string> = {
  create: "+ create",
  update: "~ update",
  conflict: "! conflict",
  duplicate: "x duplicate",
  skip: "x skip",
  refused: "x refused",
  unknown: "? not sent",
  unchanged: "= unchanged",
};
const outcomeOrder = Object.keys(outcomeLabels) as ImportOutcome[];
const doneWords: Partial<Record<ImportOutcome, string>> = { create: "created", update: "updated" };
const planWords: Partial<Record<ImportOutcome, string>> = { create: "to create", update: "to update" };
const sharedWords: Partial<Record<ImportOutcome, string>> = {
  conflict: "in conflict",
  duplicate: "duplicate",
  skip: "skipped",
  unknown: "not sent",
};

export function importTotalsOf(rows: readonly PlanRow[]): OutcomeTotals {
  const totals: OutcomeTotals = {};
  for (const { outcome } of rows) totals[outcome] = (totals[outcome] ?? 0) + 1;
  return totals;
}

/** Lists changes first, then problems. Unchanged documents are counted, and listed only with -v. */
export function planText(rows: readonly PlanRow[], dryRun: boolean, verbose: boolean): string {
  const listed = rows
    .filter((row) => verbose || row.outcome !== "unchanged")
    .toSorted(
      (a, b) => outcomeOrder.indexOf(a.outcome) - outcomeOrder.indexOf(b.outcome) || (a.path < b.path ? -1 : 1),
    );
  const lines = alignedColumns(listed.map((row) => [outcomeLabels[row.outcome], row.path, planRowRemark(row)]));
  const notes = notesText(rows, verbose);
  return `${lines}${notes.lines}${totalsText(importTotalsOf(rows), dryRun)}.${notes.hidden}\n`;
}

function planRowRemark({ outcome, number, title, version, reason, hint }: PlanRow): string {
  const subject = [number, title, outcome === "update" && version !== undefined ? `(v${version})` : undefined]
    .filter((part) => part !== undefined)
    .join(" ");
  return [reason ?? subject, hint].filter((part) => part !== undefined && part !== "").join("; ");
}

function totalsText(totals: OutcomeTotals, dryRun: boolean): string {
  const parts = outcomeOrder.flatMap((outcome) => {
    const count = totals[outcome];
    const word = (dryRun ? planWords : doneWords)[outcome] ?? sharedWords[outcome] ?? outcome;
    return count === undefined ? [] : [`${count} ${word}`];
  });
  return `${dryRun ? "Plan" : "Import"}: ${parts.length === 0 ? "nothing" : parts.join(", ")}`;
}

/** Returns the problems among the rows, for the JSON envelope. */
export function problemsOfRows(rows: readonly PlanRow[]): Problem[] {
  return rows
    .filter((row) => row.outcome === "refused" || row.outcome === "conflict" || row.outcome === "unknown")
    .map(({ path, outcome, reason, hint, code }) => ({
      code: code ?? (outcome === "unknown" ? "not_sent" : outcome),
      message: reason ?? outcome,
      path,
      ...(hint !== undefined && { hint }),
    }));
}

export interface ImportEnding {
  dryRun: boolean;
  detailed: boolean;
  /** The exit code of the error that stopped the run early; null if the run ended normally. */
  stopped: number | null;
}

/**
 * Returns the exit code: 3 if some documents failed and some were done, 6 if there are only conflicts, and 2 if all
 * failed otherwise (`docs/spec/calls.md`).
 */
export function importExitCode(totals: OutcomeTotals, { dryRun, detailed, stopped }: ImportEnding): number {
  const changes = (totals.create ?? 0) + (totals.update ?? 0);
  const refused = totals.refused ?? 0;
  const conflicts = totals.conflict ?? 0;
  const trouble = refused > 0 ? exit.invalid : conflicts > 0 ? exit.conflict : null;
  if (stopped === exit.interrupted) return stopped;
  if (dryRun) {
    if (stopped !== null) return stopped;
    if (!detailed) return exit.done;
    return trouble ?? (changes > 0 ? exit.pending : exit.done);
  }
  if (stopped !== null) return changes > 0 ? exit.partly : stopped;
  if (trouble === null) return exit.done;
  return changes > 0 ? exit.partly : trouble;
}

/** Turns a problem into a row of the plan. The path moves out of the message to its own column. */
export function refusedRow({ code, message, hint }: Problem, path: string): PlanRow {
  return { path, outcome: "refused", code, reason: messageWithoutPath(message, path), hint, notes: [] };
}
