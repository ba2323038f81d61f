/** Tells whether a text is in a language whose words of protection we know. */
import { detectLanguage } from "../text/detect-language.ts";

const known = new Set(["en", "de", "fr", "es", "it", "nl", "pt"]);

/** Frequent words of these languages that are rare in Scandinavian, Slavic, Romanian and Finnish texts. */
const frequent = new Set(
  [
    "the of and to in is are this that with by it",
    "die das und ist sind für des dem ein eine von zu mit im",
    "le la les des et du de une est pour dans",
    "el los las del que por para con",
    "il gli di della che per al",
    "het een van voor zijn met",
    "os as do da dos das em para com",
  ].flatMap((words) => words.split(" ")),
);

/** Names and lists of terms have few frequent words, so they count as unknown. */
const leastShare = 1 / 8;

/** A sentence of this many words has a frequent one, unless it is in another language. */
const wordsOfSentence = 4;

/** A word in another script. Single letters are symbols, such as those of units. */
const otherScript = /(?:(?!\p{Script=Latin})\p{L}){2}/u;

/** Tells whether the text as a whole and each of its sentences are in a known language. */
export function isInKnownLanguage(text: string): boolean {
  const plain = text.normalize("NFC");
  const words = wordsIn(plain);
  if (words.filter(isFrequent).length <= words.length * leastShare) return false;
  if (otherScript.test(plain) || isElsewhere(plain)) return false;
  return plain.split(/[.!?;:\n]+/).every((sentence) => {
    const own = wordsIn(sentence);
    return own.length < wordsOfSentence || (own.some(isFrequent) && !isElsewhere(sentence));
  });
}

const wordsIn = (text: string) => text.toLowerCase().match(/\p{L}+/gu) ?? [];
const isFrequent = (word: string) => frequent.has(word);

function isElsewhere(text: string): boolean {
  const lang = detectLanguage(text);
  return lang !== undefined && !known.has(lang);
}
