import { zodResolver } from "@hookform/resolvers/zod";
import type { z } from "zod";
import { CompanyForm } from "#core/companies/schema.ts";
import { formErrors } from "../form-errors.ts";

export type CompanyValues = z.input<typeof CompanyForm>;

export const companyResolver = zodResolver(CompanyForm, formErrors);
