import { routeGroup } from "../contract/route.ts";

export const assetRoutes = routeGroup({
  upload: {
    method: "POST",
    path: "/api/assets",
    // readers upload too, because every user has a profile picture
    access: "user",
    body: "raw-asset",
    success: 201,
  },
  get: {
    method: "GET",
    path: "/api/assets/:sha256",
    access: "user",
    kind: "file",
    produces: ["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"],
  },
});
