import { routeGroup } from "../contract/route.ts";

const one = "/api/proposals/:id";

export const proposalRoutes = routeGroup({
  list: { method: "GET", path: "/api/proposals", access: "user" },
  get: { method: "GET", path: one, access: "user" },
  accept: {
    method: "POST",
    path: `${one}/accept`,
    access: "user",
    touches: ["proposals", "sops", "categories", "stats"],
  },
  merge: {
    method: "POST",
    path: `${one}/merge`,
    access: "user",
    touches: ["proposals", "sops", "categories", "stats"],
  },
  dismiss: {
    method: "POST",
    path: `${one}/dismiss`,
    access: "user",
    touches: ["proposals", "stats"],
  },
});
