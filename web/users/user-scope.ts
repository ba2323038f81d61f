/** The users that a screen shows: those of all companies, of one company, or of the viewer's company. */
import type { Me } from "#core/sign-in/schema.ts";

export interface UserScope {
  group: "adminUsers" | "companyUsers";
  /** If set, only users of this company. */
  companyId?: string;
}

/**
 * Returns the scope of a screen. System administrators use the API calls for all companies, other users those for their
 * own company.
 */
export function userScopeOf(me: Me, companyId?: string): UserScope {
  const group = me.role === "system_admin" ? "adminUsers" : "companyUsers";
  return { group, ...(companyId !== undefined && { companyId }) };
}
