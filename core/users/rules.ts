/** Initials of a printed name: 'Grace Hopper' → 'GH', 'Cher' → 'CH'; '??' when there is nothing to take (`docs/spec/screens.md`). */
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

/** The row action: suspends an active user, activates any other (`docs/spec/statuses.md`). */
export function otherStatus(status: UserStatus): UserStatus {
  return status === "active" ? "suspended" : "active";
}
