import type { ApprovalRule } from "#core/companies/settings.ts";
import type { Category } from "./category-values.ts";

export const texts = {
  newSop: "New SOP in Category",
  edit: "Edit Category",
  team: (name: string) => `Team ${name}`,
  approval: "Approval required",
  rules: {
    all: () => "All approvers must approve",
    any: () => "One approval is enough",
    n_of_m: (count: number) => (count === 1 ? "One approval is enough" : `${count} approvals needed`),
  } satisfies Record<ApprovalRule["kind"], (count: number) => string>,
  review: (months: number) => (months === 1 ? "Review every month" : `Review every ${months} months`),
  totalSops: "Total SOPs",
  published: "Published",
  draft: "Draft",
  underReview: "Under Review",
  search: "Search SOPs in this category…",
  results: "SOPs in this category",
  empty: "No SOPs in this category",
  emptyReader: "SOPs appear here once they are published.",
  createFirst: "Create First SOP",
  failed: "Failed to load the category",
  notFound: "Category Not Found",
  notFoundText: "The requested category could not be found.",
  browse: "All SOPs",
} as const;

export const dialogTexts = {
  createTitle: "New Category",
  editTitle: "Edit Category",
  rules: "Team and rules",
  description: "For SOPs in this category, instead of your company's rules.",
  name: "Category name",
  color: "Color",
  colors: { primary: "Blue", secondary: "Green", accent: "Purple", warning: "Amber" } satisfies Record<
    Category["color"],
    string
  >,
  parent: "Inside category",
  noParent: "None",
  team: "Team",
  teamHint: "New SOPs in this category belong to it.",
  noTeam: "No team",
  approval: "Approval required",
  approvalHint: "SOPs in this category are published only after approval.",
  approvalStrict: "Your whole company already requires approval.",
  companyRule: "As in your company's rules",
  review: "Months until the next review",
  reviewHint: "Leave empty for your company's interval.",
  create: "Create Category",
  update: "Update Category",
  created: "Category created",
  updated: "Category updated",
  failed: "Couldn't save the category. Try again.",
} as const;
