import type { List, Nodes, RootContent } from "mdast";
import { toString as textOf } from "mdast-util-to-string";
import type { Rule } from "../rule.ts";
import type { Edit } from "../finding.ts";

const procedure = /^(?:\d+(?:\.\d+)*\.?\s+)?(?:procedure|steps|instructions|work instructions?|step[- ]by[- ]step)$/i;

/** A section called Procedure holds numbered steps, and written numbers count up by one. */
export const procedureSteps: Rule = {
  id: "struct/procedure-steps",
  severity: "error",
  fixable: "safe",
  source: "EPA QA/G-6; ASD-STE100",
  why: "People come back to a procedure by its step number; prose and odd numbers make them lose their place.",
  create: ({ text, tree, report }) => ({
    list(list) {
      const wrong = misnumbered(text, list);
      if (wrong.length > 0) report("Steps are not numbered consecutively", list, { safe: true, edits: wrong });
    },
    done() {
      tree.children.forEach((node, index) => {
        if (node.type !== "heading" || !procedure.test(textOf(node).trim())) return;
        const end = tree.children.findIndex(
          (other, at) => at > index && other.type === "heading" && other.depth <= node.depth,
        );
        const section = tree.children.slice(index + 1, end === -1 ? undefined : end);
        if (section.length > 0 && !section.some(hasSteps)) report("This section has no numbered steps", node);
      });
    },
  }),
  good: [
    "## Procedure\n\n1. Open\n2. Close\n",
    "## Procedure\n\n### Part\n\n- [ ] Open\n- [ ] Close\n",
    "## Scope\n\nText\n\n1. a\n1. b\n",
    "## Procedures\n\nThe list of procedures is on the notice board.\n",
  ],
  bad: [
    { text: "## Procedure\n\nOpen it, then close it.\n", lines: [1] },
    { text: "## Steps\n\n3. Open\n3. Wait\n6. Close\n", lines: [3], fixed: "## Steps\n\n3. Open\n4. Wait\n5. Close\n" },
  ],
};

function hasSteps(node: Nodes | RootContent): boolean {
  if (node.type === "list")
    return node.ordered === true || node.children.some((item) => typeof item.checked === "boolean");
  return "children" in node && node.children.some(hasSteps);
}

/** All the same number is Markdown's way of letting the reader count; anything else has to count up. */
function misnumbered(text: string, list: List): Edit[] {
  if (list.ordered !== true) return [];
  const marks = list.children.map((item) => {
    const start = item.position?.start.offset ?? 0;
    const digits = /^\d+/.exec(text.slice(start, start + 10))?.[0] ?? "";
    return { start, digits };
  });
  const first = Number(marks[0]?.digits ?? 1);
  if (marks.every(({ digits }) => Number(digits) === first)) return [];
  return marks.flatMap(({ start, digits }, index) =>
    Number(digits) === first + index ? [] : [{ start, end: start + digits.length, text: String(first + index) }],
  );
}
