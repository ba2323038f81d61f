import type { List, Nodes, RootContent } from "mdast";
import { numberJumpsIn, writtenNumbers } from "#core/markdown/list-numbers.ts";
import { plainText } from "#core/markdown/plain-text.ts";
import type { Rule } from "../rule.ts";
import type { TextEdit } from "../finding.ts";
import { sentences } from "#core/language/catalog.ts";

const procedure = /^(?:\d+(?:\.\d+)*\.?\s+)?(?:procedure|steps|instructions|work instructions?|step[- ]by[- ]step)$/i;

const texts = sentences("core.lint.struct/procedure-steps", {
  why: "People come back to a procedure by its step number; prose and odd numbers make them lose their place.",
  jump: "The numbers go from {from} to {to}: count up by one",
  noSteps: "This section has no numbered steps",
});

/** A section called Procedure contains numbered steps, and their numbers increase by one. */
export const procedureSteps: Rule = {
  id: "struct/procedure-steps",
  severity: "error",
  // the fix needs reading, because other places of the text can cite the old numbers
  fixable: "unsafe",
  source: "EPA QA/G-6; ASD-STE100",
  why: texts.why(),
  create: ({ text, tree, report }) => ({
    list(list, parents) {
      const siblings = (parents.at(-1) as { children?: Nodes[] } | undefined)?.children ?? [];
      const above = siblings[siblings.indexOf(list) - 1];
      const jump = isNumbered(above) && isNumbered(list) ? numberJumpBetween(above, list, text) : undefined;
      const [found = jump] = numberJumpsIn(list, text);
      if (found === undefined) return;
      const { from, to } = found;
      report(texts.jump({ from, to }), list, {
        safe: false,
        edits: renumberingEdits(list, text, jump === undefined ? undefined : (above as List)),
      });
    },
    done() {
      tree.children.forEach((node, index) => {
        if (node.type !== "heading" || !procedure.test(plainText(node))) return;
        const end = tree.children.findIndex(
          (other, at) => at > index && other.type === "heading" && other.depth <= node.depth,
        );
        const section = tree.children.slice(index + 1, end === -1 ? undefined : end);
        if (section.length > 0 && !section.some(hasSteps)) report(texts.noSteps(), node);
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
    {
      text: "## Steps\n\n1. Open\n2. Wait\n\n7) Close\n",
      lines: [6],
      fixed: "## Steps\n\n1. Open\n2. Wait\n\n3. Close\n",
    },
  ],
};

function hasSteps(node: Nodes | RootContent): boolean {
  if (node.type === "list")
    return node.ordered === true || node.children.some((item) => typeof item.checked === "boolean");
  return "children" in node && node.children.some(hasSteps);
}

function isNumbered(node: Nodes | undefined): node is List {
  return node?.type === "list" && node.ordered === true;
}

/**
 * Finds a jump between two neighboring lists. An import writes a list whose numbers jump as two lists, with `.` and `)`
 * after the numbers.
 */
function numberJumpBetween(above: List, list: List, text: string): { from: number; to: number } | undefined {
  const from = lastNumber(above, text);
  const to = list.start ?? 1;
  return to === from + 1 ? undefined : { from, to };
}

function lastNumber(list: List, text: string): number {
  return Number(writtenNumbers(list, text)?.at(-1) ?? (list.start ?? 1) + list.children.length - 1);
}

/** The edits that number a list from its first number, or continue the list above. */
function renumberingEdits(list: List, text: string, above: List | undefined): TextEdit[] {
  const first = above === undefined ? (list.start ?? 1) : lastNumber(above, text) + 1;
  const sign = above === undefined ? undefined : /^\d+([.)])/.exec(text.slice(above.position?.start.offset ?? 0))?.[1];
  return list.children.flatMap((item, index) => {
    const start = item.position?.start.offset ?? 0;
    const [mark, digits = "", own = ""] = /^(\d+)([.)])/.exec(text.slice(start, start + 11)) ?? [];
    const next = `${first + index}${sign ?? own}`;
    return mark === undefined || (Number(digits) === first + index && (sign ?? own) === own)
      ? []
      : [{ start, end: start + mark.length, text: next }];
  });
}
