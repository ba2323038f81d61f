/** Loaded when a change of password is first checked (seed §5). */
import { zodResolver } from "@hookform/resolvers/zod";
import { z } from "zod";
import { newPassword } from "#core/accounts/schema.ts";

const PasswordForm = z
  .object({
    currentPassword: z.string().min(1, "Enter your current password"),
    newPassword,
    confirmation: z.string(),
  })
  .refine((form) => form.newPassword === form.confirmation, {
    message: "Passwords do not match",
    path: ["confirmation"],
  });

export type PasswordValues = z.input<typeof PasswordForm>;

export const passwordResolver = zodResolver(PasswordForm);
