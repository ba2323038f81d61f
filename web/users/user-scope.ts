/** Whose users a screen is about: of every company, of one of them, of the own (seed §6). */
import type { Me } from "#core/accounts/schema.ts";

export interface UserScope {
  group: "adminUsers" | "companyUsers";
  /** Set: of this company alone. */
  companyId?: string;
}

/** The system admin uses the system-wide endpoints, others those of their company (seed §6). */
export function scopeOf(me: Me, companyId?: string): UserScope {
  const group = me.role === "system_admin" ? "adminUsers" : "companyUsers";
  return { group, ...(companyId !== undefined && { companyId }) };
}
