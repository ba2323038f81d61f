import { routeGroup } from "../contract/route.ts";

export const categoryRoutes = routeGroup({
  list: {
    method: "GET",
    path: "/api/categories",
    access: "user",
    summary: "Categories with counts by what the asker sees",
  },
  create: {
    method: "POST",
    path: "/api/categories",
    access: "category.write",
    success: 201,
    touches: ["categories"],
    summary: "Create a category; its slug is fixed for life",
  },
  update: {
    method: "PUT",
    path: "/api/categories/:id",
    access: "category.write",
    touches: ["categories", "sops"],
    summary: "Rename or recolour a category",
  },
});
