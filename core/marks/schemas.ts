import { z } from "zod";
import { IdParams } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";

const Favorite = z.object({ favorite: z.boolean() });

export const markSchemas = schemaGroup({
  favorite: { params: IdParams, output: Favorite },
  unfavorite: { params: IdParams, output: Favorite },
});
