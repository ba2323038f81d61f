import { marksAsText } from "#core/faithful/markup.ts";
import type { Rule } from "../rule.ts";

/** Finds bold, italics, links and images that readers see as stars, underscores and brackets. */
export const marksSeenAsText: Rule = {
  id: "text/marks-as-text",
  severity: "warning",
  fixable: "no",
  source: "CommonMark 6.2, 6.3",
  why: "Readers see the marks instead of bold words, a link or a picture.",
  create: ({ tree, text, report }) => ({
    done() {
      for (const { mark, start } of marksAsText(tree, text)) {
        report(strayMarkMessage(mark), { start, end: start + mark.length });
      }
    },
  }),
  good: [
    "**Stop:** now, **Stop**: now\n\n2 \\* 3 and `**a:**b`\n",
    "[the pump](the%20pump.md) and ![valve](<the valve.png>)\n",
  ],
  bad: [
    { text: "**Stop:**now\n\n- a *Stop:*now\n- a _Stop:_now\n- ** Stop ** now\n", lines: [1, 3, 4, 5] },
    { text: "See [the pump](the pump.md).\n\n<div>**Stop** now</div>\n", lines: [1, 3] },
  ],
};

function strayMarkMessage(mark: string): string {
  const advice = mark.endsWith(")")
    ? "write spaces in the address as %20, and no Markdown inside HTML"
    : "put the mark beside a letter, or a space between mark and word";
  return `Readers see “${mark}” as it is: ${advice}`;
}
