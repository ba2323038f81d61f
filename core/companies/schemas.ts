import { Done, IdParams, page } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { Company, CompanyCreate, CompanyQuery, CompanyUpdate, OwnCompanyUpdate } from "./schema.ts";

export const companySchemas = schemaGroup({
  list: { query: CompanyQuery, output: page(Company) },
  get: { params: IdParams, output: Company },
  create: { body: CompanyCreate, output: Company },
  update: { params: IdParams, body: CompanyUpdate, output: Company },
  remove: { params: IdParams, output: Done },
});

export const ownCompanySchemas = schemaGroup({
  get: { output: Company },
  update: { body: OwnCompanyUpdate, output: Company },
});
