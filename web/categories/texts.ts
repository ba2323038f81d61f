import type { ApprovalRule } from "#core/companies/settings.ts";

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
