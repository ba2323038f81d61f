import type { Rule } from "../rule.ts";
import { sentences } from "#core/language/catalog.ts";

const texts = sentences("core.lint.step/max-depth", {
  why: "No one finds step 3.b.ii.4 again. Split long or deep lists into parts.",
  deep: "Steps are {depth} levels deep. Split them into parts",
  long: "This list has {steps} steps; divide it by headings ({most})",
});

/** Lists of steps are short and flat, so that readers find the next step. */
export const maxDepth: Rule = {
  id: "step/max-depth",
  severity: "info",
  fixable: "no",
  source: "plainlanguage.gov; EPA QA/G-6",
  why: texts.why(),
  create: ({ settings: { limits }, report }) => ({
    step: ({ list, number, depth, prose }) => {
      if (depth === limits.listDepth + 1 && number === 1) report(texts.deep({ depth }), prose.node);
      if (number === limits.stepsInList + 1)
        report(texts.long({ steps: list.children.length, most: limits.stepsInList }), prose.node);
    },
  }),
  setting: { settings: { limits: { stepsInList: 3, listDepth: 2 } } },
  good: ["## Procedure\n\n1. Open it.\n   1. Turn it.\n2. Wait.\n3. Close it.\n"],
  bad: [
    { text: "## Procedure\n\n1. Open.\n2. Wait.\n3. Close.\n4. Sign.\n5. File.\n", lines: [6] },
    { text: "## Procedure\n\n1. Open.\n   1. Turn.\n      1. Pull.\n      2. Push.\n", lines: [5] },
  ],
};
