import type { Html, Text } from "mdast";
import type { Rule } from "../rule.ts";
import { sentences } from "#core/language/catalog.ts";

/** Matches a blank to fill in, such as `[insert name]`. */
export const blankPattern = /\[(?:confirm|insert|enter|your|add|fill in|replace)\b[^[\]\n]*\](?![([])/gi;

const patterns = [
  /(?<!\$)\b(?:TODO|TBD|FIXME|XXX)\b/g,
  /\blorem ipsum\b/gi,
  blankPattern,
  /<(?:insert|enter|your|add|fill in|replace)\b[^<>\n]*>/gi,
];

const texts = sentences("core.lint.text/placeholder", {
  why: "A published procedure must not leave its reader to guess.",
  replace: "Replace the placeholder {blank}",
});

/** The text contains no placeholder. */
export const placeholder: Rule = {
  id: "text/placeholder",
  severity: "error",
  fixable: "no",
  source: "house",
  why: texts.why(),
  create: ({ text, isTemplate, report }) => {
    const checkNode = (node: Html | Text): void => {
      const from = node.position?.start.offset ?? 0;
      const source = text.slice(from, node.position?.end.offset ?? 0);
      for (const pattern of patterns) {
        for (const match of source.matchAll(pattern)) {
          const start = from + match.index;
          report(texts.replace({ blank: match[0] }), { start, end: start + match[0].length });
        }
      }
    };
    if (isTemplate) return {};
    return { text: checkNode, html: (node) => (node.value.startsWith("<!--") ? undefined : checkNode(node)) };
  },
  good: [
    "Call the desk. `TODO` in code is fine. Up to $XXX.00.\n",
    "---\ntemplate: true\n---\n\n[insert name]\n",
    "See [your team](x) and [add a note]({% page '/x' %}).\n",
  ],
  bad: [
    { text: "TODO: finish\n\nOwner: [insert name], \\<enter date>\n", lines: [1, 3, 3] },
    { text: "Lorem ipsum dolor.\n", lines: [1] },
  ],
};
