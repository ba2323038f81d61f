import { sentences } from "../language/catalog.ts";

export const signInRefusals = sentences("core.sign-in.refusals", {
  /** For tries of a password and the like. */
  attempts: "Too many attempts, try again later",
});
