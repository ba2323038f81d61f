import { routeGroup } from "../contract/route.ts";

export const eventRoutes = routeGroup({
  stream: {
    method: "GET",
    path: "/api/events",
    access: "user",
    kind: "stream",
  },
});
