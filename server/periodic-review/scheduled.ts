/**
 * Notifies the users responsible for an SOP on the day of its scheduled version, when the version is published or
 * refused.
 */
import type { Follower } from "../effects/follower.ts";
import { notifyUsers } from "../notifications/notify.ts";
import { responsibleUserIds } from "./responsible.ts";

export const announceScheduled: Follower<"sop.published" | "sop.lapsed"> = {
  name: "scheduled versions",
  follows: ["sop.published", "sop.lapsed"],
  async within(tx, { kind, companyId, entityId, at, facts: { scheduled: version } }) {
    if (version === undefined) return;
    const sop = await tx.forCompany(companyId).collection("sops").findOne({ _id: entityId });
    if (!sop) return;
    await notifyUsers(tx, {
      companyId,
      to: await responsibleUserIds(tx, sop, at),
      kind: kind === "sop.published" ? "published" : "not_in_force",
      sopId: sop._id,
      actor: null,
      detail: { version },
      at,
    });
  },
};
