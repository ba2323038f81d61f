/**
 * Finds the users to notify when an SOP needs attention: the SOP's owner, or else its author, or else users who can
 * publish the SOP.
 */
import { can, visibleVersion } from "#core/permissions/can.ts";
import type { Role } from "#core/permissions/roles.ts";
import type { Collections, SopDocument, UserDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import { actorOf } from "../http/identify.ts";

const publishers: readonly Role[] = ["system_admin", "company_admin", "admin", "manager"];

/** @returns the ids of active users. The owner or the author is the only one, if that user can see the SOP */
export async function findResponsibleUserIds(
  tx: Transaction<Collections>,
  sop: SopDocument,
  now: string,
): Promise<string[]> {
  const company = await tx.collection("companies").findOne({ _id: sop.companyId });
  if (!company) return [];
  const users = tx.forCompany(sop.companyId).collection("users");
  const actorOfUser = (user: UserDocument) => actorOf(user, company, now);
  const userIds = [...new Set([sop.ownerId ?? sop.authorId, sop.authorId])];
  const people = await users.find({ _id: { $in: userIds }, status: "active" });
  for (const id of userIds) {
    const user = people.find(({ _id }) => _id === id);
    if (user && visibleVersion(actorOfUser(user), sop) !== "nothing") return [id];
  }
  const others = await users.find({ role: { $in: [...publishers] }, status: "active" });
  return others.filter((user) => can(actorOfUser(user), "sop.publish", sop)).map(({ _id }) => _id);
}
