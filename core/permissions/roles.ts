import { catalog } from "../language/catalog.ts";

/** The roles from most to least powerful. */
export const roles = [
  "system_admin",
  "company_admin",
  "admin",
  "manager",
  "editor",
  "reviewer",
  "contributor",
  "viewer",
] as const;
export type Role = (typeof roles)[number];

/** Roles that this role can assign, and whose users it can manage (`docs/spec/permissions.md`). */
export function assignableRoles(role: Role): readonly Role[] {
  if (role === "system_admin") return roles;
  if (role === "company_admin") return roles.slice(2);
  if (role === "admin") return roles.slice(3);
  return [];
}

/** The role's name in badges: `company_admin` → 'Company Admin'. */
export function roleLabel(role: string): string {
  return labels[role] ?? role;
}

const labels: Readonly<Record<string, string>> = catalog("core.roles", {
  system_admin: "System Admin",
  company_admin: "Company Admin",
  admin: "Admin",
  manager: "Manager",
  editor: "Editor",
  reviewer: "Reviewer",
  contributor: "Contributor",
  viewer: "Viewer",
}) satisfies Record<Role, string>;
