import { zodResolver } from "@hookform/resolvers/zod";
import { z } from "zod";
import { OwnCompanyForm, SettingsUpdate } from "#core/companies/schema.ts";
import { formErrors } from "../../form-errors.ts";

const Profile = OwnCompanyForm.omit({ settings: true });
export type CompanyProfileValues = z.input<typeof Profile>;
export const profileResolver = zodResolver(Profile, formErrors);

const Rules = z.object({ settings: SettingsUpdate });
export type RulesValues = z.input<typeof Rules>;
export const rulesResolver = zodResolver(Rules, formErrors);
