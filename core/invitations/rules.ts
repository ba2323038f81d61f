/** Invitations: a link that lets one person register into a company (`docs/spec/entities.md`). */

export const invitationDays = { default: 7, atMost: 30 } as const;

export type InvitationState = "pending" | "used" | "revoked" | "expired";

/**
 * Returns the state of an invitation.
 * @param now ISO time
 */
export function invitationStateOf(
  { usedAt, revokedAt, expiresAt }: { usedAt: string | null; revokedAt: string | null; expiresAt: string },
  now: string,
): InvitationState {
  if (usedAt !== null) return "used";
  if (revokedAt !== null) return "revoked";
  return expiresAt <= now ? "expired" : "pending";
}
