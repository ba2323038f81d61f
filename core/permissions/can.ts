/**
 * Access decisions (`docs/spec/permissions.md`) as one pure function. The server enforces them; the web app hides by
 * them.
 */
import type { Action, RoleAction, SopAction } from "./actions.ts";
import type { Actor, GrantLevel, SopFacts } from "./actor.ts";
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

/** The SOPs that a role can act on: all of the company, the published ones, those of its teams, its own. */
interface SopReach {
  all: readonly Role[];
  published?: readonly Role[];
  team?: readonly Role[];
  own?: readonly Role[];
}

const bySop: Record<SopAction, SopReach> = {
  "sop.read_head": { all: editors, team: ["reviewer", "contributor"], own: ["reviewer", "contributor", "viewer"] },
  "sop.edit": { all: editors, own: ["contributor"] },
  "sop.restore": { all: editors, own: ["contributor"] },
  "sop.publish": { all: managers },
  "sop.archive": { all: managers, own: ["editor"] },
  "sop.delete": { all: admins, team: ["manager"], own: ["manager", "editor", "contributor"] },
  "sop.request_approval": { all: editors, own: ["contributor"] },
  "sop.decide": { all: [...editors, "reviewer"] },
  "sop.comment": {
    all: [...editors, "reviewer"],
    published: ["contributor", "viewer"],
    team: ["contributor"],
    own: ["contributor", "viewer"],
  },
  "sop.share": { all: managers, team: ["editor"], own: ["editor", "contributor"] },
  "sop.restrict": { all: managers },
};

/** The actions that access to an SOP allows: read ⊂ comment ⊂ edit, read ⊂ comment ⊂ approve. */
const byGrant: Record<GrantLevel, readonly SopAction[]> = {
  read: ["sop.read_head"],
  comment: ["sop.read_head", "sop.comment"],
  edit: ["sop.read_head", "sop.comment", "sop.edit", "sop.restore", "sop.request_approval"],
  approve: ["sop.read_head", "sop.comment", "sop.decide"],
};
/**
 * The actions of the people named by a pending request. Naming gives no right to decide: only people with that right
 * are named.
 */
const byNaming: readonly SopAction[] = byGrant.comment;

/**
 * May `actor` do `action` (on `sop`)? Deny by default. No one has access to a foreign or deleted SOP.
 * @throws never; a SOP action without its SOP is a programming error and answers no
 */
export function can(actor: Actor, action: Action, sop?: SopFacts): boolean {
  if (!isSopAction(action)) return mayByRole(actor, action);
  if (!sop || sop.companyId !== actor.companyId) return false;
  if (sop.deletedAt !== null && action !== "sop.delete") return false;
  return mayOn(actor, action, sop);
}

/** All rules except the deleted state, because users who can delete can also restore. */
function mayOn(actor: Actor, action: SopAction, sop: SopFacts): boolean {
  // a denial wins over role, grant and authorship
  if (actor.deny.includes(action)) return false;
  if (action === "sop.read_head") return readsLatest(actor, sop);
  // actors can't work on a latest version that they can't see, or comment on an SOP that doesn't exist for them
  if (action === "sop.comment" ? seen(actor, sop) === "nothing" : !readsLatest(actor, sop)) return false;
  if (grantsGive(actor, action, sop)) return true;
  // in a restricted SOP, access given by sharing allows only its own actions, with any role; being named as approver
  // allows the decision
  const isInvited = action === "sop.decide" && sop.approvers.includes(actor.userId);
  if (!isInside(actor, sop) && !isInvited) return false;
  return actor.allow.includes(action) || roleGives(actor, action, sop);
}

function readsLatest(actor: Actor, sop: SopFacts): boolean {
  if (actor.deny.includes("sop.read_head")) return false;
  if (grantsGive(actor, "sop.read_head", sop)) return true;
  if (!isInside(actor, sop)) return false;
  return (
    actor.allow.includes("sop.read_head") ||
    (sop.published !== null && worksOnPublished(actor)) ||
    roleGives(actor, "sop.read_head", sop)
  );
}

function roleGives(actor: Actor, action: SopAction, sop: SopFacts): boolean {
  if (action === "sop.read_head" && actor.role === "reviewer" && sop.status === "under_review") return true;
  // authors can delete only their own drafts that were never published
  if (action === "sop.delete" && isOwnDraftOnly(actor) && (sop.status !== "draft" || sop.published !== null)) {
    return false;
  }
  const reach = bySop[action];
  return (
    reach.all.includes(actor.role) ||
    (reach.published?.includes(actor.role) === true && sop.published !== null) ||
    (reach.team?.includes(actor.role) === true && sop.teamId !== null && actor.teamIds.includes(sop.teamId)) ||
    (reach.own?.includes(actor.role) === true && isOwn(actor, sop))
  );
}

function isSopAction(action: Action): action is SopAction {
  return Object.hasOwn(bySop, action);
}

/** A permission of this company never gives access to another one. */
function mayByRole(actor: Actor, action: RoleAction): boolean {
  if (actor.deny.includes(action)) return false;
  return byRole[action].includes(actor.role) || (action !== "companies.manage" && actor.allow.includes(action));
}

function isOwn(actor: Actor, sop: SopFacts): boolean {
  return sop.authorId === actor.userId || sop.ownerId === actor.userId;
}

function isOwnDraftOnly(actor: Actor): boolean {
  return actor.role === "editor" || actor.role === "contributor";
}

/** A restricted SOP is for its owner and the company's administrators, and for those it was granted to. */
function isInside(actor: Actor, sop: SopFacts): boolean {
  return !sop.restricted || passesRestrictions(actor) || sop.ownerId === actor.userId;
}

