/** Reviews a pull request: the issues in its documents, their texts before and after, and what a merge would import. */
import { dirname, relative, resolve } from "node:path";
import { readFile } from "node:fs/promises";
import { changedFrontMatterFields } from "#core/diff/facts.ts";
import type { Finding } from "#core/lint/finding.ts";
import { readMarkdownFile } from "#core/markdown/read-file.ts";
import type { CommandContext, CommandResult } from "../context.ts";
import { CliError, exit } from "../exit.ts";
import { createConfigFinder } from "../lint/config.ts";
import { findingsOfFile } from "../lint/linted.ts";
import { lintTargets } from "../lint/run.ts";
import { selectTargets } from "../lint/select.ts";
import { decodeSource } from "../read-source.ts";
import type { ComparedDocument } from "../workspace/compared.ts";
import { runWorkspaceGit } from "../workspace/git.ts";

export interface ReviewedFile {
  path: string;
  findings: readonly Finding[];
  /** null if the document can't be read; then a finding says so. */
  compared: ComparedDocument | null;
  isNew: boolean;
}

export interface PullRequestReview {
  /** The commit or branch that the pull request is compared with. */
  base: string;
  files: ReviewedFile[];
  /** Null if the user isn't signed in and SOP_TOKEN is unset, because only a server can plan the import. */
  plan: CommandResult | null;
}

/**
 * Returns the git revision that a pull request is compared with, from the CI variables: on GitHub the target branch, on
 * GitLab the commit at which the branches parted. Null elsewhere.
 */
export function baseRevisionOf(env: NodeJS.ProcessEnv): string | null {
  if (env["CI_MERGE_REQUEST_DIFF_BASE_SHA"]) return env["CI_MERGE_REQUEST_DIFF_BASE_SHA"];
  return env["GITHUB_BASE_REF"] ? `origin/${env["GITHUB_BASE_REF"]}` : null;
}

/**
 * @param base the git revision to compare with; null compares with the last commit
 * @throws exit 2 outside a repository, or if the base doesn't exist
 */
export async function reviewChanges(
  context: CommandContext,
  paths: readonly string[],
  base: string | null,
): Promise<PullRequestReview> {
  const since = base ?? "HEAD";
  const flags = { failOn: "never", cache: false, changed: base ?? true } as const;
  const { targets } = await selectTargets(context, paths, flags);
  const { files, across } = await lintTargets(targets, {
    configOf: createConfigFinder(context.flags.config && resolve(context.cwd, context.flags.config), { rules: {} }),
    cache: false,
    env: context.env,
    signal: context.signal,
    progress: () => undefined,
  });
  const start = await runWorkspaceGit(context.cwd, ["merge-base", since, "HEAD"], { signal: context.signal });
  const reviewed: ReviewedFile[] = [];
  for (const file of files) {
    const { shown } = file.target;
    const before = await readTextAtCommit(start.stdout.trim(), file.target.file);
    const compared = await compareDocument(file.target.file, shown, since, before);
    reviewed.push({ path: shown, findings: findingsOfFile(file, across), compared, isNew: before === null });
  }
  return { base: since, files: reviewed, plan: await planImport(context, paths) };
}

async function readTextAtCommit(commit: string, file: string): Promise<string | null> {
  const folder = dirname(file);
  const shown = await runWorkspaceGit(folder, ["show", `${commit}:./${relative(folder, file)}`]);
  return shown.code === 0 ? shown.stdout : null;
}

async function compareDocument(
  file: string,
  shown: string,
  base: string,
  before: string | null,
): Promise<ComparedDocument | null> {
  try {
    const now = readMarkdownFile(decodeSource(await readFile(file), shown).text);
    const was = before === null ? { frontMatter: {}, body: "" } : readMarkdownFile(before);
    return {
      name: shown,
      from: before === null ? "nothing" : base,
      to: "this change",
      facts: changedFrontMatterFields(was.frontMatter, now.frontMatter),
      before: was.body,
      after: now.body,
    };
  } catch {
    return null;
  }
}

async function planImport(context: CommandContext, paths: readonly string[]): Promise<CommandResult | null> {
  const { importSops } = await import("../commands/import.ts");
  try {
    return await importSops(context, [...paths], { dryRun: true, detailedExitcode: true, onConflict: "skip" });
  } catch (error) {
    if (error instanceof CliError && error.exit === exit.access && !context.env["SOP_TOKEN"]) return null;
    throw error;
  }
}
