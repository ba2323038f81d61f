import { routeGroup } from "../contract/route.ts";

const sops = "/api/sops";
const one = "/api/sops/:id";

export const sopRoutes = routeGroup({
  list: {
    method: "GET",
    path: sops,
    access: "user",
  },
  create: {
    method: "POST",
    path: sops,
    access: "sop.create",
    success: 201,
    touches: ["sops", "categories", "stats"],
  },
  import: {
    method: "POST",
    path: `${sops}/import`,
    access: "sop.create",
    body: "import",
    touches: ["sops", "categories", "stats"],
  },
  preview: {
    method: "POST",
    path: `${sops}/preview`,
    whileFull: "always",
    access: "user",
    scope: "sops:read",
  },
  convertFile: {
    method: "POST",
    path: `${sops}/import/convert`,
    access: "sop.create",
    body: "raw-import",
    // an answer is as large as its request, and as easy to create again, so it isn't kept for a repeat
    secret: true,
  },
  check: {
    method: "POST",
    path: `${sops}/check`,
    whileFull: "always",
    access: "user",
    scope: "sops:read",
  },
  get: {
    method: "GET",
    path: one,
    access: "user",
  },
  update: {
    method: "PUT",
    path: one,
    access: "user",
    touches: ["sops", "categories", "stats"],
  },
  remove: {
    method: "DELETE",
    path: one,
    access: "user",
    touches: ["sops", "categories", "stats"],
  },
  undelete: {
    method: "POST",
    path: `${one}/undelete`,
    access: "user",
    touches: ["sops", "categories", "stats"],
  },
  links: { method: "GET", path: `${one}/links`, access: "user" },
  versions: { method: "GET", path: `${one}/versions`, access: "user" },
  version: { method: "GET", path: `${one}/versions/:version`, access: "user" },
  diff: {
    method: "GET",
    path: `${one}/diff`,
    access: "user",
  },
  publishedPeriods: {
    method: "GET",
    path: `${one}/in-force`,
    access: "user",
  },
  restore: {
    method: "POST",
    path: `${one}/restore/:version`,
    access: "user",
    touches: ["sops", "stats"],
  },
  publish: {
    method: "POST",
    path: `${one}/publish`,
    access: "user",
    touches: ["sops", "categories", "stats"],
  },
  unpublish: {
    method: "POST",
    path: `${one}/unpublish`,
    access: "user",
    touches: ["sops", "categories", "stats"],
  },
  archive: {
    method: "POST",
    path: `${one}/archive`,
    access: "user",
    touches: ["sops", "categories", "stats"],
  },
  unarchive: {
    method: "POST",
    path: `${one}/unarchive`,
    access: "user",
    touches: ["sops", "categories", "stats"],
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
  },
  permissions: {
    method: "GET",
    path: `${one}/permissions`,
    access: "user",
  },
  grant: {
    method: "POST",
    path: `${one}/permissions`,
    access: "user",
    touches: ["sops"],
  },
  revoke: {
    method: "DELETE",
    path: `${one}/permissions/:permissionId`,
    access: "user",
    touches: ["sops"],
  },
  restrict: {
    method: "PUT",
    path: `${one}/restricted`,
    access: "user",
    touches: ["sops", "categories", "stats"],
  },
});
