import { exit, type Problem } from "../exit.ts";
import { findMarkdown } from "../walk.ts";
import { examine, refusedRow } from "../import/examine.ts";
import { exitOf, planText, problemsOf, totalsOf, type PlanRow } from "../import/plan.ts";
import { sendImport, type Sent } from "../import/send.ts";

import { writeImport } from "../import/to-folder.ts";
import { connect } from "../server.ts";
import type { Context, Result } from "../context.ts";

export interface ImportOptions {
  dryRun?: boolean;
  detailedExitcode?: boolean;
  category?: string;
  createCategories?: boolean;
  onConflict: "skip" | "theirs" | "copy";
  toDir?: string;
}

export async function importSops(context: Context, sources: string[], options: ImportOptions): Promise<Result> {
  const found = await findMarkdown(sources, context.cwd);
  // Whoever isn't signed in is told before a thousand files are read.
  const target = options.toDir === undefined ? await connect(context) : null;
  const { candidates, refused } = await examine(found.files, context.signal);
  const progress = context.out.progress;
  const sent =
    target === null
      ? await writeImport(candidates, { ...options, folder: options.toDir ?? "." }, context)
      : await sendImport(
          candidates,
          {
            dryRun: options.dryRun === true,
            category: options.category,
            createCategories: options.createCategories === true,
            onConflict: options.onConflict,
          },
          { client: target.client, signal: context.signal, progress },
        );
  const links = [...found.links, ...found.refused].map((problem) => refusedRow(problem, problem.path ?? ""));
  return report(context, options, sent, [...links, ...refused, ...sent.rows]);
}

function report({ out }: Context, options: ImportOptions, sent: Sent, rows: readonly PlanRow[]): Result {
  const dryRun = options.dryRun === true;
  const totals = totalsOf(rows);
  const stopped: Problem[] = sent.stopped === null ? [] : [stopProblem(sent, totals.unknown ?? 0)];
  if (!out.json) for (const problem of stopped) out.problem(problem);
  return {
    exit: exitOf(totals, {
      dryRun,
      detailed: options.detailedExitcode === true,
      stopped: sent.stopped?.exit ?? null,
    }),
    data: { importId: sent.importId, dryRun, totals, quota: sent.quota, results: rows },
    text: planText(rows, dryRun, out.verbose),
    errors: [...stopped, ...problemsOf(rows)],
    errorsInText: true,
  };
}

function stopProblem({ stopped }: Sent, unsent: number): Problem {
  const problem = stopped?.problem ?? { code: "bug", message: "" };
  if (stopped?.exit === exit.invalid) return problem;
  const again = "run the same command again: what is done stays unchanged";
  const hint = unsent === 0 ? problem.hint : [problem.hint, again].filter(Boolean).join("; ");
  return { ...problem, ...(hint !== undefined && { hint }) };
}
