/** Initials of a printed name: 'Grace Hopper' → 'GH', 'Cher' → 'CH'; '??' when there is nothing to take (seed §2). */
export function initialsOf(name: string): string {
  const words = name.normalize("NFC").match(/[\p{L}\p{N}]+/gu) ?? [];
  const first = words[0];
  const last = words.at(-1);
  if (first === undefined || last === undefined) return "??";
  const letters = words.length === 1 ? [...first].slice(0, 2) : [[...first][0], [...last][0]];
  return letters.join("").toUpperCase();
}
