import { countWords, sentencesOf } from "../english/words.ts";
import type { Rule } from "../rule.ts";
import { sentences } from "#core/language/catalog.ts";

const texts = sentences("core.lint.step/length", {
  why: "People working with both hands read a sentence once and remember about 20 words.",
  long: "This sentence has {words} words. Use {most} or fewer in a step",
});

/** A sentence of a step is short enough to remember. */
export const stepLength: Rule = {
  id: "step/length",
  severity: "warning",
  fixable: "no",
  english: true,
  source: "ASD-STE100",
  why: texts.why(),
  create: ({ settings: { limits }, report }) => ({
    step: ({ said, saidAt, prose }) => {
      for (const { text, start } of sentencesOf(said)) {
        const count = countWords(text);
        if (count <= limits.stepWords) continue;
        const place = prose.offsetsInFile(saidAt + start, saidAt + start + text.length);
        report(texts.long({ words: count, most: limits.stepWords }), place);
      }
    },
  }),
  setting: { settings: { limits: { stepWords: 8 } } },
  good: ["## Procedure\n\n1. Open the valve slowly; wait for the lamp. Then close it again, e.g. by hand.\n"],
  bad: [
    {
      text: "## Procedure\n\n1. Open it.\n2. Open the valve slowly while you watch the lamp above.\n",
      lines: [4],
    },
  ],
};
