import { findMarksShownAsText } from "#core/faithful/markup.ts";
import type { Rule } from "../rule.ts";
import { sentences } from "#core/language/catalog.ts";

const texts = sentences("core.lint.text/marks-as-text", {
  why: "Readers see the marks instead of bold words, a link or a picture.",
  address: "Readers see “{mark}” as it is: write spaces in the address as %20, and no Markdown inside HTML",
  mark: "Readers see “{mark}” as it is: put the mark beside a letter, or a space between mark and word",
});

/** Finds bold, italics, links and images that readers see as stars, underscores and brackets. */
export const marksSeenAsText: Rule = {
  id: "text/marks-as-text",
  severity: "warning",
  fixable: "no",
  source: "CommonMark 6.2, 6.3",
  why: texts.why(),
  create: ({ tree, text, report }) => ({
    done() {
      for (const { mark, start } of findMarksShownAsText(tree, text)) {
        report(mark.endsWith(")") ? texts.address({ mark }) : texts.mark({ mark }), {
          start,
          end: start + mark.length,
        });
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
