import type { Category } from "./category-values.ts";

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
