import { catalog } from "#core/language/catalog.ts";
import { companySizeLabels, companySizes, subscriptions } from "#core/companies/rules.ts";
import { planLabel } from "./plan-label.ts";
import { statusFilters } from "./texts.ts";
import { selectOptionsOf } from "../ui/options.ts";

export const formTexts = catalog("companies.form", {
  createTitle: "Create New Company",
  editTitle: "Edit Company",
  create: "Create Company",
  update: "Update Company",
  name: "Company Name",
  slug: "Slug",
  slugHint: "Used in web addresses. Lowercase letters, digits and hyphens.",
  description: "Description",
  website: "Website",
  websitePlaceholder: "https://example.com",
  noSize: "Not specified",
  maxUsers: "Max Users",
  maxSOPs: "Max SOPs",
  maxBytes: "Max Storage (MB)",
  maxBytesHint: "Images and PDFs. Leave empty for the default.",
  suspendText: "If suspended or deleted, no one can sign in.",
  ownStatus: "You can't suspend your own company.",
  industry: "Industry",
  size: "Size",
  subscription: "Subscription",
  status: "Status",

  createdToast: "Company created",
  updatedToast: "Company updated",
  error: "Error",
  createFailed: "Failed to create company. Please try again.",
  updateFailed: "Failed to update company",
  inUse: "{taken, number} in use",
  mbInUse: "{used} MB in use",
  default: "Default {amount}",
});

export const statusOptions = () => selectOptionsOf(statusFilters).filter(({ value }) => value !== "all");

export const sizeOptions = () => [
  { value: "", label: formTexts.noSize },
  ...companySizes.map((value) => ({ value, label: companySizeLabels[value] })),
];

export const subscriptionOptions = () => subscriptions.map((value) => ({ value, label: planLabel(value) }));
