import { companyDefaults, companySizes } from "#core/companies/rules.ts";
import type { Company } from "#core/companies/schema.ts";
import type { CompanyValues } from "./company-form.ts";

/** What the dialog starts with: a company's own values, or the defaults. */
export function valuesOf(company: Company | null): CompanyValues {
  return {
    name: company?.name ?? "",
    slug: company?.slug ?? "",
    description: company?.description ?? "",
    website: company?.website ?? "",
    industry: company?.industry ?? "",
    size: companySizes.find((size) => size === company?.size) ?? "",
    subscription: (company?.subscription ?? companyDefaults.subscription) as CompanyValues["subscription"],
    status: company?.status ?? companyDefaults.status,
    maxUsers: company?.maxUsers ?? companyDefaults.maxUsers,
    maxSOPs: company?.maxSOPs ?? companyDefaults.maxSOPs,
    maxBytes: company?.maxBytes,
  };
}
