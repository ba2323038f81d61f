import { routeGroup } from "../contract/route.ts";

export const aiRoutes = routeGroup({
  generateSop: {
    method: "POST",
    path: "/api/ai/generate-sop",
    access: "sop.create",
    success: 201,
    touches: ["sops", "categories", "stats", "ai"],
    progress: true,
    summary: "A draft from a prompt, checked by the rules and stored; as a stream with `Accept: text/event-stream`",
  },
  improveSop: {
    method: "POST",
    path: "/api/ai/improve-sop",
    access: "user",
    touches: ["ai"],
    // a text that nobody has saved is kept nowhere, not even for a repeat
    secret: true,
    summary: "Proposals for a text: for what the rules find, and for clarity; nothing is stored",
  },
  enhanceContent: {
    method: "POST",
    path: "/api/ai/enhance-content",
    access: "user",
    touches: ["ai"],
    // a text that nobody has saved is kept nowhere, not even for a repeat
    secret: true,
    summary: "Proposals for a text: clarity, formatting (rules alone) or detail; nothing is stored",
  },
  usage: { method: "GET", path: "/api/ai/usage", access: "user", summary: "Tokens spent, budgets, and an estimate" },
});
