/** Words that only form a question, such as "how". */
const empty = new Set(
  (
    "a an and are as at be been by can could did do does for from get had has have how i if in into is it its me my of on or our " +
    "shall should so that the their them then there these they this to us was we what when where which who whom why will with would you your"
  ).split(" "),
);

/** Tells whether a word has no meaning by itself. */
export function isEmptyWord(word: string): boolean {
  return empty.has(word);
}
