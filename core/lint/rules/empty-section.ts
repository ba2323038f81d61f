import type { RootContent } from "mdast";
import { plainText } from "#core/markdown/plain-text.ts";
import type { Rule } from "../rule.ts";
import { sentences } from "#core/language/catalog.ts";

const nothing = /^(?:n\s*\/?\s*a|none|not applicable|tbc|-+|\.+)\.?$/i;

const texts = sentences("core.lint.struct/empty-section", {
  why: "An empty section leaves open whether something was forgotten.",
  empty: "This section is empty: write it or remove the heading",
  reasonless: "Say why this section does not apply",
});

/** Each section has content. A section that does not apply gives the reason. */
export const emptySection: Rule = {
  id: "struct/empty-section",
  severity: "warning",
  fixable: "no",
  source: "EPA QA/G-6",
  why: texts.why(),
  create: ({ tree, report }) => ({
    done() {
      const { children } = tree;
      children.forEach((node, index) => {
        if (node.type !== "heading") return;
        const end = children.findIndex((other, at) => at > index && other.type === "heading");
        const body = children.slice(index + 1, end === -1 ? undefined : end).filter(isVisibleContent);
        const next = end === -1 ? undefined : children[end];
        const hasParts = next?.type === "heading" && next.depth > node.depth;
        const [only] = body;
        if (body.length === 0 && !hasParts && !canBeEmpty(plainText(node))) report(texts.empty(), node);
        else if (body.length === 1 && only !== undefined && !hasParts && nothing.test(plainText(only))) {
          report(texts.reasonless(), only);
        }
      });
    },
  }),
  good: [
    "## 1. Send the form to the office.\n\n## 2. Wait for the answer.\n",
    "## A\n\nText\n\n## B\n\n### C\n\nText\n",
    "## A\n\nNot applicable: no chemicals are used.\n",
  ],
  bad: [
    { text: "## A\n\n## B\n\nText\n\n## C\n\n<!-- later -->\n", lines: [1, 7] },
    { text: "## Safety\n\nN/A\n", lines: [3] },
  ],
};

/**
 * Tells whether a heading needs no text below: a sentence, which is a step written as a heading, or a title in
 * parentheses, which the author still has to replace.
 */
function canBeEmpty(title: string): boolean {
  return /\s.*[.!?]$|^\(.*\)$/.test(title.trim());
}

function isVisibleContent(node: RootContent): boolean {
  return !(node.type === "html" && /^<!--[^]*-->$/.test(node.value)) && node.type !== "definition";
}
