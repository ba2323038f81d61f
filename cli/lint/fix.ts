/** Fixes the files of a run: first findings within each file, then findings across files that the new texts cause. */
import { firstChangedConstruct } from "#core/dialects/guard.ts";
import { lintFile } from "#core/lint/engine.ts";
import { applyFixes } from "#core/lint/fix.ts";
import { isTreeKept } from "#core/lint/safe-fix.ts";
import type { Finding } from "#core/lint/finding.ts";
import { rules } from "#core/lint/rules/index.ts";
import type { Problem } from "../exit.ts";
import { lintAcrossFiles } from "./across.ts";
import type { CachedResult } from "./cache.ts";
import { bodyWithoutFrontMatter, lineOfBody } from "../format-file.ts";
import { findingsOfFile, type CrossFileFindings, type CacheForRoot, type LintedDocument } from "./linted.ts";
import { readLintTarget } from "./read.ts";

export interface FixedFile {
  /** The text before the fixes. `sha256` is its hash: a file that changed in the meantime isn't written. */
  before: string;
  sha256: string;
  text: string;
  fixes: number;
}

const safeRules = ["suppress/unused", ...rules.flatMap(({ id, declares }) => (declares === undefined ? [] : [id]))];
const rounds = 3;
const passes = 10;

/**
 * Fixes the texts in memory and replaces the entries of fixed files by the findings that remain. Writes no files.
 * `problems` names the files whose fixes were undone.
 */
export async function fixFiles(
  files: readonly LintedDocument[],
  across: CrossFileFindings,
  caches: CacheForRoot,
  unsafe: boolean,
): Promise<{ fixed: Map<LintedDocument, FixedFile>; across: CrossFileFindings; problems: Problem[] }> {
  const fixed = new Map<LintedDocument, FixedFile>();
  const original = new Map(files.map((file) => [file, file.entry]));
  let around = across;
  for (let round = 0; round < rounds; round += 1) {
    let changed = 0;
    for (const file of files) {
      const findings = findingsOfFile(file, around);
      if (findings.some((finding) => isWantedFix(finding, unsafe)) && fixFile(file, findings, fixed, unsafe))
        changed += 1;
    }
    if (changed === 0) break;
    around = await lintAcrossFiles(files, caches);
  }
  const problems = undoHarmfulFixes(fixed, original, unsafe);
  if (problems.length > 0) around = await lintAcrossFiles(files, caches);
  return { fixed, across: around, problems };
}

/**
 * Undoes the fixes of each file whose fixes together change the text's meaning or another tool's markup. Each single
 * fix was checked before.
 */
function undoHarmfulFixes(
  fixed: Map<LintedDocument, FixedFile>,
  original: ReadonlyMap<LintedDocument, CachedResult>,
  unsafe: boolean,
): Problem[] {
  const problems: Problem[] = [];
  for (const [file, { before, text }] of fixed) {
    const problem =
      dialectProblem(file.target.shown, before, text) ?? treeProblem(file.target.shown, before, text, unsafe);
    if (problem === undefined) continue;
    fixed.delete(file);
    file.entry = original.get(file) ?? file.entry;
    problems.push(problem);
  }
  return problems;
}

function dialectProblem(path: string, before: string, text: string): Problem | undefined {
  const body = bodyWithoutFrontMatter(before);
  const changed = firstChangedConstruct(body, bodyWithoutFrontMatter(text));
  if (changed === undefined) return undefined;
  const where = `${changed.name}, line ${changed.line + lineOfBody(before, body) - 1}`;
  const message = `${path}: left as it is, a fix would change what is written for another tool (${where})`;
  return { code: "dialect", path, message };
}

function treeProblem(path: string, before: string, text: string, unsafe: boolean): Problem | undefined {
  if (unsafe || isTreeKept(before, text, safeRules)) return undefined;
  return {
    code: "kept",
    path,
    message: `${path}: left as it is, its fixes would change the text`,
    hint: "`sop lint --diff --unsafe-fixes` shows them",
  };
}

function isWantedFix({ fix }: Finding, unsafe: boolean): boolean {
  return fix !== undefined && (fix.safe || unsafe);
}

function fixFile(
  file: LintedDocument,
  first: readonly Finding[],
  fixed: Map<LintedDocument, FixedFile>,
  unsafe: boolean,
): boolean {
  const known = fixed.get(file);
  const read = known === undefined ? readLintTarget(file.target) : { text: known.text, sha256: known.sha256 };
  // The file changed since it was linted, so the ranges of its fixes would be wrong.
  if ("unreadable" in read || (known === undefined && read.sha256 !== file.sha256)) return false;
  const options = { path: file.target.path, ...file.config, ...(file.base && { base: file.base }) };
  let { text } = read;
  let findings = first;
  let fixes = 0;
  let linted: ReturnType<typeof lintFile> | undefined;
  for (let pass = 0; pass < passes; pass += 1) {
    const step = applyFixes(text, findings, unsafe);
    if (step.fixed === 0 || step.text === text) break;
    text = step.text;
    fixes += step.fixed;
    const next = lintFile(text, options);
    // A fix must not make the file unreadable.
    if (next.facts.unreadable) return false;
    linted = next;
    findings = next.findings;
  }
  if (linted === undefined) return false;
  file.entry = { findings: JSON.stringify(linted.findings), facts: JSON.stringify(linted.facts) };
  fixed.set(file, {
    before: known?.before ?? read.text,
    sha256: known?.sha256 ?? read.sha256,
    text,
    fixes: fixes + (known?.fixes ?? 0),
  });
  return true;
}

/** Says whether the file still has the text that was read. */
export function isUnchanged(file: LintedDocument, { sha256 }: FixedFile): boolean {
  const read = readLintTarget(file.target);
  return !("unreadable" in read) && read.sha256 === sha256;
}
