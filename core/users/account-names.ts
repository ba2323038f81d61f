/** The username for signing in, and the email address. */
import { z } from "zod";
import { requiredCleanTextSchema, sentenceError } from "../contract/parts.ts";
import { sentences } from "../language/catalog.ts";

export const accountRefusals = sentences("core.users.account-names", {
  shortUsername: "Username must be at least 3 characters",
  username: "Username can contain letters, digits, dots, hyphens and underscores",
  email: "Invalid email address",
});

export const username = requiredCleanTextSchema(accountRefusals.shortUsername, 3)
  .toLowerCase()
  .max(60)
  .regex(/^[a-z0-9._-]+$/, sentenceError(accountRefusals.username));

/** The address is stored in lower case, so that a password reset finds it. */
export const email = z.email(sentenceError(accountRefusals.email)).max(254).toLowerCase();
