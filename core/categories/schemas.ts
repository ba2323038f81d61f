import { z } from "zod";
import { IdParams } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { Category, CategoryCreate, CategoryUpdate } from "./schema.ts";

export const categorySchemas = schemaGroup({
  list: { summary: "Categories with counts by what the asker sees", output: z.array(Category) },
  create: { summary: "Create a category; its slug is fixed for life", body: CategoryCreate, output: Category },
  update: { summary: "Rename or recolour a category", params: IdParams, body: CategoryUpdate, output: Category },
});
