/**
 * Decides whether two words are the same word in another spelling or form. Without a dictionary, a doubtful pair counts
 * as two different words.
 */
import { editDistance } from "#core/text/distance.ts";
import { factLanguages, factWords, type FactLanguage } from "./fact-words.ts";

/** Tells whether `other` is the word `one` in another spelling or form, or with a corrected misspelling or grammar. */
export function isSameWord(one: string, other: string, language: FactLanguage | null): boolean {
  const [a, b] = [spellingKeyOf(one, language), spellingKeyOf(other, language)];
  if (a === b || isGrammarVariant(a, b)) return true;
  if (isCorrectedMisspelling(one.toLowerCase(), other.toLowerCase(), language)) return true;
  return isInflectedForm(a, b, language) || isTypo(a, b, language);
}

/**
 * Removes accents, hyphens and differences of dialect. German umlauts stay, because they make other words: `drucken`,
 * `drücken`.
 */
function spellingKeyOf(word: string, language: FactLanguage | null): string {
  const letters = word.toLowerCase().normalize("NFC").replace(/['’-]/g, "");
  switch (language) {
    case "de":
      // `Masse` (the mass) and `Maße` (the measures) are different words
      return /^ma(?:ß|ss)en?$/.test(letters) ? letters : letters.replaceAll("ß", "ss");
    case "en":
      return letters
        .replace(/(?<=\p{L}{2})our/u, "or")
        .replace(/is(?=(?:e[ds]?|er|ing|ations?)$)/, "iz")
        .replace(/(?<=\p{L}{3})re$/u, "er")
        .replace(/(?<=[aeiou][^aeiou]+[aeiou]l)l(?=(?:ed|ing|er)$)/, "")
        .replace(/(?<=\p{L}{2})ogue$/u, "og")
        .replace(/ae|oe/, "e");
    case "nl":
      return letters.length >= 7 ? letters.replace(/([aeou])\1/g, "$1") : letters;
    case null:
      return letters;
    default:
      return withoutAccents(letters);
  }
}

/** Keeps the tilde of ñ, because ñ is a separate letter: `cuna`, `cuña`. */
function withoutAccents(letters: string): string {
  return letters.normalize("NFKD").replace(/(?<!n)\p{M}|(?!\u0303)\p{M}/gu, "");
}

/**
 * Groups of words that a grammar correction may exchange: articles, forms of auxiliary verbs, and short words that
 * sound the same.
 */
const grammarVariants = [
  "a an the that which,is are be gets get,was were,has have",
  "does do,you your,than then,its it's,their there,ist sind,war waren",
  "hat haben,wird werden,wurde wurden,der die das den dem des",
  "ein eine einen einem einer eines,est sont,a ont,etait etaient",
  "le la les l,un une,etre se,du de la des,es son",
  "esta estan,fue fueron,ha han,el la los las,un una unos unas",
  "e sono,viene vengono,era erano,il lo la i gli le",
  "un uno una,essere si,e sao,esta estao,foi foram",
  "o a os as,um uma,zijn is,was waren,wordt worden,heeft hebben",
  "de het",
]
  .flatMap((line) => line.split(","))
  .map((forms) => forms.split(" "));

function isGrammarVariant(one: string, other: string): boolean {
  return grammarVariants.some((forms) => forms.includes(one) && forms.includes(other));
}

/** Tells whether the old word is a common misspelling and the new word differs from it by at most two letters. */
function isCorrectedMisspelling(one: string, other: string, language: FactLanguage | null): boolean {
  if (!spellingListOf("misspelled", language).has(one)) return false;
  return editDistance(one, other, 2).full <= Math.min(2, one.length / 2);
}

const spellingLists = new Map<string, ReadonlySet<string>>();

function spellingListOf(key: "misspelled" | "endings", language: FactLanguage | null): ReadonlySet<string> {
  const id = `${key} ${language ?? ""}`;
  const known = spellingLists.get(id);
  if (known !== undefined) return known;
  const words = (language === null ? factLanguages : [language]).flatMap((one) => factWords[one][key].split(" "));
  const made = new Set(words);
  spellingLists.set(id, made);
  return made;
}

const leastStemLetters = 3;

/**
 * Tells whether two words are forms of one word: they differ in their endings, or are a participle and an infinitive of
 * German or Dutch.
 */
function isInflectedForm(one: string, other: string, language: FactLanguage | null): boolean {
  if (language === null) return false;
  if (isSameStem(one, other, language)) return true;
  if (language === "es" || language === "pt") return isSameStem(spanishSoundOf(one), spanishSoundOf(other), language);
  if (language !== "de" && language !== "nl") return false;
  const [a = "", b = ""] = [one, other].map((word) => word.replace(/^ge(?=\p{L}{3})/u, "").replace(innerPrefix, "$1"));
  if (isSameStem(a, b, language)) return true;
  const withoutInnerPrefix = (word: string) => word.replace(innerPrefix, "");
  // the prefix can be separate: `füllt … aus`, `ausgefüllt`
  return isSameStem(withoutInnerPrefix(one), other, language) || isSameStem(one, withoutInnerPrefix(other), language);
}

/**
 * Matches German and Dutch prefixes followed by `ge`, `zu` or `te`, as in `aufgefüllt` and `abzustellen`. Words are
 * compared without these syllables.
 */
const innerPrefix = /^(ab|an|auf|aus|ein|zu|aan|af|in|op|uit|vast|fest|los)(?:ge|zu|te)(?=\p{L}{3})/u;

/**
 * Writes one letter for sounds whose spelling depends on the next vowel in Spanish and Portuguese: `reemplazo`,
 * `reemplace`.
 */
function spanishSoundOf(word: string): string {
  return word
    .replace(/c(?=[ei])/g, "z")
    .replace(/qu(?=[ei])/g, "c")
    .replace(/gu(?=[ei])/g, "g");
}

/**
 * Tells whether two words share a stem and differ only in common endings. A final -a or -o can make another noun
 * (`puerta`, `puerto`), so such pairs don't count.
 */
function isSameStem(one: string, other: string, language: FactLanguage): boolean {
  const start = sharedStartLength(one, other);
  if (start < leastStemLetters) return false;
  const endings = spellingListOf("endings", language);
  const rests = [one.slice(start), other.slice(start)];
  if (/^(?:as?,os?|os?,as?|.(..+),.\1)$/.test(rests.join())) return false;
  // the consonant can be doubled: `stops`, `stopped`
  const isDoubled =
    rests.some((rest) => rest === "" || rest === "s") && rests.some((rest) => rest[0] === one[start - 1]);
  return rests.every((rest) => rest === "" || endings.has(rest) || (isDoubled && endings.has(rest.slice(1))));
}

function sharedStartLength(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

/**
 * Tells whether two long words differ by a typo: one letter, or two swapped letters. A difference near the end doesn't
 * count, because it can make another chemical: `hypochlorite`, `hypochlorate`.
 */
function isTypo(one: string, other: string, language: FactLanguage | null): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  const start = sharedStartLength(short, long);
  let end = 0;
  while (end < short.length - start && short.at(-1 - end) === long.at(-1 - end)) end += 1;
  const [gone, come] = [short.slice(start, short.length - end), long.slice(start, long.length - end)];
  if (gone === "" && come.length === 1 && long[start - 1] === come) {
    // `bottts`: no language writes a double consonant after another consonant, except in compound words
    if (/[bcdfghjklmnpqrtvwxz]([bcdfghjklmnpqrtvwxz])\1/.test(long) && long.length >= 5) return true;
    const isVerb = language !== null && germanic.has(language) && /(.)\1(?:ed|ers?|es|e[lnt]|ing|ten?)$/.test(long);
    return long.length >= 8 && !isVerb;
  }
  if (gone.length === 2 && come.length === 2) return gone === [...come].toReversed().join("") && long.length >= 7;
  return long.length >= 10 && start >= 2 && gone.length <= 1 && come.length === 1 && end >= gone.length + 2;
}

/** Languages in which a doubled consonant before the ending makes another verb: `filling`, `filing`. */
const germanic: ReadonlySet<FactLanguage> = new Set(["en", "de", "nl"]);
