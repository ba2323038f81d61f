/** Rows that belong to the group `sops`. */
import { routeGroup } from "../contract/route.ts";

const one = "/api/sops/:id";

export const reviewRoutes = routeGroup({
  review: {
    method: "POST",
    path: `${one}/review`,
    access: "user",
    touches: ["sops", "categories", "stats"],
  },
  reviews: {
    method: "GET",
    path: `${one}/reviews`,
    access: "user",
  },
});
