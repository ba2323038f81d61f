import type { Heading } from "mdast";
import { toString as textOf } from "mdast-util-to-string";
import { headingEdit, type Rule } from "../rule.ts";
import type { Edit } from "../finding.ts";

/** The title is front matter and shown as the only H1. */
export const noH1: Rule = {
  id: "struct/no-h1",
  severity: "error",
  fixable: "safe",
  source: "house; WCAG 2.4.6",
  why: "The title is shown as the H1; a second one confuses readers and screen readers.",
  create: ({ text, values, report }) => {
    const headings: Heading[] = [];
    return {
      heading: (node) => void headings.push(node),
      done() {
        const first = headings.find(({ depth }) => depth === 1);
        if (first === undefined) return;
        const isTitle = textOf(first).trim() === values?.["title"];
        const rest = isTitle ? headings.filter((heading) => heading !== first) : headings;
        const lower = rest.some(({ depth }) => depth === 1);
        const edits = lower
          ? rest.filter(({ depth }) => depth < 6).map((node) => headingEdit(text, node, node.depth + 1))
          : [];
        if (isTitle) edits.push(removal(text, first));
        for (const heading of headings.filter(({ depth }) => depth === 1)) {
          const message =
            heading === first && isTitle ? "The title is shown by itself: drop this heading" : "Headings begin at ##";
          report(message, heading, { safe: true, edits });
        }
      },
    };
  },
  good: ["---\ntitle: T\n---\n\n## Purpose\n"],
  bad: [
    { text: "---\ntitle: T\n---\n\n# T\n\n## A\n", lines: [5], fixed: "---\ntitle: T\n---\n\n## A\n" },
    { text: "# A\n\n## B\n\nC\n===\n", lines: [1, 5], fixed: "## A\n\n### B\n\n## C\n" },
  ],
};

function removal(text: string, heading: Heading): Edit {
  const end = heading.position?.end.offset ?? 0;
  const blank = /^[ \t]*(?:\r?\n)?(?:[ \t]*\r?\n)*/.exec(text.slice(end))?.[0].length ?? 0;
  return { start: heading.position?.start.offset ?? 0, end: end + blank, text: "" };
}
