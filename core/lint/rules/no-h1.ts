import type { Heading, Root } from "mdast";
import { toString as textOf } from "mdast-util-to-string";
import GithubSlugger from "github-slugger";
import { eachNode } from "#core/markdown/each-node.ts";
import { movesTitle, plainTitleHeading } from "../declared-changes.ts";
import type { TextEdit, Fix } from "../finding.ts";
import { rangeOfNode } from "../positions.ts";
import { headingDepthEdit, type Rule, type RuleContext } from "../rule.ts";
import { sentences, type MessageWithId } from "#core/language/catalog.ts";

const texts = sentences("core.lint.struct/no-h1", {
  why: "The title is shown as the H1; a second one confuses readers and screen readers.",
  shown: "The title is shown by itself: drop this heading",
  move: "The title belongs in the front matter: move this heading there",
  high: "Headings begin at ##",
});

/** The front matter contains the title, which views show as the only H1. */
export const noH1: Rule = {
  id: "struct/no-h1",
  severity: "error",
  fixable: "safe",
  declares: movesTitle,
  source: "house; WCAG 2.4.6",
  why: texts.why(),
  create: (context) => {
    const headings: Heading[] = [];
    return {
      heading: (node) => void headings.push(node),
      done() {
        const top = headings.filter(({ depth }) => depth === 1);
        if (top.length === 0) return;
        const leading = plainTitleHeading(context.tree);
        const title = leading === undefined ? undefined : titleFix(context, leading);
        const rest = title === undefined ? headings : headings.filter((heading) => heading !== leading?.heading);
        const lower = { safe: false, edits: lowerHeadingEdits(context.text, rest) };
        for (const heading of top) {
          const isTitle = title !== undefined && heading === leading?.heading;
          if (isTitle) context.report(title.message, heading, title.fix);
          else context.report(texts.high(), heading, lower);
        }
      },
    };
  },
  good: ["---\ntitle: T\n---\n\n## Purpose\n"],
  bad: [
    { text: "---\ntitle: T\n---\n\n# T\n\n## A\n", lines: [5], fixed: "---\ntitle: T\n---\n\n## A\n" },
    { text: "# Reset a pump\n\n## A\n", lines: [1], fixed: '---\ntitle: "Reset a pump"\n---\n\n## A\n' },
    { text: "---\ntitle: T\n---\n\n# A\n\n## B\n\nC\n===\n", lines: [5, 9] },
  ],
};

/**
 * The fix for a heading that is the title or can become it: its text moves into the front matter, and nothing else
 * changes.
 */
function titleFix(
  { text, tree, values, placeOf }: RuleContext,
  { heading, title }: { heading: Heading; title: string },
): { message: MessageWithId; fix: Fix } | undefined {
  const set = values?.["title"];
  if (hasLinkToHeading(tree, heading)) return undefined;
  if (typeof set === "string" && set.trim() === title)
    return {
      message: texts.shown(),
      fix: safeFixOf([removeHeadingEdit(text, heading)]),
    };
  if (set !== undefined && set !== null && set !== "") return undefined;
  const message = texts.move();
  const line = `title: ${JSON.stringify(title)}`;
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const removed = removeHeadingEdit(text, heading);
  if (values === null) {
    const head = `---${end}${line}${end}---${end}${end}`;
    if (removed.start === 0) return { message, fix: safeFixOf([{ ...removed, text: head }]) };
    return { message, fix: safeFixOf([{ start: 0, end: 0, text: head }, removed]) };
  }
  if (set === undefined) {
    const at = text.indexOf("\n") + 1;
    return { message, fix: safeFixOf([{ start: at, end: at, text: line + end }, removed]) };
  }
  const place = placeOf("title");
  return "type" in place ? undefined : { message, fix: safeFixOf([{ ...place, text: line }, removed]) };
}

function safeFixOf(edits: TextEdit[]): Fix {
  return { safe: true, edits };
}

/** Tells whether a link leads to the heading. A fix that removes the heading would break that link. */
function hasLinkToHeading(tree: Root, heading: Heading): boolean {
  const anchor = `#${new GithubSlugger().slug(textOf(heading))}`;
  let linked = false;
  eachNode(tree, (node) => {
    if ((node.type === "link" || node.type === "definition") && node.url === anchor) linked = true;
  });
  return linked;
}

function lowerHeadingEdits(text: string, headings: readonly Heading[]): TextEdit[] {
  return headings.filter(({ depth }) => depth < 6).map((node) => headingDepthEdit(text, node, node.depth + 1));
}

function removeHeadingEdit(text: string, heading: Heading): TextEdit {
  const { start, end } = rangeOfNode(heading);
  const blank = /^[ \t]*(?:\r?\n)?(?:[ \t]*\r?\n)*/.exec(text.slice(end))?.[0].length ?? 0;
  return { start, end: end + blank, text: "" };
}
