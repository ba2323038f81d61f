/** Checks which users an administrator can manage, and that an administrator remains (`docs/spec/permissions.md`). */
import { assignableRoles, type Role } from "#core/permissions/roles.ts";
import { AppError } from "#core/errors.ts";
import type { Collections, UserDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import { refusals } from "./refusals.ts";

/**
 * Checks that the caller can assign these roles.
 * @throws AppError forbidden
 */
export function assertRolesAssignable(caller: Role, ...concerned: readonly Role[]): void {
  const assignable = assignableRoles(caller);
  if (!concerned.every((role) => assignable.includes(role))) throw new AppError("forbidden", refusals.otherRole());
}

/**
 * Refuses a user's change of their own role, status, email or password. Users change their own email and password by
 * another call, which asks for the current password.
 */
export function assertOwnChange(before: UserDocument, after: UserDocument, hasPassword: boolean): void {
  const permissions = before.role !== after.role || before.status !== after.status;
  if (permissions || hasPassword || before.email !== after.email) throw new AppError("forbidden", refusals.ownRecord());
}

const isActiveUser = ({ status }: UserDocument) => status === "active";
/** The roles that lead a company. In their own company, system administrators count as its administrators. */
const leadingRoles: readonly Role[] = ["company_admin", "system_admin"];

/**
 * Checks that a company keeps an active administrator, and the server an active system administrator. Runs in the
 * transaction of the change, which writes the company's counters, so that of two simultaneous changes the second is
 * checked again.
 * @throws AppError conflict
 */
export async function assertNotLastAdministrator(
  tx: Transaction<Collections>,
  before: UserDocument,
  after: UserDocument,
): Promise<void> {
  if (!isActiveUser(before) || (isActiveUser(after) && after.role === before.role)) return;
  const leads = isActiveUser(after) && leadingRoles.includes(after.role);
  if (leadingRoles.includes(before.role) && !leads) {
    const other = await tx
      .forCompany(before.companyId)
      .collection("users")
      .findOne({ role: { $in: [...leadingRoles] }, status: "active", _id: { $ne: before._id } });
    if (!other) throw new AppError("conflict", refusals.lastCompanyAdministrator());
  }
  if (before.role === "system_admin") await assertAnotherSystemAdmin(tx, before);
}

async function assertAnotherSystemAdmin(tx: Transaction<Collections>, { _id }: UserDocument): Promise<void> {
  const others = await tx
    .collection("users")
    .find({ role: "system_admin", status: "active", _id: { $ne: _id } }, { limit: 100 });
  const companies = await tx
    .collection("companies")
    .find({ _id: { $in: others.map(({ companyId }) => companyId) }, status: "active" }, { limit: 1 });
  if (companies.length === 0) throw new AppError("conflict", refusals.lastSystemAdministrator());
}
