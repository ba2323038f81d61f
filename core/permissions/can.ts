/**
 * Access decisions (`docs/spec/permissions.md`) as pure functions. The server enforces them, and the web app hides
 * controls by them.
 */
import type { PermittedAction, RoleAction, SopAction } from "./actions.ts";
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

/**
 * The SOPs on which roles can act: all of the company, the published ones, those of the user's teams, and the user's
 * own.
 */
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

/** The actions that each level of access to an SOP allows: read ⊂ comment ⊂ edit, read ⊂ comment ⊂ approve. */
const byGrant: Record<GrantLevel, readonly SopAction[]> = {
  read: ["sop.read_head"],
  comment: ["sop.read_head", "sop.comment"],
  edit: ["sop.read_head", "sop.comment", "sop.edit", "sop.restore", "sop.request_approval"],
  approve: ["sop.read_head", "sop.comment", "sop.decide"],
};
/**
 * The actions that a pending request allows its approvers. The right to decide is not among them, because only users
 * with that right can be named.
 */
const allowedToApprovers: readonly SopAction[] = byGrant.comment;

/**
 * Tells whether `actor` may do `action` (on `sop`). The default is no. No one has access to an SOP of another company. For
 * a deleted SOP, only `sop.delete` is allowed, which is also needed to undelete the SOP.
 * @throws never; the answer for an SOP action without an SOP, which is a programming error, is no
 */
export function can(actor: Actor, action: PermittedAction, sop?: SopFacts): boolean {
  if (!isSopAction(action)) return isAllowedWithoutSop(actor, action);
  if (!sop || sop.companyId !== actor.companyId) return false;
  if (sop.deletedAt !== null && action !== "sop.delete") return false;
  return isAllowedOnSop(actor, action, sop);
}

/** Applies all rules except those on deleted SOPs and other companies, which `can` checks. */
function isAllowedOnSop(actor: Actor, action: SopAction, sop: SopFacts): boolean {
  // a denial wins over role, grant and authorship
  if (actor.deny.includes(action)) return false;
  if (action === "sop.read_head") return canReadLatest(actor, sop);
  // users can't work on a latest version that they can't see, or comment on an SOP that they don't see at all
  if (action === "sop.comment" ? visibleVersionIgnoringDeletion(actor, sop) === "nothing" : !canReadLatest(actor, sop))
    return false;
  if (isAllowedByGrants(actor, action, sop)) return true;
  // in a restricted SOP, access by sharing only allows the shared actions, whatever the role; approvers of a request
  // can also decide
  const isInvited = action === "sop.decide" && sop.approvers.includes(actor.userId);
  if (!canAccessWithoutShare(actor, sop) && !isInvited) return false;
  return actor.allow.includes(action) || isAllowedByRole(actor, action, sop);
}

function canReadLatest(actor: Actor, sop: SopFacts): boolean {
  if (actor.deny.includes("sop.read_head")) return false;
  if (isAllowedByGrants(actor, "sop.read_head", sop)) return true;
  if (!canAccessWithoutShare(actor, sop)) return false;
  return (
    actor.allow.includes("sop.read_head") ||
    (sop.published !== null && canWorkOnPublished(actor)) ||
    isAllowedByRole(actor, "sop.read_head", sop)
  );
}

function isAllowedByRole(actor: Actor, action: SopAction, sop: SopFacts): boolean {
  if (action === "sop.read_head" && actor.role === "reviewer" && sop.status === "under_review") return true;
  // authors can delete only their own drafts that were never published
  if (action === "sop.delete" && canDeleteOnlyOwnDrafts(actor) && (sop.status !== "draft" || sop.published !== null)) {
    return false;
  }
  const reach = bySop[action];
  return (
    reach.all.includes(actor.role) ||
    (reach.published?.includes(actor.role) === true && sop.published !== null) ||
    (reach.team?.includes(actor.role) === true && sop.teamId !== null && actor.teamIds.includes(sop.teamId)) ||
    (reach.own?.includes(actor.role) === true && isOwnerOrAuthor(actor, sop))
  );
}

