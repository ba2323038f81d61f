import { zodResolver } from "@hookform/resolvers/zod";
import { z } from "zod";
import { UserForm } from "#core/users/schema.ts";
import { formErrors } from "../form-errors.ts";

/** The fields of the dialog. System administrators can also set the company; empty means their own. */
const UserDialogForm = UserForm.extend({ companyId: z.string().optional() });
export type UserValues = z.output<typeof UserDialogForm>;

export const userResolver = zodResolver(UserDialogForm, formErrors);
