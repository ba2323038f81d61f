import { routeGroup } from "../contract/route.ts";

export const statsRoutes = routeGroup({
  get: {
    method: "GET",
    path: "/api/stats",
    access: "user",
    summary: "The dashboard's four numbers, by what the asker sees",
  },
});
