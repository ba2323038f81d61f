/** Whose users a screen shows: of all companies, of one of them, or of the own. */
import type { Me } from "#core/sign-in/schema.ts";

export interface UserScope {
  group: "adminUsers" | "companyUsers";
  /** Set: of this company alone. */
  companyId?: string;
}

/** System administrators use the calls for all companies, others those of their company. */
export function userScope(me: Me, companyId?: string): UserScope {
  const group = me.role === "system_admin" ? "adminUsers" : "companyUsers";
  return { group, ...(companyId !== undefined && { companyId }) };
}
