import { sentences } from "./language/catalog.ts";

/**
 * Refusals of requests that succeed later. Their answer has `retryAfterSeconds`, and the screen says when to try again.
 */
export const waitRefusals = sentences("core.wait-refusals", {
  busy: "The server is busy",
  names: "Too many names were taken",
  renames: "You changed your name {times, number} times today",
  requests: "Too many requests",
  ownWork: "Too much of your work is waiting",
  companyWork: "Too much work of your company is waiting",
  emails: "Your company sent too many emails today",
  search: "Search is getting ready",
});
