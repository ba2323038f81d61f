import { routeGroup } from "../contract/route.ts";

export const settingsRoutes = routeGroup({
  get: {
    method: "GET",
    path: "/api/user/settings",
    access: "user",
  },
  update: {
    method: "PUT",
    path: "/api/user/settings",
    access: "user",
    scope: "session",
    touches: ["settings"],
  },
  testApiKey: {
    method: "POST",
    path: "/api/user/settings/test-api-key",
    whileFull: "reserve",
    access: "user",
    scope: "session",
  },
});
