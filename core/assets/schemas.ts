import { z } from "zod";
import { schemaGroup } from "../contract/schema.ts";

const AssetStored = z
  .object({ sha256: z.string(), url: z.string(), type: z.string(), size: z.int() })
  .meta({ id: "AssetStored" });

export const assetSchemas = schemaGroup({
  upload: {
    summary: "Store an image or PDF (raw bytes, its own Content-Type, ≤ 5 MB); the same bytes are stored once",
    output: AssetStored,
  },
  get: {
    summary: "Get an asset that you uploaded or that a visible version links",
    params: z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}(\.[a-z]{3,4})?$/) }),
    output: null,
  },
});
