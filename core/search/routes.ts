import { routeGroup } from "../contract/route.ts";

export const searchRoutes = routeGroup({
  find: {
    method: "GET",
    path: "/api/search",
    access: "user",
  },
  ask: {
    method: "POST",
    path: "/api/search/ask",
    access: "user",
    touches: ["stats"],
  },
});
