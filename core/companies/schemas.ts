import { Done, IdParams, page } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { Company, CompanyCreate, CompanyQuery, CompanyUpdate, OwnCompanyUpdate } from "./schema.ts";

export const companySchemas = schemaGroup({
  list: {
    summary: "Companies by name, suspended and deleted ones too, with the places taken",
    query: CompanyQuery,
    output: page(Company),
  },
  get: { summary: "One company", params: IdParams, output: Company },
  create: {
    summary: "Found a company with its categories and repository; it has no users yet",
    body: CompanyCreate,
    output: Company,
  },
  update: {
    summary: "Change a company, its plan, quotas or status; suspending ends all access at once and keeps the data",
    params: IdParams,
    body: CompanyUpdate,
    output: Company,
  },
  remove: {
    summary: "Set a company to deleted: all access ends at once, the data stays",
    params: IdParams,
    output: Done,
  },
});

export const ownCompanySchemas = schemaGroup({
  get: { summary: "The own company with its settings, quotas and plan: for its administrators", output: Company },
  update: {
    summary: "Change the own company's record and settings; quotas and plan are not changed here",
    body: OwnCompanyUpdate,
    output: Company,
  },
});
