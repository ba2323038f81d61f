/** A safe fix keeps the syntax tree, apart from what its rule declares. Checked on the text itself, before it's applied. */
import type { Root } from "mdast";
import { AppError } from "#core/errors.ts";
import { assertParsable } from "#core/markdown/limits.ts";
import { sameTree } from "#core/markdown/same-tree.ts";
import { applyEdits } from "./edits.ts";
import { dropsSuppressions, type DeclaredChange } from "./declared-changes.ts";
import type { Edit, Finding, Fix } from "./finding.ts";
import { parseFile } from "./parse-file.ts";
import { rules } from "./rules/index.ts";

const declaredBy = new Map<string, DeclaredChange>(
  rules.flatMap(({ id, declares }) => (declares === undefined ? [] : [[id, declares] as const])),
);
declaredBy.set("suppress/unused", dropsSuppressions);

/** One text has at most this many checks. Fixes that are still unchecked then count as refused. */
const mostChecks = 64;

/** Whether two texts have one syntax tree, apart from what these rules declare to change. */
export function keepsTree(before: string, after: string, ruleIds: Iterable<string>): boolean {
  const known = new Set(ruleIds);
  const changes = [...declaredBy].flatMap(([id, change]) => (known.has(id) ? [change] : []));
  const [from, to] = [reduced(before, changes), reduced(after, changes)];
  return from !== undefined && to !== undefined && sameTree(from, to);
}

function reduced(text: string, changes: readonly DeclaredChange[]): Root | undefined {
  try {
    assertParsable(text);
    const { tree } = parseFile(text.replace(/^\uFEFF/, ""));
    for (const { reduce } of changes) reduce(tree);
    return tree;
  } catch (error) {
    if (error instanceof AppError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * The findings whose safe fixes change the text in no other way than declared. Others keep their fix as a suggested one.
 * The fixes are checked together first, then by halves: one extra parse where all are good.
 */
export function checkSafeFixes(text: string, findings: readonly Finding[]): readonly Finding[] {
  const offered: Finding[] = [];
  const seen = new Set<Fix>();
  for (const finding of findings) {
    if (finding.fix?.safe !== true || seen.has(finding.fix)) continue;
    seen.add(finding.fix);
    offered.push(finding);
  }
  if (offered.length === 0) return findings;
  const refused = new Set<Fix>();
  let checks = 0;
  const check = (group: readonly Finding[]): void => {
    checks += 1;
    if (checks <= mostChecks && isKept(text, group)) return;
    if (group.length === 1 || checks >= mostChecks) {
      for (const { fix } of group) if (fix !== undefined) refused.add(fix);
      return;
    }
    const half = group.length >> 1;
    check(group.slice(0, half));
    check(group.slice(half));
  };
  let left = offered;
  while (left.length > 0) {
    const { chosen, rest } = checks < mostChecks ? withoutOverlap(left) : { chosen: left, rest: [] };
    check(chosen);
    left = rest;
  }
  if (refused.size === 0) return findings;
  return findings.map((finding) =>
    finding.fix !== undefined && refused.has(finding.fix)
      ? { ...finding, fix: { ...finding.fix, safe: false } }
      : finding,
  );
}

function isKept(text: string, group: readonly Finding[]): boolean {
  const edits = group.flatMap(({ fix }) => fix?.edits ?? []);
  return keepsTree(
    text,
    applyEdits(text, edits),
    group.map(({ rule }) => rule),
  );
}

/** The findings whose fixes can be applied together; those that overlap an earlier one are the rest. */
export function withoutOverlap(findings: readonly Finding[]): { chosen: Finding[]; rest: Finding[] } {
  const [chosen, rest]: [Finding[], Finding[]] = [[], []];
  const edits: Edit[] = [];
  for (const finding of findings) {
    const own = finding.fix?.edits ?? [];
    if (own.some((edit) => edits.some((other) => overlap(edit, other)))) rest.push(finding);
    else {
      chosen.push(finding);
      edits.push(...own);
    }
  }
  return { chosen, rest };
}

/** Two insertions at one place would have no order. */
function overlap(one: Edit, other: Edit): boolean {
  return (one.start < other.end && other.start < one.end) || one.start === other.start;
}
