import { sopApprovalRoutes } from "../approvals/routes.ts";
import { routeGroup } from "../contract/route.ts";
import { markRoutes } from "../marks/routes.ts";
import { reviewRoutes } from "../reviews/routes.ts";

const sops = "/api/sops";
const one = "/api/sops/:id";

export const sopRoutes = routeGroup({
  list: {
    method: "GET",
    path: sops,
    access: "user",
    summary: "SOPs the asker may see, newest change first; with `recent`, what he opened or changed, last first",
  },
  create: {
    method: "POST",
    path: sops,
    access: "sop.create",
    success: 201,
    touches: ["sops", "categories", "stats"],
    summary: "Create an SOP: version 1, a draft unless published directly",
  },
  import: {
    method: "POST",
    path: `${sops}/import`,
    access: "sop.create",
    body: "import",
    touches: ["sops", "categories", "stats"],
    summary: "Import up to 50 Markdown documents as drafts, in one transaction and one commit",
  },
  preview: {
    method: "POST",
    path: `${sops}/preview`,
    access: "user",
    scope: "sops:read",
    summary: "A text as its readers would see it; nothing is stored",
  },
  convertFile: {
    method: "POST",
    path: `${sops}/import/convert`,
    access: "sop.create",
    body: "raw-import",
    // an answer is as large as what was sent, and made again as easily
    secret: true,
    summary:
      "A Markdown, Word, HTML or zip file (raw bytes) as documents for the import; with `store` its pictures are stored",
  },
  check: {
    method: "POST",
    path: `${sops}/check`,
    access: "user",
    scope: "sops:read",
    summary: "What the rules find in a text; nothing is stored",
  },
  get: {
    method: "GET",
    path: one,
    access: "user",
    summary:
      "One SOP: the head, or the version in force; with `at`, what was in force then (a day means its end in UTC)",
  },
  update: {
    method: "PUT",
    path: one,
    access: "user",
    touches: ["sops", "categories", "stats"],
    summary: "Save: a new version when the text changed; If-Match makes a stale save 412",
  },
  remove: {
    method: "DELETE",
    path: one,
    access: "user",
    touches: ["sops", "categories", "stats"],
    summary: "Delete softly: restorable for 30 days",
  },
  undelete: {
    method: "POST",
    path: `${one}/undelete`,
    access: "user",
    touches: ["sops", "categories", "stats"],
    summary: "Bring back a deleted SOP",
  },
  versions: { method: "GET", path: `${one}/versions`, access: "user", summary: "Versions, newest first" },
  version: { method: "GET", path: `${one}/versions/:version`, access: "user", summary: "One version with its text" },
  diff: {
    method: "GET",
    path: `${one}/diff`,
    access: "user",
    summary: "What differs between two versions: facts, rendered blocks, Markdown lines",
  },
  inForce: {
    method: "GET",
    path: `${one}/in-force`,
    access: "user",
    summary: "From when to when each version was in force, newest first",
  },
  restore: {
    method: "POST",
    path: `${one}/restore/:version`,
    access: "user",
    touches: ["sops", "stats"],
    summary: "A new version with that version's text",
  },
  publish: {
    method: "POST",
    path: `${one}/publish`,
    access: "user",
    touches: ["sops", "categories", "stats"],
    summary: "Put the head in force directly, where the company's document control allows it",
  },
  unpublish: {
    method: "POST",
    path: `${one}/unpublish`,
    access: "user",
    touches: ["sops", "categories", "stats"],
    summary: "End force: readers lose the SOP, the head is a draft",
  },
  ...sopApprovalRoutes,
  archive: {
    method: "POST",
    path: `${one}/archive`,
    access: "user",
    touches: ["sops", "categories", "stats"],
    summary: "Take an SOP out of use",
  },
  unarchive: {
    method: "POST",
    path: `${one}/unarchive`,
    access: "user",
    touches: ["sops", "categories", "stats"],
    summary: "An archived SOP becomes a draft again",
  },
  export: {
    method: "GET",
    path: `${one}/export`,
    access: "user",
    kind: "file",
    produces: [
      "text/markdown",
      "application/json",
      "text/html",
      "application/pdf",
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ],
    summary:
      "The SOP as a file: md (the exact bytes git holds), json, html (one file), pdf or docx; what could not be shown is told in X-Export-Warnings",
  },
  permissions: {
    method: "GET",
    path: `${one}/permissions`,
    access: "user",
    summary: "Who may do what with this SOP beyond the roles",
  },
  grant: {
    method: "POST",
    path: `${one}/permissions`,
    access: "user",
    touches: ["sops"],
    summary: "Share with a user or a team; the same one again changes the level",
  },
  revoke: {
    method: "DELETE",
    path: `${one}/permissions/:permissionId`,
    access: "user",
    touches: ["sops"],
    summary: "Take a share back",
  },
  restrict: {
    method: "PUT",
    path: `${one}/restricted`,
    access: "user",
    touches: ["sops", "categories", "stats"],
    summary: "Readable by its owner, company administrators and by grant only; or for everybody again",
  },
  ...markRoutes,
  ...reviewRoutes,
});
