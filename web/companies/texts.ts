import { companySizeLabels, companySizes, subscriptions } from "#core/companies/rules.ts";
import { planLabel } from "./plan-label.ts";

export const texts = {
  heading: "Companies",
  subtitle: "Manage all companies across the system",
  denied: "You don't have permission to access this page.",
  newCompany: "New Company",
  filters: "Filters",
  status: "Status",
  clear: "Clear filters",
  table: "Companies",
  loading: "Loading companies…",
  failed: "Failed to fetch companies",
  empty: "No companies found",
  emptyFiltered: "No matches. Try other filters.",
  company: "Company",
  industry: "Industry",
  size: "Size",
  industryAndSize: "Industry, Size",
  subscription: "Subscription",
  users: "Users",
  sops: "SOPs",
  created: "Created",
  actions: "Actions",
  none: "—",

  viewUsers: "View Users",
  edit: "Edit Company",
  remove: "Delete Company",
  removeText: "No one from this company can sign in. Its SOPs, users and history are kept.",
  suspend: "Suspend Company",
  suspendAsk: (name: string) => `Suspend ${name}?`,
  suspendEffect: "Its users can't sign in until you activate it again.",
  ownCompany: "This is your own company.",
  createdToast: "Company created",
  updatedToast: "Company updated",
  removedToast: "Company deleted",
  error: "Error",
  createFailed: "Failed to create company. Please try again.",
  updateFailed: "Failed to update company",
  removeFailed: "Failed to delete company",

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

  usersHeading: "Users Management",
  notFound: "Company Not Found",
  notFoundText: "The requested company could not be found.",
  companyFailed: "Failed to fetch the company",
  suspendedAlert: "This company is suspended. Its users can't sign in.",
  deletedAlert: "This company is deleted. Its users can't sign in.",
} as const;

export const statusFilters = [
  { value: "all", label: "All Status" },
  { value: "active", label: "Active" },
  { value: "suspended", label: "Suspended" },
  { value: "deleted", label: "Deleted" },
] as const;

export const statusOptions = statusFilters.filter(({ value }) => value !== "all");

export const sizeOptions = [
  { value: "", label: texts.noSize },
  ...companySizes.map((value) => ({ value, label: companySizeLabels[value] })),
];

export const subscriptionOptions = subscriptions.map((value) => ({ value, label: planLabel(value) }));
