/** Lints once, from paths to report. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Finding } from "#core/lint/finding.ts";
import { countAndNoun } from "#core/text/count-and-noun.ts";
import type { LintConfig } from "../config/resolve.ts";
import type { CommandContext, CommandResult } from "../context.ts";
import { exit, type Problem, CliError } from "../exit.ts";
import { createBaselineWriter, readBaseline } from "./baseline.ts";
import { openDestination } from "./destination.ts";
import type { FixedFile } from "./fix.ts";
import { printLeftOut } from "../left-out.ts";
import type { LintFlags } from "./flags.ts";
import { findingsOfFile, type CrossFileFindings, type LintedDocument } from "./linted.ts";
import { loadGarbageCollector } from "./many-files.ts";
import { loadReport, type FileReport, type LintTotals } from "./report/report.ts";
import { lintTargets, cacheFixedFiles, type RunOptions } from "./run.ts";
import { selectTargets, type LintSelection } from "./select.ts";
import { createRepositoryPathLookup, type LintTarget } from "./targets.ts";
import type { ServerOwned } from "#core/lint/rule.ts";

export type ConfigOf = (file: string) => Promise<LintConfig>;

export async function lintOnce(
  context: CommandContext,
  paths: readonly string[],
  flags: LintFlags,
  configOf: ConfigOf,
): Promise<CommandResult> {
  const { targets, problems: refused, leftOut } = await selectTargets(context, paths, flags);
  const baseOf = await loadServerOwnedLookup(targets, (text) => context.out.detail(text));
  const options: RunOptions = {
    configOf,
    ...(baseOf && { baseOf }),
    cache: flags.cache,
    env: context.env,
    signal: context.signal,
    progress: (done, all) => context.out.progress(`linting ${done} of ${all}`),
  };
  const run = await lintTargets(targets, options);
  context.out.progress(null);
  const problems = [...refused];
  let outcome: LintOutcome = { across: run.across, fixed: new Map() };
  if (flags.fix || flags.unsafeFixes || flags.diff) {
    const { fixFiles } = await import("./fix.ts");
    const tried = await fixFiles(run.files, run.across, run.caches, flags.unsafeFixes === true);
    outcome = tried;
    problems.push(...tried.problems);
    if (!flags.diff) {
      const { writeFixed } = await import("./write-fixed.ts");
      problems.push(...(await writeFixed(outcome.fixed)));
      await cacheFixedFiles(outcome.fixed, run.caches);
    }
  }
  const result = await reportFindings(context, flags, run.files, outcome, { problems, leftOut });
  printLeftOut(context.out, leftOut);
  return result;
}

interface LintOutcome {
  across: CrossFileFindings;
  fixed: Map<LintedDocument, FixedFile>;
}

async function reportFindings(
  context: CommandContext,
  flags: LintFlags,
  files: readonly LintedDocument[],
  outcome: LintOutcome,
  { problems, leftOut }: Pick<LintSelection, "problems" | "leftOut">,
): Promise<CommandResult> {
  const { out, cwd } = context;
  const shaped = await loadReport(out.json ? "json" : (flags.format ?? "pretty"), out);
  const baseline = await openBaseline(flags, cwd);
  const toStderr = files[0]?.target.text !== undefined && (flags.fix || flags.unsafeFixes) && !flags.diff && !out.json;
  const destination = await openDestination(flags.output, cwd, (data) =>
    toStderr ? Promise.resolve(out.note(data.trimEnd())) : out.write(data),
  );
  const totals: LintTotals = { files: files.length, error: 0, warning: 0, info: 0, fixed: 0, accepted: 0 };
  let fixable = 0;
  let suggested = 0;
  const inRepository = createRepositoryPathLookup(cwd);
  const showsDiff = flags.diff === true && !out.json && flags.format !== "json";
  const collectNowAndThen = await loadGarbageCollector(files.length);
  try {
    if (!showsDiff) await destination.write(shaped.begin?.() ?? "");
    for (const file of files) {
      const all = findingsOfFile(file, outcome.across);
      const text = createTextReader(file, outcome.fixed.get(file));
      const name = inRepository(file.target);
      const findings = baseline.unlistedFindings(file.target.path, all, text);
      const fixed = outcome.fixed.get(file);
      const piece: FileReport = {
        shown: file.target.shown,
        inRepository: name,
        findings,
        text,
        accepted: all.length - findings.length,
        fixed: fixed?.fixes ?? 0,
      };
      if (flags.diff && fixed !== undefined) piece.diff = await fixDiffOf(file, fixed);
      addToTotals(totals, piece);
      fixable += findings.filter(({ fix }) => fix?.safe).length;
      suggested += findings.filter(({ fix }) => fix?.safe === false).length;
      await destination.write(showsDiff ? (piece.diff ?? "") : shaped.file(piece));
      collectNowAndThen();
    }
    const code = lintExitCode(flags, totals, problems, files.length);
    if (!showsDiff) await destination.write(shaped.end?.({ totals, exit: code, problems, leftOut }) ?? "");
    await destination.end();
    if (toStderr) for (const { text } of outcome.fixed.values()) await out.write(text);
    if (toStderr && outcome.fixed.size === 0) await out.write(files[0]?.target.text ?? "");
    const left = { fixable: flags.fix || flags.diff ? 0 : fixable, suggested: flags.fix ? suggested : 0 };
    out.note(lintSummaryText(totals, left, flags.diff === true));
    await baseline.end((line) => out.note(line));
    return { exit: code, data: null, errors: problems, streamed: true };
  } catch (error) {
    await destination.discard();
    throw error;
  }
}

interface BaselineUse {
  unlistedFindings(path: string, findings: readonly Finding[], text: () => string): Finding[];
  end(say: (text: string) => void): Promise<void>;
}

async function openBaseline({ baseline: shown, updateBaseline }: LintFlags, cwd: string): Promise<BaselineUse> {
  if (shown === undefined) return { unlistedFindings: (_, findings) => [...findings], end: async () => {} };
  const file = resolve(cwd, shown);
  if (updateBaseline) {
    const writer = createBaselineWriter(file);
    return {
      unlistedFindings: (path, findings, text) => {
        writer.add(path, findings, text);
        return [];
      },
      end: async (say) => say(`${await writer.save()} issues written to ${shown}`),
    };
  }
  const { unlistedFindings, fixedCount } = await readBaseline(file, shown);
  return {
    unlistedFindings,
    end: async (say) => {
      if (fixedCount() > 0)
        say(`${fixedCount()} issues of the baseline no longer occur: --update-baseline removes them`);
    },
  };
}

function createTextReader({ target }: LintedDocument, fixed: FixedFile | undefined): () => string {
  let text = fixed?.text ?? target.text;
  return () => {
    if (text === undefined) {
      try {
        text = readFileSync(target.file, "utf8");
      } catch {
        text = "";
      }
    }
    return text;
  };
}

async function fixDiffOf({ target }: LintedDocument, { before, text }: FixedFile): Promise<string> {
  const { createTwoFilesPatch } = await import("diff");
  return createTwoFilesPatch(`a/${target.shown}`, `b/${target.shown}`, before, text);
}

function addToTotals(totals: LintTotals, { findings, accepted, fixed }: FileReport): void {
  for (const { severity } of findings) totals[severity] += 1;
  totals.accepted += accepted;
  totals.fixed += fixed;
}

function lintExitCode(flags: LintFlags, totals: LintTotals, problems: readonly Problem[], files: number): number {
  if (problems.length > 0) return files > 0 ? exit.partly : exit.invalid;
  const tooMany = flags.maxWarnings !== undefined && totals.warning > flags.maxWarnings;
  const fails = { error: totals.error > 0, warning: totals.error + totals.warning > 0, never: false }[flags.failOn];
  return fails || tooMany ? exit.findings : exit.done;
}

/** Returns the last line of the report. */
function lintSummaryText(totals: LintTotals, left: { fixable: number; suggested: number }, dry: boolean): string {
  const parts = [
    countAndNoun(totals.error, "error"),
    countAndNoun(totals.warning, "warning"),
    ...(totals.info > 0 ? [`${totals.info} info`] : []),
  ];
  const more = [
    ...(totals.fixed > 0 ? [`${totals.fixed} ${dry ? "would be fixed" : "fixed"}`] : []),
    ...(totals.accepted > 0 ? [`${totals.accepted} in the baseline`] : []),
    ...(left.fixable > 0 ? [`--fix repairs ${left.fixable}`] : []),
    ...(left.suggested > 0 ? [`${left.suggested} with a suggested fix (--unsafe-fixes)`] : []),
  ];
  return [`${parts.join(", ")} in ${countAndNoun(totals.files, "file")}`, ...more].join("; ");
}

type BaseOf = (target: LintTarget) => ServerOwned | undefined;

/**
 * Loads the last pulled number, id and version of each document in a workspace, which authors must not change.
 * @returns a function that looks up a document's values; undefined if no workspace has any
 */
async function loadServerOwnedLookup(
  targets: readonly LintTarget[],
  showWarning: (text: string) => void,
): Promise<BaseOf | undefined> {
  const roots = new Set(targets.filter(({ root }) => root.kind === "workspace").map(({ root }) => root.folder));
  const byRoot = new Map<string, Map<string, ServerOwned>>();
  for (const root of roots) {
    const { loadState } = await import("../workspace/state.ts");
    const state = await loadState(root).catch((error: unknown) => {
      if (!(error instanceof CliError)) throw error;
      // `sop status` explains a broken state file. Documents can be checked without it.
      showWarning(error.problem.message);
      return null;
    });
    if (state === null) continue;
    const sops = Object.entries(state.sops);
    byRoot.set(root, new Map(sops.map(([id, { path, number, version }]) => [path, { sop: number, id, version }])));
  }
  return byRoot.size === 0 ? undefined : ({ root, path }) => byRoot.get(root.folder)?.get(path);
}
