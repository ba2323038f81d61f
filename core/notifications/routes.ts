import { routeGroup } from "../contract/route.ts";

export const notificationRoutes = routeGroup({
  list: {
    method: "GET",
    path: "/api/notifications",
    access: "user",
    summary: "What the asker was told, newest first; what he may no longer see is told without its name",
  },
  count: {
    method: "GET",
    path: "/api/notifications/count",
    access: "user",
    summary: "How many of them are unread",
  },
  read: {
    method: "POST",
    path: "/api/notifications/:id/read",
    access: "user",
    touches: ["notifications"],
    summary: "Mark one as read",
  },
  readAll: {
    method: "POST",
    path: "/api/notifications/read-all",
    access: "user",
    touches: ["notifications"],
    summary: "Mark all as read",
  },
});
