import type { Html, Root } from "mdast";
import { eachNode } from "#core/markdown/parse.ts";
import type { Finding } from "./rule.ts";

const comment = /^<!--[ \t]*sop-disable-next-line[ \t]+([^]*?)[ \t]*-->$/;

interface Suppression {
  rules: string[];
  reason: string;
  node: Html;
  /** The line it speaks of: the next one with text. */
  line: number;
  used: Set<string>;
}

/**
 * Drops findings that `<!-- sop-disable-next-line <rule> -- <reason> -->` speaks of; a suppression that drops nothing,
 * or gives no reason where one is required, is a finding itself.
 */
export function applySuppressions(
  tree: Root,
  text: string,
  findings: readonly Finding[],
  reasonRequired: boolean,
): Finding[] {
  const suppressions = findSuppressions(tree, text);
  const kept = findings.filter((finding) => {
    const by = suppressions.find(({ line, rules }) => line === finding.line && rules.includes(finding.rule));
    by?.used.add(finding.rule);
    return by === undefined;
  });
  return [...kept, ...suppressions.flatMap((suppression) => complaints(suppression, reasonRequired))];
}

function findSuppressions(tree: Root, text: string): Suppression[] {
  const found: Suppression[] = [];
  if (!text.includes("sop-disable-next-line")) return found;
  const lines = text.split("\n");
  eachNode(tree, (node) => {
    const words = node.type === "html" ? comment.exec(node.value)?.[1] : undefined;
    if (node.type !== "html" || words === undefined) return;
    const [names = "", ...reason] = words.split(/[ \t]+--[ \t]+/);
    let line = (node.position?.end.line ?? 0) + 1;
    while (line < lines.length && (lines[line - 1] ?? "").trim() === "") line += 1;
    found.push({ rules: names.split(/[ \t,]+/), reason: reason.join(" -- "), node, line, used: new Set() });
  });
  return found;
}

function complaints({ rules, reason, node, used }: Suppression, reasonRequired: boolean): Finding[] {
  const position = node.position ?? { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } };
  const at = {
    line: position.start.line,
    column: position.start.column,
    endLine: position.end.line,
    endColumn: position.end.column,
  };
  const unused = rules
    .filter((rule) => !used.has(rule))
    .map((rule): Finding => {
      return {
        rule: "suppress/unused",
        severity: "warning",
        message: `Nothing to suppress: ${rule}. Remove it`,
        ...at,
      };
    });
  if (!reasonRequired || reason !== "") return unused;
  return [...unused, { rule: "suppress/reason", severity: "error", message: "Say why: … -- reason -->", ...at }];
}
