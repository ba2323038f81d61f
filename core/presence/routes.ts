import { routeGroup } from "../contract/route.ts";

const presence = "/api/sops/:id/presence";

export const presenceRoutes = routeGroup({
  list: {
    method: "GET",
    path: presence,
    access: "user",
  },
  announce: {
    method: "PUT",
    path: presence,
    access: "user",
    scope: "session",
    touches: ["presence"],
  },
});
