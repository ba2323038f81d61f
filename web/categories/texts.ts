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
  search: "Search SOPs in this category...",
  results: "SOPs in this category",
  empty: "No SOPs in this category",
  createFirst: "Create First SOP",
  failed: "Failed to load the category",
  notFound: "Category Not Found",
  notFoundText: "The requested category could not be found.",
  browse: "All SOPs",
  dashboard: "Dashboard",
} as const;

export const dialogTexts = {
  createTitle: "New Category",
  editTitle: "Edit Category",
  description: "What you set here applies to its SOPs, in place of your company's rules.",
  name: "Category name",
  color: "Colour",
  colors: { primary: "Blue", secondary: "Green", accent: "Purple", warning: "Amber" } satisfies Record<
    Category["color"],
    string
  >,
  team: "Team",
  teamHint: "New SOPs of this category belong to it.",
  noTeam: "No team",
  approval: "Approval required",
  approvalHint: "Nothing in this category comes into force before its approvers have approved it.",
  approvalStrict: "Your company asks for approval everywhere; this one would keep asking if that changed.",
  companyRule: "As in your company's rules",
  review: "Months until the next review",
  reviewHint: "Counted from publication. Leave it empty for your company's interval.",
  create: "Create Category",
  update: "Update Category",
  created: "Category created",
  updated: "Category updated",
  failed: "The category could not be saved. Please try again.",
} as const;
