import { z } from "zod";
import { IdParams } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";

const Favorite = z.object({ favorite: z.boolean() });

export const markSchemas = schemaGroup({
  favorite: { summary: "Star an SOP, for the asker alone", params: IdParams, output: Favorite },
  unfavorite: { summary: "Take the asker's star off an SOP", params: IdParams, output: Favorite },
});
