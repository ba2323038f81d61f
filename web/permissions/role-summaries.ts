import { catalog } from "#core/language/catalog.ts";
import type { Role } from "#core/permissions/roles.ts";

/** The permissions that each role adds to the role before it, in one to three words. */
export const roleSummaries: Readonly<Record<Role, string>> = catalog("permissions.role-does", {
  viewer: "reads",
  contributor: "writes",
  reviewer: "approves",
  editor: "edits all",
  manager: "publishes",
  admin: "manages users",
  company_admin: "manages the company",
  system_admin: "manages the server",
});

/** The permissions that each role adds to the role before it, as a sentence. */
export const roleSentences: Readonly<Record<Role, string>> = catalog("permissions.role-sentence", {
  viewer: "Reads published SOPs.",
  contributor: "Also writes SOPs of their own.",
  reviewer: "Reads SOPs under review, and approves.",
  editor: "Edits all SOPs, and asks for approval.",
  manager: "Also approves and publishes.",
  admin: "Also manages users.",
  company_admin: "Also manages the company.",
  system_admin: "Also manages the server and all companies.",
});
