import { editDistance } from "#core/text/distance.ts";

/** Returns `; did you mean x?` for a name that differs by a few letters, otherwise an empty text. */
export function nearNameHint(word: string, names: readonly string[]): string {
  const most = Math.max(1, Math.min(3, Math.floor(word.length / 3)));
  const [near] = names
    .map((name) => ({ name, apart: editDistance(word.toLowerCase(), name.toLowerCase(), most).full }))
    .filter(({ apart }) => apart <= most)
    .sort((a, b) => a.apart - b.apart);
  return near === undefined ? "" : `; did you mean ${near.name}?`;
}
