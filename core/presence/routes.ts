import { routeGroup } from "../contract/route.ts";

const presence = "/api/sops/:id/presence";

export const presenceRoutes = routeGroup({
  list: {
    method: "GET",
    path: presence,
    access: "user",
    summary: "Who is editing this SOP right now, for who sees its draft; in which other tabs the asker does",
  },
  announce: {
    method: "PUT",
    path: presence,
    access: "user",
    scope: "session",
    touches: ["presence"],
    summary: "A browser's tab has the edit screen open, has it behind something else, or closed it; again every 20 s",
  },
});
