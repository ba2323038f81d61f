import { routeGroup } from "../contract/route.ts";

export const userRoutes = routeGroup({
  list: {
    method: "GET",
    path: "/api/users",
    access: "user.list",
    summary: "Active people of the company: id and name",
  },
});
