/** Categories (`docs/spec/entities.md`), with a count of the SOPs that the user can see. */
import { z } from "zod";
import { ApprovalRule, ApprovalRuleAsk, reviewMonths } from "../companies/rule-schemas.ts";
import { ServerOwned, sentenceError } from "../contract/parts.ts";
import { limits } from "../limits.ts";
import { displayNameSchema } from "../contract/shown-name.ts";
import { sentences } from "../language/catalog.ts";

const refusals = sentences("core.categories.schema", {
  name: "Name is required",
  longName: "A category's name can have at most {most} characters",
});

export const categoryColors = ["primary", "secondary", "accent", "warning"] as const;

export const Category = z
  .object({
    id: z.string(),
    companyId: z.string(),
    name: z.string(),
    slug: z.string(),
    color: z.enum(categoryColors),
    /** The number of SOPs in this category and in the categories inside it. */
    count: z.int(),
    /** The id of the category that contains this one; null for a top-level category. There are two levels. */
    parentId: z.string().nullable(),
    teamId: z.string().nullable(),
    /**
     * True if SOPs of this category need approval before publication, even if the company allows direct publication.
     */
    requiresApproval: z.boolean(),
    /** The rule for approvals; null if the company's rule applies. */
    approvalRule: ApprovalRule.nullable(),
    /** Months until the periodic review; null if the company's months apply. */
    reviewMonths: z.int().nullable(),
  })
  .meta({ id: "Category" });
export type Category = z.output<typeof Category>;

export const CategoryName = displayNameSchema(refusals.name).max(
  limits.categoryCharacters,
  sentenceError(() => refusals.longName({ most: limits.categoryCharacters })),
);

const serverOwned = {
  id: ServerOwned.text,
  companyId: ServerOwned.text,
  slug: ServerOwned.text,
  count: ServerOwned.number,
};

/** The category's own rules; null means that the company's rules apply. */
const decisions = {
  requiresApproval: z.boolean().optional(),
  approvalRule: ApprovalRuleAsk.nullish(),
  reviewMonths: reviewMonths.nullish(),
};

export const CategoryCreate = z
  .strictObject({
    ...serverOwned,
    name: CategoryName,
    color: z.enum(categoryColors).default("primary"),
    parentId: z.string().nullish(),
    teamId: z.string().nullish(),
    ...decisions,
  })
  .meta({ id: "CategoryCreate" });

export const CategoryUpdate = z
  .strictObject({
    ...serverOwned,
    name: CategoryName.optional(),
    color: z.enum(categoryColors).optional(),
    parentId: z.string().nullish(),
    teamId: z.string().nullish(),
    ...decisions,
  })
  .meta({ id: "CategoryUpdate" });
