/**
 * Computes how names look (Unicode UTS 39, skeletons): in any case, with any accents, spaces and dots, and in any order
 * of their words. An index finds users by the looks of their current and earlier names.
 */
import unhomoglyph from "unhomoglyph";
import { printedName } from "./printed-name.ts";

export function looksLike(one: string, other: string): boolean {
  const looks = new Set(looksOfName(one));
  return looksOfName(other).some((look) => looks.has(look));
}

/** The looks of a name. Two names look the same if they share a look. The number separates the kinds of looks. */
export function looksOfName(name: string): string[] {
  const words = wordsOfName(name);
  return [lookOfText, shownSmall].flatMap((shape, kind) => [
    `${kind}:${shape(name)}`,
    `${kind}:${words.map(shape).toSorted().join(" ")}`,
  ]);
}

/** The look of a username. Letters that differ only by a stroke, such as i and l, count as equal. */
export function lookOfUsername(username: string): string {
  return `2:${shownSmall(username).replaceAll("i", "l")}`;
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
 * The words of a name in their order, without marks and initials. The parts of a compound, and of `d'Ada`, are separate
 * words.
 */
function namePartsOf(name: string): string[] {
  const words =
    name
      .normalize("NFC")
      .replaceAll(/\p{Lm}/gu, " ")
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.filter((word) => !initial.test(word));
}

/** Both shapes of a text. Letters that differ only by a stroke, such as i and l, count as equal. */
const shapes = [lookOfText, shownSmall].map((shape) => (text: string) => shape(text).replaceAll("i", "l"));
const sortedDistinct = (words: readonly string[]) => [...new Set(words)].toSorted();

/**
 * The looks by which a longer name is found that contains all words of this one; none for a single word, which many
 * people share.
 */
function coreLooks(name: string): string[] {
  const core = namePartsOf(name.replace(bracketed, " ")).filter((word) => !titles.has(word.toLowerCase()));
  return shapes.flatMap((shape) => {
    const parts = core.map(shape);
    const words = sortedDistinct(parts);
    const joined = [parts, parts.toReversed()].map((row) => `5:${row.join("")}`);
    return words.length < 2 ? [] : [`3:${words.slice(0, 2).join(" ")}`, `4:${words.join(" ")}`, ...joined];
  });
}

/** Other digits are letters in each look that is stored. 1 is `l` there. */
const likeDigits: Readonly<Record<string, string>> = { "1": "i", "2": "z", "4": "a", "6": "g", "7": "t", "9": "g" };

/**
 * A name as it is, and as it can be read: `8er9` as Berg. A digit alone is a digit. Looks that are stored keep their
 * digits: `Line 4` and `Line 9` are two names.
 */
export function possibleReadingsOf(name: string): string[] {
  const word = /[\p{L}\p{N}]{2,}/gu;
  return [name, name.replaceAll(word, (one) => one.replaceAll(/\d/g, (digit) => likeDigits[digit] ?? digit))];
}

/** The looks of other names that this name can contain: each pair of words, and neighboring words joined. */
export function looksInside(name: string): string[] {
  return shapes.flatMap((shape) => {
    const parts = namePartsOf(name).map(shape);
    const words = sortedDistinct(parts);
    return [
      ...words.flatMap((one, index) => words.slice(index + 1).map((other) => `3:${one} ${other}`)),
      ...parts.flatMap((_, first) =>
        parts.slice(first).map((__, more) => `5:${parts.slice(first, first + more + 1).join("")}`),
      ),
    ];
  });
}

/** Tells whether a name contains all words of a name with these looks: "Dr. Ada B. Boss, Director". */
export function holdsName(name: string, looks: readonly string[]): boolean {
  const inside = new Set(looksInside(name));
  return shapes.some((shape) => {
    const words = new Set(namePartsOf(name).map(shape));
    const hasAll = (look: string) => look.split(" ").every((word) => words.has(word));
    return looks.some((look) =>
      look.startsWith("4:") ? hasAll(look.slice(2)) : look.startsWith("5:") && inside.has(look),
    );
  });
}

/** The maximum for about fifty names, because each request of a user reads the document. */
const looksAtMost = 700;

/**
 * The looks that a user's document stores.
 * @param before the looks before a rename, because signatures show earlier names
 */
export function confusableSkeletonsOf(
  user: { name: string; username: string },
  before: readonly string[] = [],
): string[] {
  const names = [user.name, user.username, printedName(user)];
  const own = [lookOfUsername(user.username), ...coreLooks(user.name)];
  const looks = new Set([...names.flatMap(looksOfName), ...own, ...before]);
  return [...looks].slice(0, looksAtMost);
}

function lookOfText(text: string): string {
  return confusableSkeleton(text).toLowerCase();
}
function shownSmall(text: string): string {
  // 0 becomes a capital letter
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
