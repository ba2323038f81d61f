import { z } from "zod";
import { IdParams } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { Sop } from "../sops/schema.ts";
import { Review, ReviewAsk } from "./schema.ts";

export const reviewSchemas = schemaGroup({
  review: { params: IdParams, body: ReviewAsk, output: Sop },
  reviews: { params: IdParams, output: z.array(Review) },
});
