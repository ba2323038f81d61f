import type { Rule } from "../rule.ts";
import type { Fix } from "../finding.ts";
import { sentences } from "#core/language/catalog.ts";

const words =
  /\b(?:as (?:needed|necessary|appropriate|required|soon as possible|applicable)|(?:if|when|where|whenever|wherever) (?:needed|necessary|appropriate|required|applicable|possible)|regularly|periodically|frequently|occasionally|from time to time|appropriate(?:ly)?|adequate(?:ly)?|sufficient(?:ly)?|suitabl[ey]|reasonabl[ey]|properly|promptly|timely|a few|several|some time|a while|approximately|roughly|and so on|and\/or|try to|attempt to|should|might|could|may)\b|\betc\.?(?!\w)/g;

/** Suggested replacements for vague words. The author has to check the meaning. */
const replacementOfVagueWord: Readonly<Record<string, string>> = {
  "and/or": "or",
  should: "must",
  "try to": "",
  "attempt to": "",
};

const texts = sentences("core.lint.step/vague", {
  why: 'Two people who "check regularly" do two different things, and an auditor can confirm neither.',
  vague: '"{word}" leaves it to the reader: say when, how much or under which condition',
});

/** Steps say how much, when and whether. Vague words such as "as needed" leave that to the reader. */
export const vague: Rule = {
  id: "step/vague",
  severity: "warning",
  fixable: "unsafe",
  english: true,
  source: "ASD-STE100; plainlanguage.gov; EPA QA/G-6",
  why: texts.why(),
  create: ({ text, report }) => ({
    step: ({ said, saidAt, prose }) => {
      for (const match of said.matchAll(words)) {
        const start = saidAt + match.index;
        const place = prose.offsetsInFile(start, start + match[0].length);
        const fix =
          text.slice(place.start, place.end) === match[0] ? replaceVagueWordFix(match[0], place, text) : undefined;
        report(texts.vague({ word: match[0] }), place, fix);
      }
    },
  }),
  good: ["## Procedure\n\n1. Check the level every 2 hours.\n2. Send it in May.\n\n## Notes\n\nClean as needed.\n"],
  bad: [
    { text: "## Procedure\n\n1. Check the level regularly.\n2. Add water as needed, etc.\n", lines: [3, 4, 4] },
    {
      text: "## Procedure\n\n1. Stop the pump and/or the fan.\n2. Try it; you should wait.\n",
      lines: [3, 4],
      fixed: "## Procedure\n\n1. Stop the pump or the fan.\n2. Try it; you must wait.\n",
    },
  ],
};

function replaceVagueWordFix(
  word: string,
  { start, end }: { start: number; end: number },
  text: string,
): Fix | undefined {
  const by = Object.hasOwn(replacementOfVagueWord, word) ? replacementOfVagueWord[word] : undefined;
  if (by === undefined) return undefined;
  const rest = by === "" && text.charAt(end) === " " ? end + 1 : end;
  return { safe: false, edits: [{ start, end: rest, text: by }] };
}
