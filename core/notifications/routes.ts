import { routeGroup } from "../contract/route.ts";

export const notificationRoutes = routeGroup({
  list: {
    method: "GET",
    path: "/api/notifications",
    access: "user",
  },
  count: {
    method: "GET",
    path: "/api/notifications/count",
    access: "user",
  },
  read: {
    method: "POST",
    path: "/api/notifications/:id/read",
    access: "user",
    touches: ["notifications"],
  },
  readAll: {
    method: "POST",
    path: "/api/notifications/read-all",
    access: "user",
    touches: ["notifications"],
  },
});
