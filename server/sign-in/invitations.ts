/** Lets users join a company by its invitation link (`docs/security.md`, Ways in). */
import { assignableRoles } from "#core/permissions/roles.ts";
import { AppError } from "#core/errors.ts";
import type { Collections, CompanyDocument, InvitationDocument } from "../database/documents.ts";
import type { Store, Transaction } from "../database/port.ts";
import { hashOf } from "../http/secrets.ts";
import { refusals } from "./refusals.ts";

export interface OpenInvitation {
  invitation: InvitationDocument;
  company: CompanyDocument;
  /**
   * True if the link came from the email, which proves that the person who uses the link can read that mailbox. The
   * inviter gets another link to copy.
   */
  provesEmail: boolean;
}

/**
 * Finds the invitation of a link, if it can be used now.
 * @returns null if the invitation is unknown, used, revoked or expired, its company isn't active, or its creator can no
 * longer invite
 */
export async function findOpenInvitation(
  store: Store<Collections>,
  token: string,
  now: string,
): Promise<OpenInvitation | null> {
  const [secret = "", proof] = token.split(".");
  const invitation = await store
    .collection("invitations")
    .findOne({ _id: hashOf(secret), ...openInvitationFilter(now) });
  if (!invitation) return null;
  const company = await store.collection("companies").findOne({ _id: invitation.companyId });
  const inviter = await store.collection("users").findOne({ _id: invitation.invitedBy });
  if (company?.status !== "active" || inviter?.status !== "active") return null;
  if (!assignableRoles(inviter.role).includes(invitation.role)) return null;
  const provesEmail = proof !== undefined && invitation.proof === hashOf(proof);
  return { invitation, company, provesEmail };
}

/**
 * Marks the invitation as used. If several people use it at once, only the first succeeds.
 * @throws AppError forbidden if another person was first
 */
export async function markInvitationUsed(
  tx: Transaction<Collections>,
  invitation: InvitationDocument,
  userId: string,
  at: string,
): Promise<void> {
  const used = await tx
    .collection("invitations")
    .updateOne({ _id: invitation._id, ...openInvitationFilter(at) }, { $set: { usedAt: at, usedBy: userId } });
  if (used.matchedCount === 0) throw new AppError("forbidden", refusals.invalidInvitation());
}

const openInvitationFilter = (now: string) => ({ usedAt: null, revokedAt: null, expiresAt: { $gt: now } });
