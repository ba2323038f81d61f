import { routeGroup } from "../contract/route.ts";

const all = "/api/ai-suggestions";

export const suggestionRoutes = routeGroup({
  suggest: {
    method: "POST",
    path: "/api/ai/suggest-sops",
    access: "sop.create",
    touches: ["suggestions", "stats", "ai"],
  },
  list: { method: "GET", path: all, access: "user" },
  create: {
    method: "POST",
    path: all,
    access: "sop.create",
    success: 201,
    touches: ["suggestions", "stats"],
  },
  setStatus: {
    method: "PUT",
    path: `${all}/:id/status`,
    access: "sop.create",
    touches: ["suggestions", "stats", "sops", "categories"],
  },
});
