/** The distance between two words, as a number of typing errors. */

export interface Distance {
  /** The distance between the whole words. */
  full: number;
  /** The distance between the first word and the nearest beginning of the second. */
  prefix: number;
}

/**
 * Computes the optimal string alignment: an insertion, a deletion, a replacement or a swap of two letters counts as one
 * error.
 * @param atMost the greatest exact distance; a greater one is returned as any number above `atMost`
 */
export function editDistance(typed: string, word: string, atMost: number): Distance {
  const [rows, columns] = [typed.length, word.length];
  let before: number[] = [];
  let above: number[] = Array.from({ length: columns + 1 }, (_, column) => column);
  for (let row = 1; row <= rows; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= columns; column++) {
      const same = typed[row - 1] === word[column - 1];
      let slips = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const isSwapped =
        row > 1 && column > 1 && typed[row - 1] === word[column - 2] && typed[row - 2] === word[column - 1];
      if (isSwapped) slips = Math.min(slips, (before[column - 2] ?? 0) + 1);
      current.push(slips);
      if (slips < least) least = slips;
    }
    if (least > atMost) return { full: atMost + 1, prefix: atMost + 1 };
    before = above;
    above = current;
  }
  return { full: above[columns] ?? 0, prefix: Math.min(...above) };
}

/** The number of typos allowed in a word of this length: none in short words, where a typo makes another word. */
export function typosAllowed(length: number): 0 | 1 | 2 {
  if (length < 4) return 0;
  return length < 8 ? 1 : 2;
}
