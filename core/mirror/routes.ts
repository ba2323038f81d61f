import { routeGroup } from "../contract/route.ts";

const path = "/api/company/mirror";

/** The mirror of the company's repository at another git host. */
export const mirrorRoutes = routeGroup({
  get: { method: "GET", path, access: "company.settings", scope: "admin" },
  update: {
    method: "PUT",
    path,
    access: "company.settings",
    scope: "session",
    proven: "outgoing",
    touches: ["mirror", "stats"],
  },
  remove: { method: "DELETE", path, access: "company.settings", scope: "admin", touches: ["mirror", "stats"] },
  take: {
    method: "POST",
    path: `${path}/take`,
    access: "company.settings",
    scope: "admin",
    touches: ["mirror", "stats"],
  },
  secret: {
    method: "POST",
    path: `${path}/secret`,
    access: "company.settings",
    scope: "session",
    proven: "outgoing",
    secret: true,
    touches: ["mirror", "stats"],
  },
  check: {
    method: "POST",
    path: `${path}/check`,
    access: "company.settings",
    scope: "admin",
    touches: ["mirror", "stats"],
  },
});
