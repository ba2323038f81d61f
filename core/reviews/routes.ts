/** Rows of the group `sops`. */
import { routeGroup } from "../contract/route.ts";

const one = "/api/sops/:id";

export const reviewRoutes = routeGroup({
  review: {
    method: "POST",
    path: `${one}/review`,
    access: "user",
    touches: ["sops", "categories", "stats"],
    summary: "The verdict of a periodic review: keep until the next date, revise, or archive",
  },
  reviews: {
    method: "GET",
    path: `${one}/reviews`,
    access: "user",
    summary: "Verdicts of its periodic reviews, newest first",
  },
});
