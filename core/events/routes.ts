import { routeGroup } from "../contract/route.ts";

export const eventRoutes = routeGroup({
  stream: {
    method: "GET",
    path: "/api/events",
    access: "user",
    kind: "stream",
    summary: "Server-sent events: which resources changed, ids only, this company only",
  },
});
