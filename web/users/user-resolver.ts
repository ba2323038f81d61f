/** Loaded when a user is first checked: zod and the rules. */
import { zodResolver } from "@hookform/resolvers/zod";
import { UserForm } from "#core/users/schema.ts";

export const userResolver = zodResolver(UserForm);
