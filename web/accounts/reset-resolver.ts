/** Loaded when a new password is first checked (seed §5). */
import { zodResolver } from "@hookform/resolvers/zod";
import { z } from "zod";
import { newPassword } from "#core/accounts/schema.ts";

const ResetForm = z
  .object({ password: newPassword, confirmation: z.string() })
  .refine((form) => form.password === form.confirmation, { message: "Passwords do not match", path: ["confirmation"] });

export type ResetValues = z.input<typeof ResetForm>;

export const resetResolver = zodResolver(ResetForm);
