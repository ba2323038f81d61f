/** What a person signs in with, and the address that mails go to. */
import { z } from "zod";
import { requiredText } from "../contract/parts.ts";

export const username = requiredText("Username must be at least 3 characters", 3)
  .toLowerCase()
  .max(60)
  .regex(/^[a-z0-9._-]+$/, "Username can contain letters, digits, dots, hyphens and underscores");

/** Stored in lower case, so that a reset finds it. */
export const email = z.email("Invalid email address").max(254).toLowerCase();
