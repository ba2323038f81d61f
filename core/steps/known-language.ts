/** Tells whether a text is in a language whose warnings `protection.ts` recognizes. */
import { detectLanguage, languagesOfClue } from "../text/detect-language.ts";

const known = new Set(["en", "de", "fr", "es", "it", "nl", "pt"]);

/** Matches words in another script than Latin. Single letters are symbols, such as those of units. */
const otherScript = /(?:(?!\p{Script=Latin})\p{L}){2}/u;
const specialLetters = /(?![a-z])\p{Script=Latin}/gu;

/** Matches the ends of the parts of a sentence. */
const ends = /[.!?;:,\n()[\]{}<>"“”„«»‹›|/*_•·…]+|—|\s[-–]+\s/;

/**
 * Tells whether each part of each sentence is in a known language, because any part can be a warning. A part counts if
 * it has a word that is frequent in the language of the text and in no unknown language.
 */
export function isInKnownLanguage(text: string): boolean {
  const plain = text.normalize("NFC").toLowerCase();
  const lang = detectLanguage(plain);
  if (lang === undefined || !known.has(lang)) return false;
  if (otherScript.test(plain) || plain.match(specialLetters)?.some(isForeignLetter)) return false;
  const isOwn = (word: string) => {
    const languages = languagesOfClue(word);
    return languages.includes(lang) && languages.every((one) => known.has(one));
  };
  return plain
    .split(ends)
    .map(wordsIn)
    .every((words) => words.length === 0 || words.some(isOwn));
}

/** Returns the words of two letters or more, because single letters are symbols or list numbers. */
const wordsIn = (text: string): string[] => text.match(/\p{L}{2,}/gu) ?? [];
const isForeignLetter = (letter: string) => !languagesOfClue(letter).some((lang) => known.has(lang));
