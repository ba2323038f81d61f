import { z } from "zod";
import { IdParams } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";

const Favorite = z.object({ favorite: z.boolean() });

export const favoriteSchemas = schemaGroup({
  favorite: { summary: "Add an SOP to your favorites", params: IdParams, output: Favorite },
  unfavorite: { summary: "Remove an SOP from your favorites", params: IdParams, output: Favorite },
});
