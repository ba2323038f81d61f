import { z } from "zod";
import { IdParams } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { Sop } from "../sops/schema.ts";
import { Review, ReviewAsk } from "./schema.ts";

export const reviewSchemas = schemaGroup({
  review: {
    summary: "Record the outcome of a periodic review: keep, revise or archive",
    params: IdParams,
    body: ReviewAsk,
    output: Sop,
  },
  reviews: {
    summary: "List the outcomes of periodic reviews, newest first",
    params: IdParams,
    output: z.array(Review),
  },
});
