import { countWords, sentencesOf } from "../english/words.ts";
import type { Rule } from "../rule.ts";
import { sentences } from "#core/language/catalog.ts";

/** A shorter paragraph has too few words to measure. */
const fewestWords = 40;

const texts = sentences("core.lint.style/readability", {
  why: "Many readers follow the procedure in their second language, at the end of a shift.",
  long: "This sentence has {words} words; {most} are the most",
  grade: "Reading grade is {grade}. Aim for {most} or less",
});

/** All readers of a paragraph can understand it. */
export const readability: Rule = {
  id: "style/readability",
  severity: "info",
  fixable: "no",
  english: true,
  source: "ISO 24495-1; ASD-STE100; Flesch-Kincaid grade",
  why: texts.why(),
  create: ({ settings: { limits }, report }) => ({
    prose: (prose, parents) => {
      if (prose.node.type !== "paragraph" || parents.some(({ type }) => type === "listItem")) return;
      const sentences = sentencesOf(prose.text);
      for (const { text, start } of sentences) {
        const count = countWords(text);
        if (count > limits.sentenceWords)
          report(
            texts.long({ words: count, most: limits.sentenceWords }),
            prose.offsetsInFile(start, start + text.length),
          );
      }
      if (countWords(prose.text) < fewestWords) return;
      const grade = readingGradeOf(prose.text, sentences.length);
      if (grade > limits.grade) report(texts.grade({ grade: Math.round(grade), most: limits.grade }), prose.node);
    },
  }),
  setting: { settings: { limits: { sentenceWords: 12, grade: 8 } } },
  good: ["The desk resets passwords. It asks who calls. It writes down what it did.\n"],
  bad: [
    {
      text: "The desk resets the passwords of all people who call it from one of the sites.\n",
      lines: [1],
    },
    {
      text: "Organisational accountability necessitates comprehensive documentation. Responsibility for verification remains individually attributable. Administrative authorisation requires unambiguous identification. Confidentiality obligations prohibit unauthorised dissemination. Continuous availability presupposes preventive maintenance. Retention periods accommodate regulatory expectations. Independent verification ensures comprehensive traceability. Deviations necessitate immediate investigation.\n",
      lines: [1],
    },
  ],
};

/** Flesch-Kincaid grade: the school year whose readers understand the text (Kincaid et al. 1975). */
function readingGradeOf(text: string, sentences: number): number {
  const words = text.toLowerCase().match(/[a-z]+(?:['’][a-z]+)?/g) ?? [];
  if (words.length === 0 || sentences === 0) return 0;
  const syllables = words.reduce((sum, word) => sum + syllablesOf(word), 0);
  return 0.39 * (words.length / sentences) + 11.8 * (syllables / words.length) - 15.59;
}

/** Estimates the syllables of an English word: its groups of vowels without a silent e. */
function syllablesOf(word: string): number {
  const plain = word.replace(/[^a-z]/g, "").replace(/(?:[^laeiouy]es|[^td]ed|[^laeiouy]e)$/, (end) => end.charAt(0));
  return Math.max(1, plain.match(/[aeiouy]{1,2}/g)?.length ?? 1);
}