function isMine(actor: Actor, { userId, teamId }: Pick<SopFacts["grants"][number], "userId" | "teamId">): boolean {
  return userId === actor.userId || (teamId !== null && actor.teamIds.includes(teamId));
}

/** The grants of an SOP for this actor and the actor's teams. */
export function grantsOf<G extends SopFacts["grants"][number]>(actor: Actor, grants: readonly G[]): G[] {
  return grants.filter((grant) => isMine(actor, grant));
}

function grantsGive(actor: Actor, action: SopAction, { grants, approvers }: SopFacts): boolean {
  if (byNaming.includes(action) && approvers.includes(actor.userId)) return true;
  return grants.some((grant) => byGrant[grant.permission].includes(action) && isMine(actor, grant));
}

/** The version of an SOP that an actor sees. */
export type Visible = "latest" | "published" | "nothing";

/**
 * Decides for one SOP: views, exports, comments and AI ask it. Lists and counts use the same rules as queries
 * (`server/sops/list/visible.ts`). `latest` = the latest saved version,
 * `published` = the published version, `nothing` = the SOP does not exist for this actor.
 */
export function visibleVersion(actor: Actor, sop: SopFacts): Visible {
  return sop.companyId !== actor.companyId || sop.deletedAt !== null ? "nothing" : seen(actor, sop);
}

function seen(actor: Actor, sop: SopFacts): Visible {
  if (readsLatest(actor, sop)) return "latest";
  const isAsked = sop.approvers.includes(actor.userId) || grantsOf(actor, sop.grants).length > 0;
  if (!isInside(actor, sop) && !isAsked) return "nothing";
  return sop.published === null ? "nothing" : "published";
}

/** Approvers who see the latest version only because of their request see no earlier draft. */
export function readsEveryVersion(actor: Actor, sop: SopFacts): boolean {
  return visibleVersion(actor, { ...sop, approvers: [] }) === "latest";
}

/** May this actor read that version? A visible latest version, the published version, and others with access to the history. */
export function mayReadVersion(actor: Actor, sop: SopFacts, version: number): boolean {
  const view = visibleVersion(actor, sop);
  if (view === "nothing") return false;
  if (version === sop.published?.version || (view === "latest" && version === sop.version)) return true;
  return readsEveryVersion(actor, sop);
}

/** Does this actor see no latest version at all? Then lists have published versions only. */
export function seesPublishedOnly(actor: Actor): boolean {
  return actor.deny.includes("sop.read_head");
}

/** The actor who asks for what readers get: lists, titles in links and exports then have published versions only. */
export function asReader(actor: Actor): Actor {
  return seesPublishedOnly(actor) ? actor : { ...actor, deny: [...actor.deny, "sop.read_head"] };
}

/** Does this actor see every latest version of the company (restricted ones apart)? Then lists need no second query. */
export function seesAllLatest(actor: Actor): boolean {
  if (seesPublishedOnly(actor)) return false;
  return bySop["sop.read_head"].all.includes(actor.role) || actor.allow.includes("sop.read_head");
}

/**
 * Named as approver, could the actor decide about the SOP? Naming shows its latest version, so a role that sees no drafts, and a
 * restricted SOP, don't prevent it.
 */
export function canBeApprover(actor: Actor, sop: SopFacts): boolean {
  return can(actor, "sop.decide", { ...sop, approvers: [...sop.approvers, actor.userId] });
}

/** Rights that need no sight of other people's latest versions: a request shows its approvers what they decide about. */
const needsNoSight: ReadonlySet<Action> = new Set<Action>(["sop.read_head", "sop.comment", "sop.decide"]);

/**
 * A permission to edit, publish … applies to every SOP that the actor can read. To work on a published SOP,
 * the actor must see its latest version.
 */
export function worksOnPublished(actor: Actor): boolean {
  return actor.allow.some((action) => isSopAction(action) && !needsNoSight.has(action));
}

/** Does this actor see the latest versions of the own teams' SOPs, and of all SOPs under review? */
export function seesTeamLatest({ role }: Actor): boolean {
  return bySop["sop.read_head"].team?.includes(role) === true;
}
export function seesLatestInReview({ role }: Actor): boolean {
  return role === "reviewer";
}

/** Does this actor pass every restriction in its company? */
export function passesRestrictions(actor: Actor): boolean {
  return companyAdmins.includes(actor.role);
}

/** Is nothing of the company's SOPs hidden from this actor? */
export function readsEverything(actor: Actor): boolean {
  return passesRestrictions(actor) && seesAllLatest(actor);
}

export type Extent = "all" | "some" | "none";

/**
 * The reach of an action for an actor: every SOP that the actor can read (or simply yes), some of them (such as own
 * ones), or none.
 */
export function reachOf(actor: Actor, action: Action): Extent {
  if (actor.deny.includes(action)) return "none";
  if (!isSopAction(action)) return mayByRole(actor, action) ? "all" : "none";
  const reach = bySop[action];
  if (reach.all.includes(actor.role) || actor.allow.includes(action)) return "all";
  const some = [reach.published, reach.team, reach.own].some((list) => list?.includes(actor.role) === true);
  return some ? "some" : "none";
}

/** The levels an actor may give on an SOP: sharing, and never beyond the own rights on it. */
export function grantableLevels(actor: Actor, sop: SopFacts): GrantLevel[] {
  if (!can(actor, "sop.share", sop)) return [];
  const may = (level: GrantLevel) => byGrant[level].every((action) => can(actor, action, sop));
  const approves =
    managers.includes(actor.role) || grantsOf(actor, sop.grants).some(({ permission }) => permission === "approve");
  return (["read", "comment", "edit", "approve"] as const).filter(
    (level) => may(level) && (level !== "approve" || approves),
  );
}
