import { routeGroup } from "../contract/route.ts";

const path = "/api/sops/:id/favorite";

export const markRoutes = routeGroup({
  favorite: {
    method: "PUT",
    path,
    access: "user",
    touches: ["sops"],
    summary: "Star an SOP, for the asker alone",
  },
  unfavorite: {
    method: "DELETE",
    path,
    access: "user",
    touches: ["sops"],
    summary: "Take the asker's star off an SOP",
  },
});
