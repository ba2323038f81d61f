import { routeGroup } from "../contract/route.ts";

const one = "/api/sops/:id/acknowledgements";

export const acknowledgementRoutes = routeGroup({
  mine: {
    method: "GET",
    path: "/api/acknowledgements",
    access: "user",
  },
  overview: {
    method: "GET",
    path: "/api/acknowledgements/overview",
    access: "user",
  },
  exportOverview: {
    method: "GET",
    path: "/api/acknowledgements/overview/export",
    access: "user",
    kind: "file",
    produces: ["text/csv"],
  },
  remind: {
    method: "POST",
    path: "/api/acknowledgements/remind",
    access: "user",
    touches: ["acknowledgements"],
  },
  get: {
    method: "GET",
    path: one,
    access: "user",
  },
  ask: {
    method: "PUT",
    path: one,
    access: "user",
    touches: ["acknowledgements"],
  },
  confirm: {
    method: "POST",
    path: one,
    access: "user",
    touches: ["acknowledgements"],
  },
  export: {
    method: "GET",
    path: `${one}/export`,
    access: "user",
    kind: "file",
    produces: ["text/csv"],
  },
});
