/** Loaded when a registration is first checked: zod and the rules. */
import { zodResolver } from "@hookform/resolvers/zod";
import type { z } from "zod";
import { RegisterForm } from "#core/accounts/schema.ts";

export type RegisterValues = z.input<typeof RegisterForm>;

export const registerResolver = zodResolver(RegisterForm);
