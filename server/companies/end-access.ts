import type { Collections, CompanyDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";

/**
 * Signs out all users of a company, in the transaction that suspends or deletes it (`docs/spec/statuses.md`). Its tokens are
 * refused while it is not active, and removed when it is deleted. Its data stays.
 */
export async function endCompanyAccess(
  tx: Transaction<Collections>,
  { _id: companyId, status }: Pick<CompanyDocument, "_id" | "status">,
): Promise<void> {
  await tx.collection("sessions").deleteMany({ companyId });
  if (status === "deleted") await tx.forCompany(companyId).collection("tokens").deleteMany({});
}
