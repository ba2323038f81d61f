/** Finds the longest sequence of words that two texts share. Scripts without spaces are compared letter by letter. */
const word =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}])[\p{L}\p{N}\p{M}])+/gu;

export interface Run {
  /** The offset of the run in the text. */
  start: number;
  end: number;
  /** The part of the quote's letters that the run contains, 0 to 1. */
  share: number;
}

/** @returns every place in `text` with the longest run; an empty list if the texts share no word */
export function longestRun(quote: string, text: string): Run[] {
  const wanted = wordsOf(quote);
  const words = wordsOf(text);
  const places = new Map<string, number[]>(wanted.map(({ text: one }) => [one, []]));
  words.forEach(({ text: one }, index) => places.get(one)?.push(index));
  const total = wanted.reduce((sum, { text: one }) => sum + one.length, 0);

  let longest = 0;
  let found: { first: number; last: number }[] = [];
  // for each word of the text: the length, in letters and words, of the run that ends there
  let ending = new Map<number, { letters: number; count: number }>();
  for (const { text: one } of wanted) {
    const next = new Map<number, { letters: number; count: number }>();
    for (const place of places.get(one) ?? []) {
      const before = ending.get(place - 1) ?? { letters: 0, count: 0 };
      const run = { letters: before.letters + one.length, count: before.count + 1 };
      next.set(place, run);
      if (run.letters < longest) continue;
      if (run.letters > longest) found = [];
      longest = run.letters;
      found.push({ first: place - run.count + 1, last: place });
    }
    ending = next;
  }
  return found.flatMap(({ first, last }) => {
    const [from, to] = [words[first], words[last]];
    return from && to ? [{ start: from.at, end: to.at + to.length, share: longest / total }] : [];
  });
}

function wordsOf(text: string): { text: string; at: number; length: number }[] {
  return [...text.matchAll(word)].map((match) => ({
    text: match[0].toLowerCase(),
    at: match.index,
    length: match[0].length,
  }));
}
