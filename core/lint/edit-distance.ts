/** The number of letters to insert, remove or change. The count stops above `most`. */
export function editDistance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const above = row;
    row = [at];
    for (let column = 1; column <= other.length; column += 1) {
      const change = (above[column - 1] ?? 0) + (one[at - 1] === other[column - 1] ? 0 : 1);
      row.push(Math.min(change, (above[column] ?? 0) + 1, (row[column - 1] ?? 0) + 1));
    }
  }
  return row.at(-1) ?? 0;
}
