import { routeGroup } from "../contract/route.ts";

export const settingsRoutes = routeGroup({
  get: {
    method: "GET",
    path: "/api/user/settings",
    access: "user",
    summary: "The asker's settings; an AI key is shown masked",
  },
  update: {
    method: "PUT",
    path: "/api/user/settings",
    access: "user",
    scope: "session",
    touches: ["settings"],
    summary: "Change them: an empty AI key removes the stored one, a masked one leaves it",
  },
  testApiKey: {
    method: "POST",
    path: "/api/user/settings/test-api-key",
    access: "user",
    scope: "session",
    summary: "Ask the AI provider whether it knows this key",
  },
});
