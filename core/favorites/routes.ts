import { routeGroup } from "../contract/route.ts";

const path = "/api/sops/:id/favorite";

export const favoriteRoutes = routeGroup({
  favorite: {
    method: "PUT",
    path,
    access: "user",
    touches: ["sops"],
  },
  unfavorite: {
    method: "DELETE",
    path,
    access: "user",
    touches: ["sops"],
  },
});
