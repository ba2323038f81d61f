import type { Heading } from "mdast";
import { closesGaps } from "../declared-changes.ts";
import { headingDepthEdit, type Rule } from "../rule.ts";
import { sentences } from "#core/language/catalog.ts";

const texts = sentences("core.lint.struct/heading-increment", {
  why: "The outline is how people and screen readers find their way; a skipped level reads as a missing part.",
  skipped: "This heading is level {level}; after level {above} comes level {next}",
});

/** Headings skip no level below the title, which is level 1. */
export const headingIncrement: Rule = {
  id: "struct/heading-increment",
  severity: "warning",
  fixable: "safe",
  declares: closesGaps,
  source: "remark-lint; WCAG 1.3.1",
  why: texts.why(),
  create: ({ text, report }) => {
    const headings: Heading[] = [];
    return {
      heading: (node) => void headings.push(node),
      done() {
        headings.forEach((heading, index) => {
          const above = headings[index - 1]?.depth ?? 1;
          const by = heading.depth - above - 1;
          if (by <= 0) return;
          const end = headings.findIndex((other, at) => at > index && other.depth <= above + 1);
          const run = headings.slice(index, end === -1 ? undefined : end);
          report(texts.skipped({ level: heading.depth, above, next: above + 1 }), heading, {
            safe: true,
            edits: run.map((node) => headingDepthEdit(text, node, node.depth - by)),
          });
        });
      },
    };
  },
  good: ["## A\n\n### B\n\n## C\n"],
  bad: [
    { text: "### A\n\n#### B\n\n## C\n", lines: [1], fixed: "## A\n\n### B\n\n## C\n" },
    { text: "## A\n\n##### B\n\n##### C\n", lines: [3], fixed: "## A\n\n### B\n\n### C\n" },
  ],
};
