/** Loaded when a set-up is first checked: the API's rules plus the confirmation (seed §5). */
import { zodResolver } from "@hookform/resolvers/zod";
import { z } from "zod";
import { Setup } from "#core/accounts/schema.ts";

const SetupForm = Setup.extend({ confirmation: z.string() }).refine((form) => form.password === form.confirmation, {
  message: "Passwords do not match",
  path: ["confirmation"],
});

export type SetupValues = z.input<typeof SetupForm>;

export const setupResolver = zodResolver(SetupForm);
