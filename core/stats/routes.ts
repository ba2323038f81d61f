import { routeGroup } from "../contract/route.ts";

export const statsRoutes = routeGroup({
  get: {
    method: "GET",
    path: "/api/stats",
    access: "user",
    summary: "The dashboard's four numbers, by what the asker sees",
  },
  overview: {
    method: "GET",
    path: "/api/stats/overview",
    access: "user",
    summary:
      "How many SOPs have which status, and how many versions came into force week by week, by what the asker sees",
  },
  needs: {
    method: "GET",
    path: "/api/stats/needs",
    access: "user",
    summary: "What needs the asker: sent back to him, to read, to review",
  },
});
