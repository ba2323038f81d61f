import { z } from "zod";
import { IdParams } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { Category, CategoryCreate, CategoryUpdate } from "./schema.ts";

export const categorySchemas = schemaGroup({
  list: { summary: "List categories with counts of the SOPs that you can see", output: z.array(Category) },
  create: { summary: "Create a category; its slug is fixed for life", body: CategoryCreate, output: Category },
  update: { summary: "Update a category", params: IdParams, body: CategoryUpdate, output: Category },
});
