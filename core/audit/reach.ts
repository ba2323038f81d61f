import type { Actor } from "../permissions/actor.ts";
import { can } from "../permissions/can.ts";

/**
 * Returns the part of the company's audit log that a user can read: `teams` means the entries about SOPs of the user's
 * teams.
 */
export function auditReadScope(actor: Actor): "all" | "teams" | "none" {
  if (can(actor, "audit.read")) return "all";
  return actor.role === "manager" && !actor.deny.includes("audit.read") ? "teams" : "none";
}
