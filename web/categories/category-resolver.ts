/** Loaded when a category is first checked: zod and the rules. */
import { zodResolver } from "@hookform/resolvers/zod";
import { z } from "zod";
import { CategoryCreate } from "#core/categories/schema.ts";
import { bodyOf, type CategoryValues } from "./category-values.ts";

/** What is sent is what is checked; the form keeps its own values. */
const CategoryForm = z.custom<CategoryValues>().transform((values, context) => {
  const checked = CategoryCreate.safeParse(bodyOf(values));
  for (const { path, message } of checked.error?.issues ?? []) context.addIssue({ code: "custom", path, message });
  return values;
});

export const categoryResolver = zodResolver(CategoryForm);
