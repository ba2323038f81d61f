import type { Actor } from "#core/permissions/actor.ts";
import { visibleVersion } from "#core/permissions/can.ts";
import type { SopDocument } from "../database/documents.ts";

/** Returns an SOP's name as a user sees it; null if the user doesn't see the SOP. */
export function visibleSopName(actor: Actor, sop: SopDocument): { id: string; number: string; title: string } | null {
  const view = visibleVersion(actor, sop);
  const shown = view === "latest" ? sop : view === "published" ? sop.published : null;
  return shown && { id: sop._id, number: sop.label, title: shown.title };
}
