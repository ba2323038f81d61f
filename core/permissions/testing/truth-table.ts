/**
 * All access decisions as one text: by role and action, for each state of an SOP, each relation to it and each own
 * permission. The golden file `truth-table.txt` contains this text; the tests over HTTP check the same cases.
 */
import { roleActions, sopActions, type PermittedAction } from "../actions.ts";
import { grantLevels, type Actor, type SopFacts, type UserPermission } from "../actor.ts";
import { can, visibleVersion, type VisibleVersionKind } from "../can.ts";
import { resolveActor } from "../resolve.ts";
import { roles, type Role } from "../roles.ts";

const now = "2026-06-01T00:00:00.000Z";
const past = "2026-05-31T23:59:59.999Z";
const ahead = "2026-06-01T00:00:00.001Z";

/** States of an SOP by their name in the table, with the facts that decide about access. */
export const sopStates = {
  draft: { status: "draft", published: null, version: 1 },
  "under review": { status: "under_review", published: null, version: 1 },
  published: { status: "published", published: { version: 1 }, version: 1 },
  "draft over published": { status: "draft", published: { version: 1 }, version: 2 },
  archived: { status: "archived", published: null, version: 1 },
  "restricted draft": { status: "draft", published: null, version: 1, restricted: true },
  "restricted draft over published": { status: "draft", published: { version: 1 }, version: 2, restricted: true },
  deleted: { status: "draft", published: null, version: 1, deletedAt: past },
} as const satisfies Record<string, Partial<SopFacts>>;
export type SopStateName = keyof typeof sopStates;
export const sopStateNames = Object.keys(sopStates) as SopStateName[];

/** The relation of a user to an SOP. */
export const relations = [
  "none",
  "author",
  "owner",
  "team",
  ...grantLevels.map((level) => `${level} by user` as const),
  ...grantLevels.map((level) => `${level} by team` as const),
] as const;
export type Relation = (typeof relations)[number];

/** The user's own permission for this action. */
export const ownPermissions = ["none", "allow", "deny", "expired allow", "expired deny"] as const;
export type OwnPermissionKind = (typeof ownPermissions)[number];

/** The ids of the users and teams in a case. Tests over HTTP use ids of stored records. */
export interface CaseIds {
  companyId: string;
  me: string;
  other: string;
  myTeam: string;
  otherTeam: string;
}
const cast: CaseIds = { companyId: "c", me: "me", other: "other", myTeam: "mine", otherTeam: "theirs" };

/** Returns the facts of an SOP in a state, with `me` in a relation to the SOP. */
export function factsOf(state: SopStateName, relation: Relation, who: CaseIds = cast): SopFacts {
  const [level, by] = relation.split(" by ");
  const permission = grantLevels.find((one) => one === level);
  return {
    companyId: who.companyId,
    authorId: relation === "author" ? who.me : who.other,
    ownerId: relation === "owner" ? who.me : who.other,
    teamId: relation === "team" ? who.myTeam : who.otherTeam,
    restricted: false,
    deletedAt: null,
    approvers: [],
    grants: permission
      ? [{ userId: by === "user" ? who.me : null, teamId: by === "team" ? who.myTeam : null, permission }]
      : [],
    ...sopStates[state],
  };
}

/** Returns the stored permission for a kind; none for `none`. */
export function permissionsOfKind(
  kind: OwnPermissionKind,
  permission: PermittedAction,
  at = { past, ahead },
): UserPermission[] {
  if (kind === "none") return [];
  return [
    {
      id: "p",
      permission,
      granted: kind.endsWith("allow"),
      grantedBy: "boss",
      expiresAt: kind.startsWith("expired") ? at.past : at.ahead,
      createdAt: at.past,
    },
  ];
}

export function actorFor(role: Role, kind: OwnPermissionKind, action: PermittedAction, who: CaseIds = cast): Actor {
  const { companyId, me: userId, myTeam } = who;
  const permissions = permissionsOfKind(kind, action);
  return resolveActor({ userId, companyId, role, teamIds: [myTeam], permissions }, { roleOverrides: {} }, now);
}

/** First letters, in the order of the roles: `SCAMERNV`. */
export const roleLetters: Readonly<Record<Role, string>> = {
  system_admin: "S",
  company_admin: "C",
  admin: "A",
  manager: "M",
  editor: "E",
  reviewer: "R",
  contributor: "N",
  viewer: "V",
};

const seenLetters: Record<VisibleVersionKind, string> = { latest: "H", published: "e", nothing: "-" };

/** The whole table as text. */
export function truthTable(): string {
  return `${[tableLegend(), roleActionsSection(), ...tableSections("what is seen of an SOP", "sop.read_head", visibleVersionsRow), ...sopActions.flatMap((action) => tableSections(action, action, (relation, kind) => allowedRolesRow(action, relation, kind)))].join("\n\n")}\n`;
}

function tableLegend(): string {
  const letters = roles.map((role) => `${roleLetters[role]} ${role}`).join(" · ");
  const columns = sopStateNames.map((name, index) => `${index + 1} ${name}`).join(" · ");
  return [
    "Who can do what, as `can` decides. Rewritten by: UPDATE_TRUTH_TABLE=1 npx vitest run --project core core/access",
    `Letters: ${letters}. A dash: no one.`,
    `Columns: ${columns}.`,
    "Rows: the relation of the user to the SOP. `own permission`: given (allow) or denied (deny) to the user beyond the role.",
    "What is seen: one letter a role, in the order above: H latest version, e published version, - nothing.",
  ].join("\n");
}

function roleActionsSection(): string {
  const rows = roleActions.map((action) => {
    const cells = ownPermissions.map(
      (kind) => `${kind} ${rolesAllowed((role) => can(actorFor(role, kind, action), action))}`,
    );
    return `  ${action.padEnd(18)} ${cells.join(" · ")}`;
  });
  return ["== by role alone, with the own permission", ...rows].join("\n");
}

type CellOf = (relation: Relation, kind: OwnPermissionKind) => string[];

/** One section for each own permission. Equal sections are merged, and so are relations. */
function tableSections(title: string, action: PermittedAction, cellsOf: CellOf): string[] {
  const bodies = new Map<string, OwnPermissionKind[]>();
  for (const kind of ownPermissions) {
    const rows = new Map<string, Relation[]>();
    for (const relation of relations) {
      const cells = cellsOf(relation, kind)
        .map((cell) => cell.padEnd(9))
        .join("")
        .trimEnd();
      rows.set(cells, [...(rows.get(cells) ?? []), relation]);
    }
    const body = [...rows].map(([cells, names]) => `  ${cells}\n      ${names.join(", ")}`).join("\n");
    bodies.set(body, [...(bodies.get(body) ?? []), kind]);
  }
  const about = title === action ? "" : ` (${action})`;
  return [...bodies].map(([body, kinds]) => `== ${title} · own permission${about}: ${kinds.join(", ")}\n${body}`);
}

const allowedRolesRow = (action: PermittedAction, relation: Relation, kind: OwnPermissionKind): string[] =>
  sopStateNames.map((state) =>
    rolesAllowed((role) => can(actorFor(role, kind, action), action, factsOf(state, relation))),
  );

const visibleVersionsRow: CellOf = (relation, kind) =>
  sopStateNames.map((state) =>
    roles
      .map((role) => seenLetters[visibleVersion(actorFor(role, kind, "sop.read_head"), factsOf(state, relation))])
      .join(""),
  );

function rolesAllowed(decide: (role: Role) => boolean): string {
  return (
    roles
      .filter(decide)
      .map((role) => roleLetters[role])
      .join("") || "-"
  );
}
