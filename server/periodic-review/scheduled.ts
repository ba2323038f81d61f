/**
 * Notifies the users responsible for an SOP on the day of its scheduled version: the version was published, or it
 * couldn't be.
 */
import type { Follower } from "../effects/follower.ts";
import { notifyUsers } from "../notifications/notify.ts";
import { findResponsibleUserIds } from "./responsible.ts";

export const announceScheduled: Follower<"sop.published" | "sop.lapsed"> = {
  name: "scheduled versions",
  follows: ["sop.published", "sop.lapsed"],
  async within(tx, { kind, companyId, entityId, at, facts: { scheduled: version } }) {
    if (version === undefined) return;
    const sop = await tx.forCompany(companyId).collection("sops").findOne({ _id: entityId });
    if (!sop) return;
    await notifyUsers(tx, {
      companyId,
      to: await findResponsibleUserIds(tx, sop, at),
      kind: kind === "sop.published" ? "published" : "not_in_force",
      sopId: sop._id,
      actor: null,
      detail: { version },
      at,
    });
  },
};
