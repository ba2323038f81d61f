import { routeGroup } from "../contract/route.ts";

export const searchRoutes = routeGroup({
  find: {
    method: "GET",
    path: "/api/search",
    access: "user",
    summary: "SOPs the asker may see, best first, with the step that answers; `showingFor` when a slip was corrected",
  },
});
