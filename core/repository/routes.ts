import { routeGroup } from "../contract/route.ts";

export const repositoryRoutes = routeGroup({
  get: {
    method: "GET",
    path: "/api/repository",
    access: "repository.read",
    summary: "Where the company's repository stands: heads and what is still to be committed",
  },
});
