/**
 * The notation of the word lists. A pattern is a word; `*` is any ending or beginning, `_` a space, `#` a figure that
 * follows, `!` the end of a clause and `^` its start.
 */

/** Kinds of words for which every removed, added or moved word is a change of meaning. */
const strictWords = [
  "≤",
  "≥",
  "<",
  ">",
  "≈",
  "not",
  "never",
  "must",
  "only",
  "always",
  "forbidden",
  "avoid",
  "without",
  "unless",
  "before",
  "after",
  "until",
  "if",
] as const;
export type StrictWord = (typeof strictWords)[number];

/**
 * Pairs of opposite words. A word is a change of meaning if it becomes its opposite, or if two of them swap their
 * positions.
 */
export const opposites = [
  ["open", "close"],
  ["start", "stop"],
  ["on", "off"],
  ["left", "right"],
  ["up", "down"],
  ["more", "less"],
  ["add", "remove"],
  ["insert", "remove"],
  ["fill", "drain"],
  ["lock", "unlock"],
  ["connect", "disconnect"],
  ["tighten", "loosen"],
  ["clockwise", "counterclockwise"],
  ["push", "pull"],
  ["enable", "disable"],
  ["inlet", "outlet"],
  ["inside", "outside"],
  ["heat", "cool"],
  ["hot", "cold"],
  ["full", "empty"],
  ["high", "low"],
  ["top", "bottom"],
  ["front", "back"],
  ["first", "last"],
  ["positive", "negative"],
  ["accept", "reject"],
  ["allow", "forbidden"],
  ["over", "under"],
  ["forward", "backward"],
  ["wet", "dry"],
  ["enter", "leave"],
  ["stay", "leave"],
  ["clean", "dirty"],
  ["fast", "slow"],
  ["early", "late"],
  ["with", "without"],
  ["input", "output"],
  ["horizontal", "vertical"],
] as const;
export type OppositeDirection = (typeof opposites)[number][number];

/**
 * Groups of words that must not replace each other unnoticed. The group `each` also has articles, which only count next
 * to `all` or `each`.
 */
export type WordGroup = "duty" | "each" | "quantity" | "joint" | "time" | "order" | "frequency" | "color" | "substance";

export interface LanguageWords {
  /** Frequent words by which the language is detected. */
  common: string;
  strict: Partial<Record<StrictWord, string>>;
  directions: Partial<Record<OppositeDirection, string>>;
  /** Number words from two on, because the word for one is an article in most languages. */
  numbers: string;
  roles: string;
  /** Words that begin the next action of a sentence. */
  next: string;
  /** Words that join two actions or objects. */
  and: string;
  /** Vague conditions without content, such as `as needed`. An edit may drop them. */
  vague: string;
  /** Words of each group: separated by spaces if they differ in meaning, by slashes if they mean the same. */
  groups: Readonly<Record<WordGroup, string>>;
  /** Groups of verbs and other words that may replace each other, written like `groups`. */
  alike: string;
  /** Words that only introduce an action and add no content: `it is necessary to perform`. */
  weak: string;
  /** Misspelled words that people write often. */
  misspelled: string;
  /** Endings in which the forms of one word can differ. */
  endings: string;
}
