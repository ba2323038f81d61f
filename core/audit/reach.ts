import type { Actor } from "../permissions/actor.ts";
import { can } from "../permissions/can.ts";

/**
 * Returns the part of the company's audit log that a user can read. Managers can read entries about SOPs of their
 * teams.
 */
export function auditReadScope(actor: Actor): "all" | "teams" | "none" {
  if (can(actor, "audit.read")) return "all";
  return actor.role === "manager" && !actor.deny.includes("audit.read") ? "teams" : "none";
}
