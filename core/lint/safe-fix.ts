/**
 * Checks that a safe fix keeps the syntax tree, apart from what its rule declares. The check compares the real texts,
 * before the fix is applied.
 */
import type { Root } from "mdast";
import { AppError } from "#core/errors.ts";
import { assertParsable } from "#core/markdown/limits.ts";
import { isSameTree } from "#core/markdown/same-tree.ts";
import { applyEdits } from "./edits.ts";
import { dropsSuppressions, type DeclaredChange } from "./declared-changes.ts";
import type { TextEdit, Finding, Fix } from "./finding.ts";
import { parseFile } from "./parse-file.ts";
import { rules } from "./rules/index.ts";

const declaredBy = new Map<string, DeclaredChange>(
  rules.flatMap(({ id, declares }) => (declares === undefined ? [] : [[id, declares] as const])),
);
declaredBy.set("suppress/unused", dropsSuppressions);

/** The maximum number of checks for one text. Fixes that are left unchecked count as unsafe. */
const mostChecks = 64;

/**
 * Tells whether two texts have the same syntax tree, apart from the changes that these rules declare.
 * @param before the text, or its tree, which this function changes
 */
export function isTreeKept(before: string | Root, after: string, ruleIds: Iterable<string>): boolean {
  const known = new Set(ruleIds);
  const changes = [...declaredBy].flatMap(([id, change]) => (known.has(id) ? [change] : []));
  const to = treeWithoutDeclaredChanges(after, changes);
  const from = to && treeWithoutDeclaredChanges(before, changes);
  return from !== undefined && to !== undefined && isSameTree(from, to);
}

function treeWithoutDeclaredChanges(source: string | Root, changes: readonly DeclaredChange[]): Root | undefined {
  try {
    const tree = typeof source === "string" ? parseTree(source) : source;
    for (const { reduce } of changes) reduce(tree);
    return tree;
  } catch (error) {
    if (error instanceof AppError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function parseTree(text: string): Root {
  assertParsable(text);
  return parseFile(text.replace(/^\uFEFF/, "")).tree;
}

/**
 * Turns safe fixes that change the tree in other ways than declared into suggested fixes. All fixes are checked
 * together first, and then by halves, so that a text without such fixes is parsed only once more.
 * @param tree the text's tree, if it's no longer needed, because this function changes it
 */
export function withCheckedSafeFixes(text: string, findings: readonly Finding[], tree?: Root): readonly Finding[] {
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
  let spare = tree;
  const checkGroup = (group: readonly Finding[]): void => {
    checks += 1;
    const before = spare ?? text;
    spare = undefined;
    if (checks <= mostChecks && isMeaningKept(text, before, group)) return;
    if (group.length === 1 || checks >= mostChecks) {
      for (const { fix } of group) if (fix !== undefined) refused.add(fix);
      return;
    }
    const half = group.length >> 1;
    checkGroup(group.slice(0, half));
    checkGroup(group.slice(half));
  };
  let left = offered;
  while (left.length > 0) {
    const { chosen, rest } = checks < mostChecks ? splitByOverlap(left) : { chosen: left, rest: [] };
    checkGroup(chosen);
    left = rest;
  }
  if (refused.size === 0) return findings;
  return findings.map((finding) =>
    finding.fix !== undefined && refused.has(finding.fix)
      ? { ...finding, fix: { ...finding.fix, safe: false } }
      : finding,
  );
}

/**
 * Returns as many of the first fixes as are safe together. For example, two comments that both separate two lists can
 * be removed one by one, but not together. The other fixes wait for the next round.
 */
export function fixesSafeTogether(text: string, fixes: readonly Finding[]): readonly Finding[] {
  let chosen = fixes;
  while (chosen.length > 1 && !isMeaningKept(text, text, chosen)) chosen = chosen.slice(0, chosen.length >> 1);
  return chosen;
}

function isMeaningKept(text: string, before: string | Root, group: readonly Finding[]): boolean {
  const edits = group.flatMap(({ fix }) => fix?.edits ?? []);
  const after = applyEdits(text, edits);
  return (
    writtenListNumbers(text) === writtenListNumbers(after) &&
    isTreeKept(
      before,
      after,
      group.map(({ rule }) => rule),
    )
  );
}

/** Returns the written numbers of all list items. A tree only has the first, but other texts can cite each number. */
function writtenListNumbers(text: string): string {
  return (text.match(/^[>\s]*\d{1,9}(?=[.)]\s)/gm) ?? []).map((mark) => mark.replace(/\D/g, "")).join(" ");
}

/** Splits findings: fixes of `chosen` can be applied together; fixes of `rest` overlap a fix of `chosen`. */
export function splitByOverlap(findings: readonly Finding[]): { chosen: Finding[]; rest: Finding[] } {
  const [chosen, rest]: [Finding[], Finding[]] = [[], []];
  const edits: TextEdit[] = [];
  for (const finding of findings) {
    const own = finding.fix?.edits ?? [];
    if (own.some((edit) => edits.some((other) => doEditsOverlap(edit, other)))) rest.push(finding);
    else {
      chosen.push(finding);
      edits.push(...own);
    }
  }
  return { chosen, rest };
}

/** Edits that begin at the same offset also overlap, because two insertions there would have no order. */
function doEditsOverlap(one: TextEdit, other: TextEdit): boolean {
  return (one.start < other.end && other.start < one.end) || one.start === other.start;
}
