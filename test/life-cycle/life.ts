/** The state of an SOP and of its company in the model. */
import type { Actor, GrantLevel, SopFacts } from "#core/permissions/actor.ts";
import type { ApprovalRule } from "#core/companies/settings.ts";

export interface Person {
  id: string;
  actor: Actor;
}

export type Control = "flexible" | "strict";

export interface CompanyRules {
  companyId: string;
  teamId: string;
  /** The company's settings at the start. */
  control: Control;
  rule: ApprovalRule;
  allowSelfApproval: boolean;
  people: readonly Person[];
}

/** The categories. `approving` requires approval by its own rule, in every company. */
export type Category = "plain" | "approving";
export const approvingRule: ApprovalRule = { kind: "any", count: null };

export type Status = "draft" | "under_review" | "published" | "archived";

/** The stored text and fields of a version. */
export interface Text {
  body: string;
  /** The effective date: `YYYY-MM-DD`. */
  effective: string | null;
  owner: string | null;
  inTeam: boolean;
}

export interface Version extends Text {
  by: string;
  /** The version that it restores. */
  restores: number | null;
}

export interface Approver {
  who: string;
  status: "pending" | "approved" | "rejected";
  isReplaced: boolean;
}

export interface Request {
  by: string;
  version: number;
  rule: ApprovalRule;
  approvers: Approver[];
  status: "pending" | "approved" | "rejected";
  outcome: string | null;
}

export type Verdict = "keep" | "revise" | "archive";

/** The state of the SOP. Versions count from 1. */
export interface SopState {
  /** The company's setting at this moment; it may change later. */
  control: Control;
  author: string;
  status: Status;
  category: Category | null;
  restricted: boolean;
  grants: Record<string, GrantLevel>;
  versions: Version[];
  published: number | null;
  /** The category in which readers find it. */
  publishedIn: Category | null;
  /** The version that takes effect on its day. */
  scheduled: { version: number; day: string; in: Category | null } | null;
  /** The numbers of all versions that were ever published. */
  everPublished: number[];
  requests: Request[];
  reviews: { verdict: Verdict; version: number }[];
  /** The ISO time of the deletion; null if the SOP exists. */
  deletedAt: string | null;
  /** Verbs of the audit log, in order. */
  effects: string[];
}

export const newSop = (author: string, body: string, control: Control): SopState => ({
  control,
  author,
  status: "draft",
  category: null,
  restricted: false,
  grants: {},
  versions: [{ body, effective: null, owner: author, inTeam: false, by: author, restores: null }],
  published: null,
  publishedIn: null,
  scheduled: null,
  everPublished: [],
  requests: [],
  reviews: [],
  deletedAt: null,
  effects: ["create"],
});

export function latestOf({ versions }: SopState): Version {
  const latest = versions.at(-1);
  if (!latest) throw new Error("every SOP has a version");
  return latest;
}

export const openRequest = ({ requests }: SopState): Request | undefined =>
  requests.find(({ status }) => status === "pending");

export const counted = ({ approvers }: Request): Approver[] => approvers.filter(({ isReplaced }) => !isReplaced);

/** Says whether a version needs approval before publication. */
export const needsApproval = (control: Control, category: Category | null): boolean =>
  control === "strict" || category === "approving";

export function factsOf(life: SopState, { companyId, teamId }: CompanyRules): SopFacts {
  const latest = latestOf(life);
  const open = openRequest(life);
  return {
    companyId,
    authorId: life.author,
    ownerId: latest.owner,
    teamId: latest.inTeam ? teamId : null,
    status: life.status,
    restricted: life.restricted,
    deletedAt: life.deletedAt,
    published: life.published === null ? null : { version: life.published },
    version: life.versions.length,
    grants: Object.entries(life.grants).map(([userId, permission]) => ({ userId, teamId: null, permission })),
    // an approver who has answered can still read the SOP until the request is resolved
    approvers: open ? counted(open).map(({ who }) => who) : [],
  };
}
