/**
 * How names look (Unicode UTS 39, skeletons): in any case, with any accents, spaces and dots, and in any order of their
 * words. An index finds users by the looks of their names, also of earlier ones.
 */
import unhomoglyph from "unhomoglyph";
import { printedName } from "./printed-name.ts";

/** Both names look the same. */
export function looksLike(one: string, other: string): boolean {
  const looks = new Set(looksOfName(one));
  return looksOfName(other).some((look) => looks.has(look));
}

/** Names look the same when they share a look. The number keeps one kind of look from another. */
export function looksOfName(name: string): string[] {
  const words = wordsOf(name);
  return [shown, shownSmall].flatMap((shape, kind) => [
    `${kind}:${shape(name)}`,
    `${kind}:${words.map(shape).toSorted().join(" ")}`,
  ]);
}

/** Letters that differ by a stroke are the same here. */
export function lookOfUsername(username: string): string {
  return `2:${shownSmall(username).replaceAll("i", "l")}`;
}

/** They tell no one apart. */
const titles = new Set(
  "dr mr mrs ms miss mx prof professor sir dame lady lord herr frau mme mlle monsieur madame sr sra srta don dona ing dipl mag jr ii iii iv phd md bsc msc ba ma mba".split(
    " ",
  ),
);
const bracketed = /[([{（［][^)\]}）］]*[)\]}）］]?/g;
/** Letters of scripts with capitals can be initials. */
const initial = /^[\p{Lu}\p{Ll}]$/u;

/** The words of a name in their order, without marks and initials. Parts of a compound, and of `d'Ada`, are words of their own. */
function partsOf(name: string): string[] {
  const words =
    name
      .normalize("NFC")
      .replaceAll(/\p{Lm}/gu, " ")
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.filter((word) => !initial.test(word));
}

/** Letters that differ by a stroke are the same, in both shapes. */
const shapes = [shown, shownSmall].map((shape) => (text: string) => shape(text).replaceAll("i", "l"));
const sortedOnce = (words: readonly string[]) => [...new Set(words)].toSorted();

/** By what names are found that have all words of this one; none for a single word, which many people share. */
function coreLooks(name: string): string[] {
  const core = partsOf(name.replace(bracketed, " ")).filter((word) => !titles.has(word.toLowerCase()));
  return shapes.flatMap((shape) => {
    const parts = core.map(shape);
    const words = sortedOnce(parts);
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
export function readingsOf(name: string): string[] {
  const word = /[\p{L}\p{N}]{2,}/gu;
  return [name, name.replaceAll(word, (one) => one.replaceAll(/\d/g, (digit) => likeDigits[digit] ?? digit))];
}

/** Looks of other users whose whole name can be in this one: each two words, and words side by side as one. */
export function looksInside(name: string): string[] {
  return shapes.flatMap((shape) => {
    const parts = partsOf(name).map(shape);
    const words = sortedOnce(parts);
    return [
      ...words.flatMap((one, index) => words.slice(index + 1).map((other) => `3:${one} ${other}`)),
      ...parts.flatMap((_, first) =>
        parts.slice(first).map((__, more) => `5:${parts.slice(first, first + more + 1).join("")}`),
      ),
    ];
  });
}

/** Has a name all words of one with these looks? "Dr. Ada B. Boss, Director" */
export function holdsName(name: string, looks: readonly string[]): boolean {
  const inside = new Set(looksInside(name));
  return shapes.some((shape) => {
    const words = new Set(partsOf(name).map(shape));
    const hasAll = (look: string) => look.split(" ").every((word) => words.has(word));
    return looks.some((look) =>
      look.startsWith("4:") ? hasAll(look.slice(2)) : look.startsWith("5:") && inside.has(look),
    );
  });
}

/** About fifty names: each request of a user reads the document. */
const looksAtMost = 700;

/**
 * What a user's document holds.
 * @param before its looks before a rename: signatures show earlier names
 */
export function looksOf(user: { name: string; username: string }, before: readonly string[] = []): string[] {
  const names = [user.name, user.username, printedName(user)];
  const own = [lookOfUsername(user.username), ...coreLooks(user.name)];
  const looks = new Set([...names.flatMap(looksOfName), ...own, ...before]);
  return [...looks].slice(0, looksAtMost);
}

function shown(text: string): string {
  return skeleton(text).toLowerCase();
}
function shownSmall(text: string): string {
  // 0 becomes a capital letter
  return skeleton(text.toLowerCase()).toLowerCase();
}
const wordsOf = (name: string) => name.normalize("NFC").match(/[^\s.,;()/]+/gu) ?? [];

function skeleton(text: string): string {
  // signs first: some of them look like letters, such as | and ℮. Marks are overlooked
  return unhomoglyph(text.replaceAll("ſ", "s").normalize("NFD"))
    .normalize("NFD")
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .replaceAll(/[358]/g, (digit) => ({ "3": "e", "5": "s" })[digit] ?? "b")
    .replaceAll(/vv/gi, "w");
}