function isSopAction(action: PermittedAction): action is SopAction {
  return Object.hasOwn(bySop, action);
}

/** Tells whether a user can do an action without an SOP. A company can't allow `companies.manage` to its users. */
function isAllowedWithoutSop(actor: Actor, action: RoleAction): boolean {
  if (actor.deny.includes(action)) return false;
  return byRole[action].includes(actor.role) || (action !== "companies.manage" && actor.allow.includes(action));
}

function isOwnerOrAuthor(actor: Actor, sop: SopFacts): boolean {
  return sop.authorId === actor.userId || sop.ownerId === actor.userId;
}

function canDeleteOnlyOwnDrafts(actor: Actor): boolean {
  return actor.role === "editor" || actor.role === "contributor";
}

/** Tells whether a user needs no share to enter an SOP: all users, but for a restricted SOP only owner and company admins. */
function canAccessWithoutShare(actor: Actor, sop: SopFacts): boolean {
  return !sop.restricted || canReadRestrictedSops(actor) || sop.ownerId === actor.userId;
}

function isGrantOfUser(
  actor: Actor,
  { userId, teamId }: Pick<SopFacts["grants"][number], "userId" | "teamId">,
): boolean {
  return userId === actor.userId || (teamId !== null && actor.teamIds.includes(teamId));
}

/** Returns the grants of an SOP that apply to this user or the user's teams. */
export function grantsForUser<G extends SopFacts["grants"][number]>(actor: Actor, grants: readonly G[]): G[] {
  return grants.filter((grant) => isGrantOfUser(actor, grant));
}

function isAllowedByGrants(actor: Actor, action: SopAction, { grants, approvers }: SopFacts): boolean {
  if (allowedToApprovers.includes(action) && approvers.includes(actor.userId)) return true;
  return grants.some((grant) => byGrant[grant.permission].includes(action) && isGrantOfUser(actor, grant));
}

/** The version of an SOP that a user sees. */
export type VisibleVersionKind = "latest" | "published" | "nothing";

/**
 * Decides which version of one SOP a user sees; views, exports, comments and AI ask it. Lists and counts use the same
 * rules as queries (`server/sops/list/visible.ts`). `latest` = the latest saved version, `published` = the published
 * version, `nothing` = the SOP does not exist for this user.
 */
export function visibleVersion(actor: Actor, sop: SopFacts): VisibleVersionKind {
  return sop.companyId !== actor.companyId || sop.deletedAt !== null
    ? "nothing"
    : visibleVersionIgnoringDeletion(actor, sop);
}

/** Returns the version that a user sees of an SOP in the same company. A deleted SOP counts as if it weren't. */
function visibleVersionIgnoringDeletion(actor: Actor, sop: SopFacts): VisibleVersionKind {
  if (canReadLatest(actor, sop)) return "latest";
  const isAsked = sop.approvers.includes(actor.userId) || grantsForUser(actor, sop.grants).length > 0;
  if (!canAccessWithoutShare(actor, sop) && !isAsked) return "nothing";
  return sop.published === null ? "nothing" : "published";
}

/** Tells whether a user can read earlier drafts. Approvers who see the latest version only for their request can't. */
export function canReadEveryVersion(actor: Actor, sop: SopFacts): boolean {
  return visibleVersion(actor, { ...sop, approvers: [] }) === "latest";
}

/**
 * Tells whether a user can read a version: the visible latest version, the published version, and all others with
 * access to the history.
 */
export function mayReadVersion(actor: Actor, sop: SopFacts, version: number): boolean {
  const view = visibleVersion(actor, sop);
  if (view === "nothing") return false;
  if (version === sop.published?.version || (view === "latest" && version === sop.version)) return true;
  return canReadEveryVersion(actor, sop);
}

/** Tells whether a user never sees latest versions. Lists then contain published versions only. */
export function canSeeOnlyPublished(actor: Actor): boolean {
  return actor.deny.includes("sop.read_head");
}

/**
 * A copy of the user for requests that want the readers' view: lists, titles in links and exports then contain
 * published versions only.
 */
