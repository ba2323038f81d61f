import { routeGroup } from "../contract/route.ts";

const all = "/api/ai-suggestions";

export const suggestionRoutes = routeGroup({
  suggest: {
    method: "POST",
    path: "/api/ai/suggest-sops",
    access: "sop.create",
    touches: ["suggestions", "stats", "ai"],
    summary: "SOPs that seem to be missing: what the rules find, ranked and added to by the AI",
  },
  list: { method: "GET", path: all, access: "user", summary: "The asker's suggestions, newest first" },
  create: {
    method: "POST",
    path: all,
    access: "sop.create",
    success: 201,
    touches: ["suggestions", "stats"],
    summary: "Keep a suggestion of one's own",
  },
  setStatus: {
    method: "PUT",
    path: `${all}/:id/status`,
    access: "sop.create",
    touches: ["suggestions", "stats", "sops", "categories"],
    summary: "Accept (makes a draft), dismiss, or take a dismissal back",
  },
});
