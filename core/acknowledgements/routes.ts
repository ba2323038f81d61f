import { routeGroup } from "../contract/route.ts";

const one = "/api/sops/:id/acknowledgements";

export const acknowledgementRoutes = routeGroup({
  mine: {
    method: "GET",
    path: "/api/acknowledgements",
    access: "user",
    summary: "What the asker still has to confirm as read, overdue ones first",
  },
  get: {
    method: "GET",
    path: one,
    access: "user",
    summary: "What the asker owes or has confirmed; for those who ask, everybody",
  },
  ask: {
    method: "PUT",
    path: one,
    access: "user",
    touches: ["acknowledgements"],
    summary: "Ask readers to confirm that they have read the version in force, or end that",
  },
  confirm: {
    method: "POST",
    path: one,
    access: "user",
    touches: ["acknowledgements"],
    summary: "I have read this version",
  },
  export: {
    method: "GET",
    path: `${one}/export`,
    access: "user",
    kind: "file",
    produces: ["text/csv"],
    summary: "Who has confirmed which version, and who still has to, as CSV",
  },
});
