import type { CompanySettings } from "../companies/settings.ts";
import type { SopFacts } from "./actor.ts";
import { visibleVersion } from "./can.ts";
import { resolveActor } from "./resolve.ts";
import { roles, type Role } from "./roles.ts";

/**
 * The roles that can read a version of an SOP, from most to least powerful. Owner, author, team, shares and permissions
 * of single users are ignored.
 */
export function rolesThatRead(sop: SopFacts, settings: Pick<CompanySettings, "roleOverrides">): Role[] {
  const { companyId } = sop;
  const shared = { ...sop, grants: [], approvers: [] };
  return roles.filter((role) => {
    const actor = resolveActor({ userId: "", companyId, role, teamIds: [], permissions: [] }, settings, "");
    return visibleVersion(actor, shared) !== "nothing";
  });
}
