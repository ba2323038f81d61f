import { zodResolver } from "@hookform/resolvers/zod";
import { z } from "zod";
import { UserForm } from "#core/users/schema.ts";

/** What the dialog asks, and of system admins also the company (empty: the own one). */
const UserDialogForm = UserForm.extend({ companyId: z.string().optional() });
export type UserValues = z.output<typeof UserDialogForm>;

export const userResolver = zodResolver(UserDialogForm);
