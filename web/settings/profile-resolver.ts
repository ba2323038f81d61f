/** Loaded when a profile is first checked: the API's own rules. */
import { zodResolver } from "@hookform/resolvers/zod";
import { z } from "zod";
import { ProfileChange } from "#core/accounts/schema.ts";

/** A form has every field, and empty ones are empty texts. */
const ProfileForm = ProfileChange.pick({
  name: true,
  initials: true,
  email: true,
  department: true,
  title: true,
  phone: true,
}).extend({ currentPassword: z.string() });

export const profileResolver = zodResolver(ProfileForm, undefined, { raw: true });
