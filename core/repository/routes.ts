import { routeGroup } from "../contract/route.ts";

export const repositoryRoutes = routeGroup({
  get: {
    method: "GET",
    path: "/api/repository",
    access: "repository.read",
  },
});
