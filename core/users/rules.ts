/**
 * The initials of a printed name: 'Grace Hopper' → 'GH', 'Cher' → 'CH'; '??' for a name without letters and digits
 * (`docs/spec/screens.md`).
 */
export function initialsOf(name: string): string {
  const words = name.normalize("NFC").match(/[\p{L}\p{N}]+/gu) ?? [];
  const first = words[0];
  const last = words.at(-1);
  if (first === undefined || last === undefined) return "??";
  const letters = words.length === 1 ? [...first].slice(0, 2) : [[...first][0], [...last][0]];
  return letters.join("").toUpperCase();
}

export const userStatuses = ["active", "suspended", "deleted"] as const;
export type UserStatus = (typeof userStatuses)[number];

/**
 * Returns the status after an administrator suspends an active user, or activates any other user
 * (`docs/spec/statuses.md`).
 */
export function statusAfterToggle(status: UserStatus): UserStatus {
  return status === "active" ? "suspended" : "active";
}
