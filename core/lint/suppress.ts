import type { Html } from "mdast";
import { sentences } from "#core/language/catalog.ts";
import { nodePosition, rangeOfNode } from "./positions.ts";
import { findingOf, type Finding, type Position } from "./finding.ts";

const texts = sentences("core.lint.suppress", {
  unused: "Nothing to suppress: {rule}. Remove it",
  unknown: "Rule {rule} doesn't exist. Remove it",
  reasonless: "Say why: … -- reason -->",
});

const comment = /^<!--[ \t]*sop-disable-next-line[ \t]+([^]*?)[ \t]*-->$/;

/** A suppression is a comment of the form `<!-- sop-disable-next-line <rule> -- <reason> -->`. */
export interface Suppression {
  rules: string[];
  reason: string;
  at: Position;
  /** Offsets of the comment. */
  range: [start: number, end: number];
  /** The number of the suppressed line: the next one with text. */
  line: number;
}

export function readSuppression(node: Html, text: string): Suppression | undefined {
  const words = comment.exec(node.value)?.[1];
  if (words === undefined) return undefined;
  const [names = "", ...reason] = words.split(/[ \t]+--[ \t]+/);
  const at = nodePosition(node);
  const { start, end } = rangeOfNode(node);
  const blank = /^[^\n]*\n((?:[ \t>]*\r?\n)*)/.exec(text.slice(end))?.[1] ?? "";
  return {
    rules: names.split(/[ \t,]+/).filter((name) => name !== ""),
    reason: reason.join(" -- "),
    at,
    range: [start, end],
    line: at.endLine + 1 + (blank.match(/\n/g)?.length ?? 0),
  };
}

/** The rules of a run, which decide whether a suppression was needed. */
export interface SuppressionContext {
  /** The rules that checked this file. Suppressions of other rules are ignored. */
  active: ReadonlySet<string>;
  /** Ids of all rules; absent if another run reports unknown ids. */
  known?: ReadonlySet<string>;
  reasonRequired: boolean;
}

/**
 * Drops suppressed findings. A suppression becomes a finding itself if it drops nothing, names no rule, or lacks a
 * required reason.
 */
export function applySuppressions(
  suppressions: readonly Suppression[],
  findings: readonly Finding[],
  checked: SuppressionContext,
): Finding[] {
  if (suppressions.length === 0) return [...findings];
  const used = new Set<string>();
  const kept = findings.filter((finding) => {
    const by = suppressions.findIndex(({ line, rules }) => line === finding.line && rules.includes(finding.rule));
    if (by !== -1) used.add(`${by} ${finding.rule}`);
    return by === -1;
  });
  const complaints = suppressions.flatMap((suppression, index) =>
    suppressionFindings(suppression, (rule) => used.has(`${index} ${rule}`), checked),
  );
  return [...kept, ...complaints];
}

/** Returns the findings about a suppression that names unknown or unused rules, or lacks a required reason. */
function suppressionFindings(
  { rules, reason, at, range: [start, end] }: Suppression,
  isUsed: (rule: string) => boolean,
  { active, known, reasonRequired }: SuppressionContext,
): Finding[] {
  const isRule = (rule: string): boolean => known === undefined || known.has(rule);
  const needless = rules.filter((rule) => !isRule(rule) || (active.has(rule) && !isUsed(rule)));
  const rest = rules.filter((rule) => !needless.includes(rule));
  const text =
    rest.length === 0 ? "" : `<!-- sop-disable-next-line ${rest.join(" ")}${reason === "" ? "" : ` -- ${reason}`} -->`;
  const findings = needless.map((rule): Finding => {
    const message = isRule(rule) ? texts.unused({ rule }) : texts.unknown({ rule });
    const fix = { safe: true, edits: [{ start, end, text }] };
    return findingOf("suppress/unused", "warning", message, at, fix);
  });
  if (!reasonRequired || reason !== "") return findings;
  return [...findings, findingOf("suppress/reason", "error", texts.reasonless(), at)];
}
