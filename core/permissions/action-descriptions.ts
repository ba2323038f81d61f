import { catalog } from "../language/catalog.ts";
import type { PermittedAction } from "./actions.ts";

/** The description of each permission, as screens and `GET /api/company/roles` show it, in order of display. */
export const actionDescriptions = catalog("core.permissions.actions", {
  "sop.read_head": "Read drafts",
  "sop.create": "Write new SOPs",
  "sop.edit": "Edit SOPs",
  "sop.restore": "Restore older versions",
  "sop.request_approval": "Submit for approval",
  "sop.decide": "Approve as a named approver",
  "sop.publish": "Publish and unpublish",
  "sop.archive": "Archive",
  "sop.delete": "Delete SOPs",
  "sop.comment": "Comment",
  "sop.share": "Share with people and teams",
  "sop.restrict": "Restrict who reads an SOP",
  "category.write": "Edit categories",
  "team.write": "Edit teams",
  "user.list": "See the names of colleagues",
  "user.manage": "Manage users",
  "company.settings": "Change company settings",
  "companies.manage": "Manage all companies",
  "audit.read": "Read the audit log",
  "audit.export": "Export the audit log",
  "repository.read": "Download the whole repository",
}) satisfies Record<PermittedAction, string>;
