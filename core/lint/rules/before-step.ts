import type { Blockquote, List, RootContent } from "mdast";
import { isHazard } from "#core/markdown/alert-grades.ts";
import { alertKindOf } from "#core/markdown/alerts.ts";
import { rangeOfNode } from "../positions.ts";
import { isStepList } from "../steps.ts";
import type { Rule } from "../rule.ts";
import type { Fix } from "../finding.ts";
import { sentences } from "#core/language/catalog.ts";

const texts = sentences("core.lint.safety/before-step", {
  why: "A warning read after the step comes too late.",
  afterSteps: "This warning comes after its steps: put it before them",
  afterStep: "This warning comes after its step: put it before the step",
});

/** A warning comes before its steps. */
export const beforeStep: Rule = {
  id: "safety/before-step",
  severity: "error",
  fixable: "unsafe",
  source: "ASD-STE100; EPA QA/G-6; ANSI Z535.6",
  why: texts.why(),
  create: ({ text, outline, report }) => ({
    section: ({ within, body }) => {
      if (outline.sections.some((one) => one.within === "procedure") && within !== "procedure") return;
      body.forEach((node, index) => {
        if (!isWarningQuote(node)) return;
        const lists = body.slice(0, index).filter((before) => isStepsNode(before));
        const last = lists.at(-1);
        if (last === undefined || body.slice(index + 1).some(isStepsNode)) return;
        report(texts.afterSteps(), node, moveWarningFix(text, node, last));
      });
    },
    list: (list) => {
      if (!isStepList(list)) return;
      for (const { children } of list.children) {
        const [first, ...others] = children;
        const warning = first?.type === "paragraph" ? others.find(isWarningQuote) : undefined;
        if (warning !== undefined) report(texts.afterStep(), warning);
      }
    },
  }),
  good: [
    "## Procedure\n\n> [!WARNING]\n> Hot. Wear gloves.\n\n1. Open it.\n2. Wait.\n\n> [!CAUTION]\n> It drips. Hold a cup.\n\n3. Close it.\n",
    "## Procedure\n\n1. Open it.\n\n> [!NOTE]\n> It was open before.\n",
  ],
  bad: [
    {
      text: "## Procedure\n\n1. Open it.\n\n> [!WARNING]\n> Hot. Wear gloves.\n\nText\n",
      lines: [5],
      fixed: "## Procedure\n\n> [!WARNING]\n> Hot. Wear gloves.\n\n1. Open it.\n\nText\n",
    },
    { text: "## Procedure\n\n1. Open it.\n\n   > [!CAUTION]\n   > Hot. Wear gloves.\n\n2. Wait.\n", lines: [5] },
  ],
};

function isWarningQuote(node: RootContent): node is Blockquote {
  return node.type === "blockquote" && isHazard(alertKindOf(node));
}

function isStepsNode(node: RootContent): node is List {
  return node.type === "list" && isStepList(node);
}

function moveWarningFix(text: string, warning: Blockquote, list: RootContent): Fix {
  const { start, end } = rangeOfNode(warning);
  const blank = /^[ \t]*\n(?:[ \t]*\n)*/.exec(text.slice(end))?.[0].length ?? 0;
  const at = rangeOfNode(list).start;
  return {
    safe: false,
    edits: [
      { start: at, end: at, text: `${text.slice(start, end)}\n\n` },
      { start, end: end + blank, text: "" },
    ],
  };
}
