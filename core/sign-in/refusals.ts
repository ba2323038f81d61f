import { sentences } from "../language/catalog.ts";

export const signInRefusals = sentences("core.sign-in.refusals", {
  /** For attempts to enter a password or another secret. */
  attempts: "Too many attempts, try again later",
});
