/** What is true of an SOP and of the company it lives in, as the model knows it. */
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
  /** What it starts as. */
  control: Control;
  rule: ApprovalRule;
  allowSelfApproval: boolean;
  people: readonly Person[];
}

/** `approving` asks for approval by a rule of its own, whatever the company does. */
export type Category = "plain" | "approving";
export const approvingRule: ApprovalRule = { kind: "any", count: null };

export type Status = "draft" | "under_review" | "published" | "archived";

/** What stands in the file of a version. */
export interface Text {
  body: string;
  /** A day: `YYYY-MM-DD`. */
  effective: string | null;
  owner: string | null;
  inTeam: boolean;
}

export interface Version extends Text {
  by: string;
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

/** What is true of the SOP. Versions count from 1. */
export interface SopState {
  /** The company's, which may change its mind midway. */
  control: Control;
  author: string;
  status: Status;
  category: Category | null;
  restricted: boolean;
  grants: Record<string, GrantLevel>;
  versions: Version[];
  published: number | null;
  /** Where readers find it. */
  publishedIn: Category | null;
  /** Waits for its day. */
  scheduled: { version: number; day: string; in: Category | null } | null;
  /** Every version that ever was published. */
  everPublished: number[];
  requests: Request[];
  reviews: { verdict: Verdict; version: number }[];
  /** ISO time */
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
  versions: [{ body, effective: null, owner: author, inTeam: false, by: author }],
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

/** Nothing comes into force here that nobody approved. */
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
    // who has decided reads on until the request is resolved
    approvers: open ? counted(open).map(({ who }) => who) : [],
  };
}
