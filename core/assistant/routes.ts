import { routeGroup } from "../contract/route.ts";

export const assistantRoutes = routeGroup({
  draft: {
    method: "POST",
    path: "/api/assistant/draft",
    access: "sop.create",
    success: 201,
    touches: ["sops", "categories", "stats"],
    summary: "A draft from the template whose words fit best; no AI",
  },
  improve: {
    method: "POST",
    path: "/api/assistant/improve",
    access: "user",
    summary: "A text with every safe fix made, and what the rules still find; no AI, nothing is stored",
  },
  suggest: {
    method: "POST",
    path: "/api/assistant/suggest",
    access: "sop.create",
    touches: ["suggestions", "stats"],
    summary: "SOPs that seem to be missing, each with its evidence; no AI",
  },
});
