/** Writes a count with its noun: "1 table", "3 tables". */
export function countAndNoun(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
