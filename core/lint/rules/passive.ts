import { sentencesOf, englishWordsOf, type EnglishWord } from "../english/words.ts";
import { isParticiple } from "../english/participles.ts";
import type { Rule } from "../rule.ts";
import { sentences } from "#core/language/catalog.ts";

const be = new Set("is are was were be been isn't aren't wasn't weren't get gets got".split(" "));
/** Words that introduce a state to check, not an instruction. */
const stopWords = new Set(
  "that which who whom whose until when whenever if whether where while after before once unless because as so how why what than sure ensure check verify confirm see".split(
    " ",
  ),
);
const between = /^(?:not|being|never|always|then|also|now|only|\w+ly)$/;

const texts = sentences("core.lint.style/passive", {
  why: '"The valve is closed" is an observation to one reader and an instruction to the next.',
  passive: '"{words}": say who does it, or write an instruction',
});

/** Steps are in the active voice. */
export const passive: Rule = {
  id: "style/passive",
  severity: "info",
  fixable: "no",
  english: true,
  source: "EPA QA/G-6; ASD-STE100",
  why: texts.why(),
  create: ({ report }) => ({
    step: ({ said, saidAt, prose }) => {
      for (const { text, start } of sentencesOf(said)) {
        const found = findPassive(englishWordsOf(text));
        if (found === undefined) continue;
        const [from, to] = found;
        const place = prose.offsetsInFile(saidAt + start + from.start, saidAt + start + to.end);
        report(texts.passive({ words: text.slice(from.start, to.end) }), place);
      }
    },
  }),
  good: [
    "## Procedure\n\n1. Check that the valve is closed.\n2. Make sure the tray is levelled.\n3. Be prepared to stop it.\n4. Wait until the tank is filled.\n\n## Notes\n\nIt is made of steel.\n",
  ],
  bad: [
    { text: "## Procedure\n\n1. The valve must be slowly opened.\n2. Go on. The log is written.\n", lines: [3, 4] },
  ],
};

function findPassive(words: readonly EnglishWord[]): [EnglishWord, EnglishWord] | undefined {
  for (const [index, word] of words.entries()) {
    if (stopWords.has(word.text)) return undefined;
    // "Be prepared to …" is an instruction.
    if (index === 0 || !be.has(word.text)) continue;
    const next = words.slice(index + 1, index + 3).find(({ text }) => !between.test(text));
    if (next !== undefined && isParticiple(next.text)) return [word, next];
  }
  return undefined;
}
