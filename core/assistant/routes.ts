import { routeGroup } from "../contract/route.ts";

export const assistantRoutes = routeGroup({
  draft: {
    method: "POST",
    path: "/api/assistant/draft",
    access: "sop.create",
    success: 201,
    touches: ["sops", "categories", "stats"],
  },
  improve: {
    method: "POST",
    path: "/api/assistant/improve",
    whileFull: "always",
    access: "user",
  },
  suggest: {
    method: "POST",
    path: "/api/assistant/suggest",
    access: "sop.create",
    touches: ["suggestions", "stats"],
  },
});
