import { routeGroup } from "../contract/route.ts";

export const aiRoutes = routeGroup({
  generateSop: {
    method: "POST",
    path: "/api/ai/generate-sop",
    access: "sop.create",
    success: 201,
    touches: ["sops", "categories", "stats", "ai"],
    progress: true,
  },
  improveSop: {
    method: "POST",
    path: "/api/ai/improve-sop",
    access: "user",
    touches: ["ai"],
    // an unsaved text is never stored, not even to repeat the answer
    secret: true,
  },
  enhanceContent: {
    method: "POST",
    path: "/api/ai/enhance-content",
    access: "user",
    touches: ["ai"],
    // an unsaved text is never stored, not even to repeat the answer
    secret: true,
  },
  usage: { method: "GET", path: "/api/ai/usage", access: "user" },
});
