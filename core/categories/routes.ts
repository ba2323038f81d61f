import { routeGroup } from "../contract/route.ts";

export const categoryRoutes = routeGroup({
  list: {
    method: "GET",
    path: "/api/categories",
    access: "user",
  },
  create: {
    method: "POST",
    path: "/api/categories",
    access: "category.write",
    success: 201,
    touches: ["categories"],
  },
  update: {
    method: "PUT",
    path: "/api/categories/:id",
    access: "category.write",
    touches: ["categories", "sops"],
  },
});
