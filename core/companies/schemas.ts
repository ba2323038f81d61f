import { Done, IdParams, pageSchemaOf } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { Company, OwnCompany, CompanyCreate, CompanyQuery, CompanyUpdate, OwnCompanyUpdate } from "./schema.ts";

export const companySchemas = schemaGroup({
  list: {
    summary: "List companies by name, also suspended and deleted ones, with their usage",
    query: CompanyQuery,
    output: pageSchemaOf(Company),
  },
  get: { summary: "Get a company", params: IdParams, output: Company },
  create: {
    summary: "Create a company with its categories and repository, without users",
    body: CompanyCreate,
    output: Company,
  },
  update: {
    summary: "Update a company, its plan, quotas or status; suspending ends all access now and keeps the data",
    params: IdParams,
    body: CompanyUpdate,
    output: Company,
  },
  remove: {
    summary: "Delete a company: all access ends now, the data stays",
    params: IdParams,
    output: Done,
  },
});

export const ownCompanySchemas = schemaGroup({
  get: { summary: "Get your company with its settings, quotas and plan, as an administrator", output: OwnCompany },
  update: {
    summary: "Update your company's record and settings, except quotas and plan",
    body: OwnCompanyUpdate,
    output: OwnCompany,
  },
});
