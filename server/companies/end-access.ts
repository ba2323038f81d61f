import type { Collections, CompanyDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";

/**
 * In the transaction that suspends or deletes a company (seed §4): nobody of it is signed in any more. Its tokens are
 * refused while it is not active, and gone when it is deleted; its data stays.
 */
export async function endCompanyAccess(
  tx: Transaction<Collections>,
  { _id: companyId, status }: Pick<CompanyDocument, "_id" | "status">,
): Promise<void> {
  await tx.collection("sessions").deleteMany({ companyId });
  if (status === "deleted") await tx.forCompany(companyId).collection("tokens").deleteMany({});
}
