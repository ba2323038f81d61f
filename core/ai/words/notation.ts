/**
 * The notation of the word lists. A pattern is a word; `*` is any ending or beginning, `_` a space, `#` a figure that
 * follows, `!` the end of a clause and `^` its start.
 */

/** Each change of these words counts: a removed, added or moved word. */
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

/** These words count when one becomes its opposite, or when two change places. */
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

/** The group `each` contains articles, which count only beside `all` and `each`. */
export type WordGroup = "duty" | "each" | "quantity" | "joint" | "time" | "order" | "frequency" | "color" | "substance";

export interface LanguageWords {
  /** Frequent words that tell the language. */
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
  /** Vague conditions that say nothing. An edit can drop them. */
  vague: string;
  /**
   * A word must not become another one of its group unnoticed. Words between spaces differ, words between slashes mean
   * the same.
   */
  groups: Readonly<Record<WordGroup, string>>;
  /** Verbs and other words of style, written like groups. Plain language may exchange them. */
  alike: string;
  /** Words that only introduce others and say nothing themselves: `it is necessary to perform`. */
  weak: string;
  /** Misspelled words that people write often. */
  misspelled: string;
  /** Endings of other forms of a word. */
  endings: string;
}
