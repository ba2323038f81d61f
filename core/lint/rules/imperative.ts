import type { Nodes } from "mdast";
import { stepOpeningOf } from "../english/opening.ts";
import type { Rule } from "../rule.ts";
import { sentences } from "#core/language/catalog.ts";

const texts = sentences("core.lint.step/imperative", {
  why: '"The valve should be opened" leaves open who opens it and when; "Open the valve" does not.',
  noVerb: "Open the step with what to do: a verb such as Open, Check, Send",
});

/** A step begins with its verb: it says what to do, not what happens or who should act. */
export const imperative: Rule = {
  id: "step/imperative",
  severity: "warning",
  fixable: "no",
  english: true,
  source: "EPA QA/G-6; ASD-STE100; plainlanguage.gov",
  why: texts.why(),
  create: ({ report }) => ({
    step: ({ said, saidAt, prose }) => {
      if (stepOpeningOf(said) !== "other" || opensWithLink(prose.node)) return;
      const first = /\S+(?:\s+\S+){0,3}/.exec(said);
      const start = saidAt + (first?.index ?? 0);
      report(texts.noVerb(), {
        ...prose.offsetsInFile(start, start + (first?.[0].length ?? 0)),
      });
    },
  }),
  good: [
    "## Procedure\n\n1. Open the valve.\n2. If the lamp is red, stop the pump.\n3. **Operator:** Carefully close the valve.\n4. Do not restart it.\n",
  ],
  bad: [
    {
      text: "## Procedure\n\n1. The operator shall open the valve.\n2. You should now close it.\n3. Cleaning the pump.\n4. When it is hot, the lamp will turn red.\n",
      lines: [3, 4, 5, 6],
    },
  ],
};

/** Tells whether a list item begins with a link. A list of links is a table of contents, not steps. */
function opensWithLink(node: Nodes): boolean {
  const first = "children" in node ? node.children[0] : undefined;
  return first?.type === "link" || first?.type === "linkReference";
}
