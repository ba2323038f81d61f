/** Creates records for tests, as the API returns them. */
import type { Me } from "#core/sign-in/schema.ts";
import type { Mirror } from "#core/mirror/schema.ts";
import type { Category } from "#core/categories/schema.ts";
import type { SopControl } from "#core/sops/control.ts";
import type { Team } from "#core/teams/schema.ts";
import { valuesByFieldName, listedFields, emptyValues } from "#core/sop-fields.ts";
import type { Sop, SopRow } from "#core/sops/schema.ts";
import type { SopFacets } from "#core/sops/list-schema.ts";

export const companyId = "01980000-0000-7000-8000-00000000c001";

export function aUser(change: Partial<Me> = {}): Me {
  return {
    id: "01980000-0000-7000-8000-0000000000a1",
    companyId,
    company: {
      id: companyId,
      name: "Acme",
      slug: "acme",
      documentControl: "flexible",
      numberScheme: "SOP-{seq:4}",
      readingDays: 14,
    },
    username: "ann",
    email: null,
    emailVerified: false,
    name: "Ann Archer",
    role: "manager",
    initials: "AA",
    department: null,
    title: null,
    phone: null,
    avatar: null,
    status: "active",
    teamIds: [],
    allow: [],
    deny: [],
    lastLoginAt: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    eventSeq: "v1.start",
    ...change,
  };
}

export function aCategory(change: Partial<Category> = {}): Category {
  return {
    id: "cat-hr",
    companyId,
    name: "HR Procedures",
    slug: "hr-procedures",
    color: "primary",
    count: 3,
    parentId: null,
    teamId: null,
    requiresApproval: false,
    approvalRule: null,
    reviewMonths: null,
    ...change,
  };
}

/** Returns the facets of a list with these counts by status, and no values for other filters. */
export function facetsOf(counts: Record<string, number>): SopFacets {
  const status = Object.entries(counts).map(([value, count]) => ({ value, label: value, count }));
  return { category: [], status, owner: [], tag: [], team: [], lang: [] };
}

export function aTeam(change: Partial<Team> = {}): Team {
  return {
    id: "team-kitchen",
    name: "Kitchen",
    slug: "kitchen",
    description: null,
    ownerId: "user-ann",
    ownerName: "Ann Archer",
    memberCount: 2,
    mayWrite: false,
    mayDelete: false,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    ...change,
  };
}

/** Creates the control facts, which the API returns for a single SOP but not for rows of a list. */
export function aControl(change: Partial<SopControl> = {}): SopControl {
  return {
    owner: null,
    changedBy: { name: "Ann Archer", at: "2026-01-01T00:00:00.000Z" },
    changeClass: "major",
    effective: null,
    approvedBy: [],
    lastReview: null,
    lastInForce: null,
    ...change,
  };
}

let made = 0;

type SopRecord = SopRow & Pick<Sop, "effectiveAt">;

export function aSop(change: Partial<SopRecord> = {}): SopRecord {
  made += 1;
  return {
    ...valuesByFieldName(listedFields, emptyValues),
    id: `01980000-0000-7000-8000-${String(made).padStart(12, "0")}`,
    companyId,
    number: `SOP-${String(made).padStart(4, "0")}`,
    slug: `sop-${made}`,
    title: `Procedure ${made}`,
    description: "What to do, in order.",
    categoryId: "cat-hr",
    publishedCategoryId: "cat-hr",
    category: { name: "HR Procedures" },
    authorId: "01980000-0000-7000-8000-0000000000a1",
    author: { name: "Ann Archer", initials: "AA", username: "ann", hasNamesake: false },
    owner: null,
    status: "published",
    readTime: 5,
    views: 0,
    version: 1,
    published: null,
    scheduled: null,
    effectiveAt: null,
    grants: [],
    approvers: [],
    waitsForMe: false,
    restricted: false,
    favorite: false,
    contentHash: "0".repeat(64),
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: new Date(Date.now() - 3 * 86_400_000).toISOString(),
    ...change,
  };
}

/** The answer to an invitation without an email address. */
export const anInvitationLink = () => ({
  id: "i1",
  role: "viewer",
  email: null,
  link: "/invite/secret",
  invitedBy: "cora",
  invitedByName: "Cora Chief",
  createdAt: "2026-01-05T10:00:00.000Z",
  expiresAt: "2026-01-12T10:00:00.000Z",
  usedAt: null,
  usedBy: null,
  usedByName: null,
  revokedAt: null,
  state: "pending",
});

export function aMirror(change: Partial<Mirror> = {}): Mirror {
  return {
    state: "current",
    hosts: ["github.com"],
    settings: {
      url: "https://github.com/acme/sops.git",
      username: "acme",
      provider: "github",
      history: false,
      restricted: false,
      witness: false,
      incoming: null,
      updatedAt: "2026-01-05T12:00:00.000Z",
      updatedBy: "Ann Archer",
    },
    lag: 0,
    pushedAt: "2026-01-05T12:00:00.000Z",
    pushedMain: "b",
    checkedAt: "2026-01-05T12:00:00.000Z",
    problem: null,
    retryAt: null,
    diverged: [],
    taking: false,
    stoppedTaken: null,
    incoming: null,
    webhook: null,
    ...change,
  };
}
