import type { Nodes } from "mdast";
import { plainText } from "#core/markdown/plain-text.ts";
import { stepOpeningOf } from "../english/opening.ts";
import type { OutlineSection } from "../outline.ts";
import type { Rule } from "../rule.ts";
import type { ProcedureStep } from "../steps.ts";
import { sentences } from "#core/language/catalog.ts";

const texts = sentences("core.lint.step/actor", {
  why: "A step without a role is done twice, or not at all.",
  unlisted: "{who} is not named under Responsibilities",
  roleless: "Say who does this: the step before is done by {before}",
});

/** If several people act, each step names a role, and each role is listed under Responsibilities. */
export const actor: Rule = {
  id: "step/actor",
  severity: "warning",
  english: true,
  fixable: "no",
  source: "EPA QA/G-6; ISO 9001 §5.3",
  why: texts.why(),
  create: ({ outline, report }) => {
    const roles = roleWordsByLine(outline.sections);
    // labels are often names of steps, so they count as roles only if the document lists some labels as roles
    if (roles.length === 0) return {};
    let before: ProcedureStep | undefined;
    const lists = new Set<unknown>();
    return {
      step: (step) => {
        const { prose, depth, saidAt } = step;
        const isRole = step.actor !== undefined && isListedRole(step.actor, roles);
        const isTitle = step.actor !== undefined && !isRole && stepOpeningOf(step.actor) === "verb";
        const who = isTitle ? undefined : step.actor;
        if (isRole) lists.add(step.list);
        if (who !== undefined && !isRole && lists.has(step.list))
          report(texts.unlisted({ who }), prose.offsetsInFile(0, Math.max(1, saidAt - 2)));
        if (depth === 1) {
          const left = before?.list === step.list ? before.actor : undefined;
          if (who === undefined && !isTitle && left !== undefined && isListedRole(left, roles))
            report(texts.roleless({ before: left }), prose.node);
          // After a step without a role, the last named role is still the expected one.
          before = who === undefined && left !== undefined ? before : { ...step, actor: who };
        }
      },
    };
  },
  good: [
    "## Responsibilities\n\n| Role | Task |\n| --- | --- |\n| Operators | Run it |\n\n## Procedure\n\n1. **Operator:** Open it.\n2. **Each operator:** Wait.\n",
    "## Procedure\n\n1. Open it.\n2. **Note:** Wait for the lamp.\n",
    "## Procedure\n\n1. **Receive tickets**: They come by email.\n2. **Travel!** Keep your receipts.\n",
    "## Roles\n\n- **Operator:** runs it\n- **Cook:** cooks\n\n## Procedure\n\n1. **Operator:** Open it.\n2. **Cook:** Fill it.\n3. **Review it**: Read all.\n",
  ],
  bad: [
    {
      text: "## Responsibilities\n\n- **Operator:** runs it\n\n## Procedure\n\n1. **Operator:** Open it.\n2. Wait.\n3. **Foreman**: Sign.\n",
      lines: [8, 9],
    },
  ],
};

/** The text of the Responsibilities, line by line, because the role can be in any column. */
function roleWordsByLine(sections: readonly OutlineSection[]): string[][] {
  const lineNodes = (node: Nodes): Nodes[] =>
    node.type === "table" || node.type === "list" ? node.children.flatMap((child) => lineNodes(child)) : [node];
  return sections
    .filter(({ within }) => within === "responsibilities")
    .flatMap(({ body, title }) => [
      singularWordsIn(title),
      ...body.flatMap(lineNodes).map((line) => singularWordsIn(wordsUnder(line))),
    ]);
}

/** Joins the words under a node, with a space between cells. */
function wordsUnder(node: Nodes): string {
  return "children" in node && node.type === "tableRow"
    ? node.children.map((cell) => plainText(cell)).join(" ")
    : plainText(node);
}

/** Tells whether a role is listed: one line has all its words, in singular or plural. */
function isListedRole(who: string, roles: readonly string[][]): boolean {
  const words = singularWordsIn(who);
  return anybody.has(words[0] ?? "") || roles.some((role) => words.every((word) => role.includes(word)));
}

const anybody = new Set("each every all any both everyone everybody anyone anybody whoever".split(" "));

function singularWordsIn(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.replace(/(?<=[^s])s$/, ""));
}
