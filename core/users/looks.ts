/**
 * Compares names by their looks, so that no user can imitate another. A "look" is a key (a skeleton of Unicode UTS 39)
 * that is equal for names that differ only in case, accents, spaces, dots, similar letters or the order of words.
 */
import unhomoglyph from "unhomoglyph";
import { printedName } from "./printed-name.ts";

export function doNamesLookAlike(one: string, other: string): boolean {
  const looks = new Set(looksOfName(one));
  return looksOfName(other).some((look) => looks.has(look));
}

/** Returns the looks of a name. Two names look alike if they share a look. The first digit of a look is its kind. */
export function looksOfName(name: string): string[] {
  const words = wordsOfName(name);
  return [lookOfText, lookOfLowerCase].flatMap((shape, kind) => [
    `${kind}:${shape(name)}`,
    `${kind}:${words.map(shape).toSorted().join(" ")}`,
  ]);
}

/** Returns the look of a username. The letters i and l count as equal. */
export function lookOfUsername(username: string): string {
  return `2:${lookOfLowerCase(username).replaceAll("i", "l")}`;
}

/** Titles, which don't distinguish people. */
const titles = new Set(
  "dr mr mrs ms miss mx prof professor sir dame lady lord herr frau mme mlle monsieur madame sr sra srta don dona ing dipl mag jr ii iii iv phd md bsc msc ba ma mba".split(
    " ",
  ),
);
const bracketed = /[([{（［][^)\]}）］]*[)\]}）］]?/g;
/** Matches a single letter of a script with capitals, which can be an initial. */
const initial = /^[\p{Lu}\p{Ll}]$/u;

/**
 * Returns the words of a name in order, without punctuation and initials. `d'Ada` and compounds are split at their
 * signs.
 */
function nameWordsWithoutInitials(name: string): string[] {
  const words =
    name
      .normalize("NFC")
      .replaceAll(/\p{Lm}/gu, " ")
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.filter((word) => !initial.test(word));
}

/** The functions that compute both looks of a word. The letters i and l count as equal. */
const shapes = [lookOfText, lookOfLowerCase].map((shape) => (text: string) => shape(text).replaceAll("i", "l"));
const sortedDistinct = (words: readonly string[]) => [...new Set(words)].toSorted();

/**
 * Returns the looks by which a longer name is found that contains all words of this name. A name of one word has none,
 * because many people share it.
 */
function looksOfCoreName(name: string): string[] {
  const core = nameWordsWithoutInitials(name.replace(bracketed, " ")).filter((word) => !titles.has(word.toLowerCase()));
  return shapes.flatMap((shape) => {
    const parts = core.map(shape);
    const words = sortedDistinct(parts);
    const joined = [parts, parts.toReversed()].map((row) => `5:${row.join("")}`);
    return words.length < 2 ? [] : [`3:${words.slice(0, 2).join(" ")}`, `4:${words.join(" ")}`, ...joined];
  });
}

/**
 * Digits and the letters that they look like. The digits 0, 3, 5 and 8 are missing, because each look replaces them.
 */
const lettersLikeDigits: Readonly<Record<string, string>> = {
  "1": "i",
  "2": "z",
  "4": "a",
  "6": "g",
  "7": "t",
  "9": "g",
};

/**
 * Returns a name as it is, and with digits inside words read as letters: `8er9` as Berg. Stored looks don't use this
 * reading, because `Line 4` and `Line 9` are different names.
 */
export function readingsWithDigitsAsLetters(name: string): string[] {
  const word = /[\p{L}\p{N}]{2,}/gu;
  return [name, name.replaceAll(word, (one) => one.replaceAll(/\d/g, (digit) => lettersLikeDigits[digit] ?? digit))];
}

/** Returns the looks of names that this name can contain: of each pair of words, and of neighboring words joined. */
export function looksInsideName(name: string): string[] {
  return shapes.flatMap((shape) => {
    const parts = nameWordsWithoutInitials(name).map(shape);
    const words = sortedDistinct(parts);
    return [
      ...words.flatMap((one, index) => words.slice(index + 1).map((other) => `3:${one} ${other}`)),
      ...parts.flatMap((_, first) =>
        parts.slice(first).map((__, more) => `5:${parts.slice(first, first + more + 1).join("")}`),
      ),
    ];
  });
}

/**
 * Tells whether a name contains all words of a name with these looks: "Dr. Ada B. Boss, Director" contains "Ada Boss".
 */
export function hasAllWordsOfName(name: string, looks: readonly string[]): boolean {
  const inside = new Set(looksInsideName(name));
  return shapes.some((shape) => {
    const words = new Set(nameWordsWithoutInitials(name).map(shape));
    const hasAll = (look: string) => look.split(" ").every((word) => words.has(word));
    return looks.some((look) =>
      look.startsWith("4:") ? hasAll(look.slice(2)) : look.startsWith("5:") && inside.has(look),
    );
  });
}

/** The maximum number of stored looks of a user, enough for about fifty names. Each request of the user reads them. */
const looksAtMost = 700;

/**
 * Returns the looks to store with a user.
 * @param before the stored looks, which are kept after a rename, because signatures show earlier names
 */
export function looksToStore(user: { name: string; username: string }, before: readonly string[] = []): string[] {
  const names = [user.name, user.username, printedName(user)];
  const own = [lookOfUsername(user.username), ...looksOfCoreName(user.name)];
  const looks = new Set([...names.flatMap(looksOfName), ...own, ...before]);
  return [...looks].slice(0, looksAtMost);
}

function lookOfText(text: string): string {
  return confusableSkeleton(text).toLowerCase();
}
function lookOfLowerCase(text: string): string {
  // the skeleton of 0 is a capital O
  return confusableSkeleton(text.toLowerCase()).toLowerCase();
}
const wordsOfName = (name: string) => name.normalize("NFC").match(/[^\s.,;()/]+/gu) ?? [];

function confusableSkeleton(text: string): string {
  // replace symbols first, because some of them look like letters, such as | and ℮; combining marks are ignored
  return unhomoglyph(text.replaceAll("ſ", "s").replaceAll("ĸ", "k").normalize("NFD"))
    .normalize("NFD")
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .replaceAll(/[358]/g, (digit) => ({ "3": "e", "5": "s" })[digit] ?? "b")
    .replaceAll(/vv/gi, "w");
}
