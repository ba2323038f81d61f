import { routeGroup } from "../contract/route.ts";

export const assetRoutes = routeGroup({
  upload: {
    method: "POST",
    path: "/api/assets",
    // also who only reads has a picture of himself
    access: "user",
    body: "raw-asset",
    success: 201,
    summary: "Store an image or PDF (raw bytes, its own Content-Type, ≤ 5 MB); the same bytes are stored once",
  },
  get: {
    method: "GET",
    path: "/api/assets/:sha256",
    access: "user",
    kind: "file",
    produces: ["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"],
    summary: "An asset that a version I may see links, or that I uploaded",
  },
});
