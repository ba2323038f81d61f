import { expect, it } from "vitest";
import type { SopFacts } from "./actor.ts";
import { rolesThatRead } from "./readers.ts";
import { roles } from "./roles.ts";

const draft: SopFacts = {
  companyId: "c",
  authorId: "ann",
  ownerId: null,
  teamId: "t",
  status: "draft",
  restricted: false,
  deletedAt: null,
  published: null,
  version: 1,
  grants: [{ userId: null, teamId: "t", permission: "read" }],
  approvers: ["ben"],
};
const writers = ["system_admin", "company_admin", "admin", "manager", "editor"];

it.each([
  ["a draft: editors and above", {}, writers],
  ["under review: reviewers too", { status: "under_review" }, [...writers, "reviewer"]],
  ["published: all", { published: { version: 1 } }, roles],
  ["restricted: company admins", { published: { version: 1 }, restricted: true }, ["system_admin", "company_admin"]],
])("names the roles that read %s", (_, change, expected) => {
  expect(rolesThatRead({ ...draft, ...change }, { roleOverrides: {} })).toEqual(expected);
});

it("follows the company's changes of roles", () => {
  const roleOverrides = { editor: { "sop.read_head": false }, viewer: { "sop.read_head": true } };
  expect(rolesThatRead(draft, { roleOverrides })).toEqual([...writers.slice(0, -1), "viewer"]);
});
