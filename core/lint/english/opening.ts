import { baseOfGerund, canBeVerb, baseOfThirdPerson } from "./verbs.ts";
import { englishWordsOf, type EnglishWord } from "./words.ts";

/**
 * The kind of a step's beginning: an instruction (`verb`), certainly no instruction (`other`: "The operator shall …",
 * "You …", "Opening the valve"), or `unknown`.
 */
export type StepOpening = "verb" | "other" | "unknown";

const setOfWords = (words: string): ReadonlySet<string> => new Set(words.split(" "));

const lead =
  /^(?:\s*\((?:optional(?:ly)?|if [^()]*)\)|\s*optional(?:ly)?\b[:,]?|\s*(?:please|then|next|now|finally|lastly|first|firstly|second|secondly|third|thirdly|afterwards?|again|also|instead|otherwise|always|never|just|only|kindly|again)\b,?)+\s*/i;
const label = /^[^.:!?]{1,40}:\s+(?=\S)/;
const clause = setOfWords(
  "if when whenever once after before while as until unless where because since for in on at to from with without using under within during above below back along by pending depending should upon following per prior at inside outside through via between between given due according based throughout next optionally additionally alternatively otherwise however lastly again instead of",
);
const subjects = setOfWords(
  "the a an this these those you you'll you're you've it it's it'll they they're they'll we we'll we're i he she your our their his her its there there's someone somebody everyone everybody anyone anybody nobody each all both any some most many several every either neither no one once-only",
);
const modals = setOfWords(
  "shall must should will may can cannot can't won't would could might needs is are was were has isn't aren't shouldn't mustn't",
);
const future = setOfWords("will shall should must may");
const abilities = setOfWords("being having knowing what how why who which where");
/** Words that begin another clause, so that a verb after them is not the verb of the step. */
const stopWords = setOfWords(
  "that which who whom whose until when whenever if whether where while so as because unless and or than then",
);
const determiners = setOfWords(
  "the a an this these those it its your their our his her all any each every both you them they everyone that what which who whether if how no",
);

export function stepOpeningOf(step: string): StepOpening {
  // A step that opens with a link names a document.
  if (step.startsWith("[")) return classifyOpening(step) === "verb" ? "verb" : "unknown";
  // A step that starts in lower case continues an enumeration.
  if (/^\s*\p{Ll}/u.test(step) && !canBeVerb(englishWordsOf(step)[0]?.text ?? "")) return "unknown";
  const text = step.replace(lead, "");
  const opening = classifyOpening(text);
  if (opening === "verb") return "verb";
  // "Cell lysis: add the buffer": the instruction can follow a label.
  const labelled = label.exec(text);
  return labelled !== null && classifyOpening(text.slice(labelled[0].length).replace(lead, "")) === "verb"
    ? "verb"
    : opening;
}

function classifyOpening(text: string): StepOpening {
  const sentence = /^[^]*?(?:[.!?;](?=\s)|$)/.exec(text)?.[0] ?? text;
  if (sentence.trimEnd().endsWith("?")) return "unknown";
  const words = englishWordsOf(sentence);
  const first = words[0];
  if (first === undefined) return "unknown";
  if (isInstruction(words)) return "verb";
  if (clause.has(first.text)) return openingAfterClause(sentence, words);
  return isStatement(words) ? "other" : "unknown";
}

/** Classifies a step such as "If the light is red, stop.", in which an instruction can follow each comma. */
function openingAfterClause(sentence: string, words: readonly EnglishWord[]): StepOpening {
  const parts = sentence.split(/,\s+(?:then\s+)?/).slice(1);
  const openings = parts.map((part) => englishWordsOf(part.replace(lead, "")));
  if (openings.some(isInstruction)) return "verb";
  const last = openings.findLast((part) => part.length > 2);
  if (last !== undefined && isStatementStart(last)) return "other";
  if (parts.length > 0) return "unknown";
  // Without a comma, only a subject with a modal verb shows a statement: "At this point the user will receive …".
  const rest = words.slice(1);
  return words[0]?.text !== "to" &&
    !rest.some(({ text }) => canBeVerb(text)) &&
    rest.some(({ text }) => modals.has(text))
    ? "other"
    : "unknown";
}

function isInstruction(words: readonly EnglishWord[]): boolean {
  const at = words[0] !== undefined && isAdverb(words[0].text) ? 1 : 0;
  const verb = words[at]?.text ?? "";
  if (verb === "don't" || verb === "do") return true;
  if (!canBeVerb(verb)) return false;
  const second = words[at + 1]?.text ?? "";
  const third = words[at + 2]?.text ?? "";
  // "Run will last …", "Help desk will create …" begin with nouns.
  return !modals.has(second) && !(future.has(third) && !determiners.has(second) && !stopWords.has(second));
}

function isAdverb(word: string): boolean {
  return /^[a-z]{3,}ly$/.test(word) && !["apply", "reply", "supply", "multiply", "comply", "rely"].includes(word);
}

function isStatement(words: readonly EnglishWord[]): boolean {
  const first = words[0];
  if (first === undefined) return false;
  if (subjects.has(first.text) || first.text === "will" || first.text === "must") return true;
  if (abilities.has(first.text)) return false;
  if (/[A-Z]/.test(first.raw.charAt(0)) && baseOfGerund(first.text) !== undefined) return true;
  return hasSubjectAndVerb(words);
}

/** Tells whether a main clause names its subject before the verb. */
function isStatementStart(words: readonly EnglishWord[]): boolean {
  const first = words[0];
  if (first === undefined) return false;
  return (subjects.has(first.text) && words.length > 2) || hasSubjectAndVerb(words);
}

/**
 * Recognizes "GSA IT will triage …" and "Operator opens …": up to four words, then a verb that can't be an instruction.
 */
function hasSubjectAndVerb(words: readonly EnglishWord[]): boolean {
  for (const [index, { text }] of words.slice(0, 6).entries()) {
    if (stopWords.has(text)) return false;
    if (index > 0 && modals.has(text)) return true;
    if (index > 0 && index < 4 && baseOfThirdPerson(text) !== undefined && canStartObject(words[index + 1]))
      return true;
  }
  return false;
}

function canStartObject(word: EnglishWord | undefined): boolean {
  return word !== undefined && (determiners.has(word.text) || ["to", "for", "with", "from", "out"].includes(word.text));
}