export function actorAsReader(actor: Actor): Actor {
  return canSeeOnlyPublished(actor) ? actor : { ...actor, deny: [...actor.deny, "sop.read_head"] };
}

/** The user for a list or search. The readers' view and the filter for published SOPs both ask for published versions. */
export function actorForList(
  actor: Actor,
  { view, status }: { view?: string | undefined; status?: string | undefined },
): Actor {
  return view === "published" || status === "published" ? actorAsReader(actor) : actor;
}

/**
 * Tells whether a user sees the latest version of every SOP of the company that is not restricted. Lists then need no
 * second query.
 */
export function canSeeUnrestrictedLatestVersions(actor: Actor): boolean {
  if (canSeeOnlyPublished(actor)) return false;
  return bySop["sop.read_head"].all.includes(actor.role) || actor.allow.includes("sop.read_head");
}

/**
 * Tells whether a user could decide about the SOP if a request named this user as approver. The request would show the
 * latest version. So neither a restricted SOP nor a role that sees no drafts prevents it.
 */
export function canBeApprover(actor: Actor, sop: SopFacts): boolean {
  return can(actor, "sop.decide", { ...sop, approvers: [...sop.approvers, actor.userId] });
}

/**
 * Actions that need no access to other people's latest versions, because a request shows its approvers the version to
 * decide about.
 */
const actionsWithoutLatestAccess: ReadonlySet<PermittedAction> = new Set<PermittedAction>([
  "sop.read_head",
  "sop.comment",
  "sop.decide",
]);

/**
 * Tells whether a user got a permission to edit, publish and the like. Such a permission applies to every SOP that the
 * user can read, so this user also sees the latest versions of published SOPs.
 */
export function canWorkOnPublished(actor: Actor): boolean {
  return actor.allow.some((action) => isSopAction(action) && !actionsWithoutLatestAccess.has(action));
}

/**
 * Tells whether a user sees the latest version of an SOP because it belongs to the user's team. False for roles that see
 * all.
 */
export function canSeeLatestOfOwnTeams({ role }: Actor): boolean {
  return bySop["sop.read_head"].team?.includes(role) === true;
}
/** Tells whether a user sees the latest version of an SOP because it is under review. False for roles that see all. */
export function canSeeLatestInReview({ role }: Actor): boolean {
  return role === "reviewer";
}

/** Tells whether a user can access all restricted SOPs of the company, even without a share. */
export function canReadRestrictedSops(actor: Actor): boolean {
  return companyAdmins.includes(actor.role);
}

/** Tells whether a user sees all SOPs of the company in their latest version. */
export function mayReadAllSops(actor: Actor): boolean {
  return canReadRestrictedSops(actor) && canSeeUnrestrictedLatestVersions(actor);
}

export type AccessExtent = "all" | "some" | "none";

/**
 * The reach of an action: `all` SOPs that the user can read (or simply yes), `some` of them (such as the user's own),
 * or `none`.
 */
export function extentOfAction(actor: Actor, action: PermittedAction): AccessExtent {
  if (actor.deny.includes(action)) return "none";
  if (!isSopAction(action)) return isAllowedWithoutSop(actor, action) ? "all" : "none";
  const reach = bySop[action];
  if (reach.all.includes(actor.role) || actor.allow.includes(action)) return "all";
  const some = [reach.published, reach.team, reach.own].some((list) => list?.includes(actor.role) === true);
  return some ? "some" : "none";
}

/**
 * The levels of access that a user can give others on an SOP. Sharing needs the permission `sop.share`, and no level can
 * exceed the user's own access.
 */
export function grantableLevels(actor: Actor, sop: SopFacts): GrantLevel[] {
  if (!can(actor, "sop.share", sop)) return [];
  const canGrant = (level: GrantLevel) => byGrant[level].every((action) => can(actor, action, sop));
  const approves =
    managers.includes(actor.role) ||
    grantsForUser(actor, sop.grants).some(({ permission }) => permission === "approve");
  return (["read", "comment", "edit", "approve"] as const).filter(
    (level) => canGrant(level) && (level !== "approve" || approves),
  );
}
