/** Keeps a single working invitation for each address: a new invitation, or the use of one, revokes all others. */
import type { Collections, InvitationDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";

const unused = { usedAt: null, revokedAt: null };

/**
 * Finds other invitations of the company to the same address that still work.
 * @returns no invitations if this one has no address
 */
export async function findOtherOpenInvitations(
  tx: Transaction<Collections>,
  { _id, companyId, email }: InvitationDocument,
  at: string,
): Promise<InvitationDocument[]> {
  if (email === null) return [];
  const own = tx.forCompany(companyId).collection("invitations");
  return (await own.find({ email, ...unused, expiresAt: { $gt: at } })).filter((one) => one._id !== _id);
}

/** Revokes these invitations. Leaves out those that were used or revoked since they were read. */
export async function revokeOpenInvitations(
  tx: Transaction<Collections>,
  invitations: readonly InvitationDocument[],
  at: string,
): Promise<void> {
  for (const { _id } of invitations) {
    await tx.collection("invitations").updateOne({ _id, ...unused }, { $set: { revokedAt: at } });
  }
}
