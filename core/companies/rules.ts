/** Values of a company's record (`docs/spec/entities.md`). Screens with lists load this file, so it has no zod. */
import { catalog } from "../language/catalog.ts";

export const companySizes = ["small", "medium", "large", "enterprise"] as const;
export type CompanySize = (typeof companySizes)[number];

/** Labels of company sizes, by the number of people. */
export const companySizeLabels = catalog("core.companies.sizes", {
  small: "Small (1-50)",
  medium: "Medium (51-200)",
  large: "Large (201-1000)",
  enterprise: "Enterprise (1000+)",
}) satisfies Record<CompanySize, string>;

export const subscriptions = ["free", "starter", "professional", "enterprise"] as const;

export const companyStatuses = ["active", "suspended", "deleted"] as const;

export const companyDefaults = { maxUsers: 10, maxSOPs: 100, subscription: "free", status: "active" } as const;

/** A slug has only characters that a Git address can hold. */
export const slugPattern = /^[a-z0-9-]+$/;
