/** Keeps a single working link for each address: a new invitation replaces the earlier ones, and joining ends them. */
import type { Collections, InvitationDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";

const unused = { usedAt: null, revokedAt: null };

/**
 * Finds other invitations to the same address that still work.
 * @returns none if the invitation has no address
 */
export async function openInvitationsTo(
  tx: Transaction<Collections>,
  { _id, companyId, email }: InvitationDocument,
  at: string,
): Promise<InvitationDocument[]> {
  if (email === null) return [];
  const own = tx.forCompany(companyId).collection("invitations");
  return (await own.find({ email, ...unused, expiresAt: { $gt: at } })).filter((one) => one._id !== _id);
}

export async function revokeOpenInvitations(
  tx: Transaction<Collections>,
  invitations: readonly InvitationDocument[],
  at: string,
): Promise<void> {
  for (const { _id } of invitations) {
    await tx.collection("invitations").updateOne({ _id, ...unused }, { $set: { revokedAt: at } });
  }
}
