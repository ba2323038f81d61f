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
 * The status after the action in a user's row: it suspends an active user, and activates any other
 * (`docs/spec/statuses.md`).
 */
export function otherStatus(status: UserStatus): UserStatus {
  return status === "active" ? "suspended" : "active";
}
