/** Who may do what (`research/security.md` §3): one pure function; the server decides by it and the web hides by it. */
import type { Action, RoleAction, SopAction } from "./actions.ts";
import type { Actor, SopFacts } from "./actor.ts";
import { roles, type Role } from "./roles.ts";

const companyAdmins: readonly Role[] = ["system_admin", "company_admin"];
const admins: readonly Role[] = [...companyAdmins, "admin"];
const managers: readonly Role[] = [...admins, "manager"];
const editors: readonly Role[] = [...managers, "editor"];

const byRole: Record<RoleAction, readonly Role[]> = {
  "sop.create": [...editors, "contributor"],
  "category.write": managers,
  "team.write": managers,
  "user.list": roles,
  "user.manage": admins,
  "company.settings": companyAdmins,
  "companies.manage": ["system_admin"],
  "audit.read": admins,
  "audit.export": companyAdmins,
  "repository.read": managers,
};

/** Whose SOPs a role may act on: all of the company, those of its teams, its own. */
interface Reach {
  all: readonly Role[];
  team?: readonly Role[];
  own?: readonly Role[];
}

const bySop: Record<SopAction, Reach> = {
  "sop.read_head": { all: editors, team: ["reviewer", "contributor"], own: ["reviewer", "contributor", "viewer"] },
  "sop.edit": { all: editors, own: ["contributor"] },
  "sop.restore": { all: editors, own: ["contributor"] },
  "sop.publish": { all: managers },
  "sop.archive": { all: managers, own: ["editor"] },
  "sop.delete": { all: admins, team: ["manager"], own: ["manager", "editor", "contributor"] },
  "sop.request_approval": { all: editors, own: ["contributor"] },
  "sop.comment": { all: [...editors, "reviewer"], own: ["contributor", "viewer"] },
  "sop.share": { all: managers, team: ["editor"], own: ["editor", "contributor"] },
  "sop.restrict": { all: managers },
};

/**
 * May `actor` do `action` (on `sop`)? Deny by default; a foreign or deleted SOP is never anybody's.
 * @throws never; a SOP action without its SOP is a programming error and answers no
 */
export function can(actor: Actor, action: Action, sop?: SopFacts): boolean {
  if (!isSopAction(action)) return byRole[action].includes(actor.role);
  if (!sop || sop.companyId !== actor.companyId) return false;
  if (sop.deletedAt !== null && action !== "sop.delete") return false;
  if (sop.restricted && !mayPassRestriction(actor, sop)) return false;
  if (action === "sop.read_head" && actor.role === "reviewer" && sop.status === "under_review") return true;
  // seed §6 leaves delete open: who may delete only his own may do so only while it is a draft that never was in force
  if (action === "sop.delete" && isOwnDraftOnly(actor) && (sop.status !== "draft" || sop.publishedVersion !== null)) {
    return false;
  }
  const reach = bySop[action];
  return (
    reach.all.includes(actor.role) ||
    (reach.team?.includes(actor.role) === true && sop.teamId !== null && actor.teamIds.includes(sop.teamId)) ||
    (reach.own?.includes(actor.role) === true && isOwn(actor, sop))
  );
}

function isSopAction(action: Action): action is SopAction {
  return Object.hasOwn(bySop, action);
}

function isOwn(actor: Actor, sop: SopFacts): boolean {
  return sop.authorId === actor.userId || sop.ownerId === actor.userId;
}

function isOwnDraftOnly(actor: Actor): boolean {
  return actor.role === "editor" || actor.role === "contributor";
}

/** A restricted SOP is for its owner and the company's administrators (and, later, those it was granted to). */
function mayPassRestriction(actor: Actor, sop: SopFacts): boolean {
  return companyAdmins.includes(actor.role) || sop.ownerId === actor.userId;
}

/** What an actor gets to see of an SOP. */
export type Visible = "head" | "effective" | "nothing";

/**
 * The one decision behind view, list, filters, search, counts, export and AI: `head` = the latest saved version,
 * `effective` = the version in force, `nothing` = the SOP does not exist for this actor.
 */
export function visibleVersion(actor: Actor, sop: SopFacts): Visible {
  if (sop.companyId !== actor.companyId || sop.deletedAt !== null) return "nothing";
  if (can(actor, "sop.read_head", sop)) return "head";
  if (sop.restricted && !mayPassRestriction(actor, sop)) return "nothing";
  return sop.publishedVersion === null ? "nothing" : "effective";
}

/** Does this role see every head of its company (restricted ones apart)? Then lists need no second query. */
export function seesAllHeads(actor: Actor): boolean {
  return bySop["sop.read_head"].all.includes(actor.role);
}

/** Does this role pass every restriction in its company? */
export function passesRestrictions(actor: Actor): boolean {
  return companyAdmins.includes(actor.role);
}
