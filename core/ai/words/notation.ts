/**
 * How the lists of words are written. A pattern is a word; `*` is any ending or beginning, `_` a space, `#` a figure that
 * follows, `!` the end of a clause and `^` its start.
 */

/** Each change of these counts: one that goes, comes, or changes its place. */
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

/** These count when one becomes its opposite, or when two change places. */
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
export type Direction = (typeof opposites)[number][number];

/** `each` has the articles: they count only beside `all` and `each`. */
export type Group = "duty" | "each" | "quantity" | "joint" | "time" | "order" | "frequency" | "color" | "substance";

export interface Words {
  /** Frequent words that tell the language. */
  common: string;
  strict: Partial<Record<StrictWord, string>>;
  directions: Partial<Record<Direction, string>>;
  /** From two on: the word for one is an article in most languages. */
  numbers: string;
  roles: string;
  /** Begins the next action of a sentence. */
  next: string;
  /** Joins two actions or objects. */
  and: string;
  /** Vague conditions that say nothing, and can go. */
  vague: string;
  /** A word of a group doesn't become another one of it unseen. Those between spaces differ, those between slashes don't. */
  groups: Readonly<Record<Group, string>>;
  /** Verbs and other words of style, written like groups: plain language exchanges them. */
  alike: string;
  /** Words that carry others and say nothing themselves: `it is necessary to perform`. */
  weak: string;
  /** Misspelled words that people write often. */
  misspelled: string;
  /** Endings that a word has in other forms. */
  endings: string;
}
