import { routeGroup } from "../contract/route.ts";

export const statsRoutes = routeGroup({
  get: {
    method: "GET",
    path: "/api/stats",
    access: "user",
  },
  overview: {
    method: "GET",
    path: "/api/stats/overview",
    access: "user",
  },
  needs: {
    method: "GET",
    path: "/api/stats/needs",
    access: "user",
  },
});
