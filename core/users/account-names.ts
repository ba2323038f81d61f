/** The username for signing in, and the email address. */
import { z } from "zod";
import { requiredText } from "../contract/parts.ts";

export const username = requiredText("Username must be at least 3 characters", 3)
  .toLowerCase()
  .max(60)
  .regex(/^[a-z0-9._-]+$/, "Username can contain letters, digits, dots, hyphens and underscores");

/** The address is stored in lower case, so that a password reset finds it. */
export const email = z.email("Invalid email address").max(254).toLowerCase();
