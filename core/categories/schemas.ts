import { z } from "zod";
import { IdParams } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { Category, CategoryCreate, CategoryUpdate } from "./schema.ts";

export const categorySchemas = schemaGroup({
  list: { output: z.array(Category) },
  create: { body: CategoryCreate, output: Category },
  update: { params: IdParams, body: CategoryUpdate, output: Category },
});
