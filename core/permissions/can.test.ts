import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { roleActions, sopActions } from "./actions.ts";
import type { Actor, SopFacts } from "./actor.ts";
import { can, canReadRestrictedSops, canSeeUnrestrictedLatestVersions, visibleVersion } from "./can.ts";
import { assignableRoles, roleLabel, roles, type Role } from "./roles.ts";
import { roleLetters } from "./testing/truth-table.ts";

const actor = (role: Role, more: Partial<Actor> = {}): Actor => ({
  userId: "me",
  companyId: "c",
  role,
  teamIds: ["mine"],
  allow: [],
  deny: [],
  ...more,
});
const sop = (more: Partial<SopFacts> = {}): SopFacts => ({
  companyId: "c",
  authorId: "other",
  ownerId: "other",
  teamId: "theirs",
  status: "draft",
  restricted: false,
  deletedAt: null,
  published: null,
  version: 1,
  grants: [],
  approvers: [],
  ...more,
});

const who = (decide: (role: Role) => boolean) =>
  roles
    .filter(decide)
    .map((role) => roleLetters[role])
    .join("");

describe("who may do what", () => {
  test("by role alone", () => {
    const table = Object.fromEntries(roleActions.map((action) => [action, who((role) => can(actor(role), action))]));
    expect(table).toEqual({
      "sop.create": "SCAMEN",
      "category.write": "SCAM",
      "team.write": "SCAM",
      "user.list": "SCAMERNV",
      "user.manage": "SCA",
      "company.settings": "SC",
      "companies.manage": "S",
      "audit.read": "SCA",
      "audit.export": "SC",
      "repository.read": "SCAM",
    });
  });

  test("with an SOP of another user, of the own team, and the own", () => {
    const cases = {
      other: sop(),
      team: sop({ teamId: "mine" }),
      author: sop({ authorId: "me" }),
      owner: sop({ ownerId: "me" }),
      published: sop({ ownerId: "me", status: "published", published: { version: 1 } }),
      restricted: sop({ restricted: true }),
      "own restricted": sop({ restricted: true, ownerId: "me" }),
      deleted: sop({ deletedAt: "2026-01-01T00:00:00.000Z" }),
    };
    const table = Object.fromEntries(
      sopActions.map((action) => [
        action,
        Object.values(cases)
          .map((facts) => who((role) => can(actor(role), action, facts)))
          .join(" "),
      ]),
    );
    // other · team · author · owner · published own · restricted · own restricted · deleted
    expect(table).toEqual({
      "sop.read_head": "SCAME SCAMERN SCAMERNV SCAMERNV SCAMERNV SC SCAMERNV ",
      "sop.edit": "SCAME SCAME SCAMEN SCAMEN SCAMEN SC SCAMEN ",
      "sop.restore": "SCAME SCAME SCAMEN SCAMEN SCAMEN SC SCAMEN ",
      "sop.publish": "SCAM SCAM SCAM SCAM SCAM SC SCAM ",
      "sop.archive": "SCAM SCAM SCAME SCAME SCAME SC SCAME ",
      "sop.delete": "SCA SCAM SCAMEN SCAMEN SCAM SC SCAMEN SCA",
      "sop.request_approval": "SCAME SCAME SCAMEN SCAMEN SCAMEN SC SCAMEN ",
      "sop.decide": "SCAME SCAMER SCAMER SCAMER SCAMER SC SCAMER ",
      "sop.comment": "SCAME SCAMERN SCAMERNV SCAMERNV SCAMERNV SC SCAMERNV ",
      "sop.share": "SCAM SCAME SCAMEN SCAMEN SCAMEN SC SCAMEN ",
      "sop.restrict": "SCAM SCAM SCAM SCAM SCAM SC SCAM ",
    });
  });

  const anySop = fc.record({
    companyId: fc.constantFrom("c", "d"),
    authorId: fc.constantFrom("me", "other"),
    ownerId: fc.constantFrom("me", "other", null),
    teamId: fc.constantFrom("mine", "theirs", null),
    status: fc.constantFrom("draft", "under_review", "published", "archived"),
    restricted: fc.boolean(),
    deletedAt: fc.constantFrom(null, "2026-01-01T00:00:00.000Z"),
    published: fc.constantFrom(null, { version: 1 }),
    version: fc.constantFrom(1, 2),
    grants: fc.constant([]),
    approvers: fc.constant([]),
  });

  test("no user reaches another company, or acts on an SOP they can't see", () => {
    fc.assert(
      fc.property(fc.constantFrom(...roles), anySop, fc.constantFrom(...sopActions), (role, facts, action) => {
        const asker = actor(role);
        const visible = visibleVersion(asker, facts);
        if (facts.companyId !== "c") {
          expect(visible).toBe("nothing");
          expect(can(asker, action, facts)).toBe(false);
        }
        // a deleted SOP stays visible to people who can restore it
        if (can(asker, action, facts) && facts.deletedAt === null && action !== "sop.comment") {
          expect(visible).toBe("latest");
        }
        if (canSeeUnrestrictedLatestVersions(asker) && facts.companyId === "c" && facts.deletedAt === null) {
          const passes = !facts.restricted || canReadRestrictedSops(asker) || facts.ownerId === "me";
          expect(visible).toBe(passes ? "latest" : "nothing");
        }
        expect(can(asker, action)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});

test("roles give away less than they are", () => {
  expect(
    Object.fromEntries(roles.map((role) => [role, who((other) => assignableRoles(role).includes(other))])),
  ).toEqual({
    system_admin: "SCAMERNV",
    company_admin: "AMERNV",
    admin: "MERNV",
    manager: "",
    editor: "",
    reviewer: "",
    contributor: "",
    viewer: "",
  });
  expect(roleLabel("company_admin")).toBe("Company Admin");
});
