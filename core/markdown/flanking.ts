/** Decides which runs of `*` and `_` can open and close emphasis: by CommonMark, and by this product's dialect. */

const space = /[\s\u00a0]/;
const punctuation = /[\p{P}\p{S}]/u;
const digit = /\p{Nd}/u;
const word = /[\p{L}\p{N}]/u;
const eastAsianMarks = "\\u3000-\\u303f\\ufe30-\\ufe4f\\uff00-\\uffef";
const eastAsianLetters = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}`;
/** Characters of Chinese, Japanese and Korean, which have no spaces between words. */
const eastAsian = new RegExp(`[${eastAsianLetters}${eastAsianMarks}]`, "u");
const anyMark = String.raw`(?!\*)[\p{P}\p{S}]`;

/**
 * Matches a run of stars beside an East Asian character. It can open or close emphasis in this dialect, but not in
 * CommonMark.
 */
export const eastAsianStars = new RegExp(
  [
    String.raw`[${eastAsianLetters}${eastAsianMarks}]\*+${anyMark}`,
    String.raw`(?:${anyMark}|\\\*)\*+[${eastAsianLetters}${eastAsianMarks}]`,
    String.raw`[${eastAsianMarks}]\*+[\p{L}\p{N}]`,
    String.raw`[\p{L}\p{N}]\*+[${eastAsianMarks}]`,
  ].join("|"),
  "u",
);

export interface Flanks {
  opens: boolean;
  closes: boolean;
}

/** A run of one character between its neighbors; an empty neighbor is the edge of the text. */
export interface DelimiterRun {
  character: string;
  length: number;
  before: string;
  after: string;
}

/** Tells whether a neighbor counts as white space. The edge of the text does. */
export function isWhiteSpace(character: string): boolean {
  return character === "" || space.test(character);
}

export function isPunctuation(character: string): boolean {
  return punctuation.test(character);
}

export function characterBefore(text: string, start: number): string {
  const last = text.charCodeAt(start - 1);
  return start === 0 ? "" : text.slice(last >= 0xdc00 && last <= 0xdfff ? start - 2 : start - 1, start);
}

export function characterAfter(text: string, end: number): string {
  const code = text.codePointAt(end);
  return code === undefined ? "" : String.fromCodePoint(code);
}

/** Decides by the rules of CommonMark 6.2 whether a run can open and close emphasis. */
export function commonmarkFlanks({ character, before, after }: DelimiterRun): Flanks {
  const left = !isWhiteSpace(after) && (!isPunctuation(after) || isWhiteSpace(before) || isPunctuation(before));
  const right = !isWhiteSpace(before) && (!isPunctuation(before) || isWhiteSpace(after) || isPunctuation(after));
  return flanksFromSides(character, left, right, before, after);
}

/**
 * Decides by this product's dialect whether a run can open and close emphasis. It differs from CommonMark
 * (`docs/spec/markdown.md`): `*` between digits is a multiplication sign, punctuation beside East Asian letters is no
 * obstacle, and marks beside a tilde work as in GFM.
 */
export function dialectFlanks({ character, length, before, after }: DelimiterRun): Flanks {
  const [spaceBefore, spaceAfter] = [isWhiteSpace(before), isWhiteSpace(after)];
  const [outer, inner] = [isPunctuation(before), isPunctuation(after)];
  const isStar = character === "*";
  const joins = isStar && (eastAsian.test(before) || eastAsian.test(after));
  const left = !spaceAfter && (!inner || spaceBefore || outer || joins);
  const right = !spaceBefore && (!outer || spaceAfter || inner || joins);
  const found = flanksFromSides(character, left || after === "~", right || before === "~", before, after);
  return isStar ? withoutProducts(found, length, before, after) : found;
}

/**
 * Excludes multiplication: `2*3*4` and `200mm*300mm*50mm` are no emphasis. A star can still close emphasis before a
 * digit, as in `*P*1`.
 */
function withoutProducts(found: Flanks, length: number, before: string, after: string): Flanks {
  const [left, right] = [digit.test(before), digit.test(after)];
  if (left && right) return { opens: false, closes: false };
  const isProduct = length === 1 && ((left && word.test(after)) || (right && word.test(before)));
  return isProduct ? { ...found, opens: false } : found;
}

/** Decides by the rules of GFM whether a run of tildes can open and close strikethrough. */
export function tildeFlanks({ before, after }: Pick<DelimiterRun, "before" | "after">): Flanks {
  return commonmarkFlanks({ character: "*", length: 2, before, after });
}

/** Applies the difference between `*` and `_`: inside a word, `_` neither opens nor closes emphasis. */
function flanksFromSides(character: string, left: boolean, right: boolean, before: string, after: string): Flanks {
  if (character === "*") return { opens: left, closes: right };
  const isFlankEdge = (one: string) => isWhiteSpace(one) || isPunctuation(one);
  return { opens: left && (isFlankEdge(before) || !right), closes: right && (isFlankEdge(after) || !left) };
}
