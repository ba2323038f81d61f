/** Publishes a scheduled version on its day, as the user who approved or scheduled it. */
import { isScheduledVersionDue, planScheduledDay } from "#core/life-cycle/publish.ts";
import { printedName } from "#core/users/printed-name.ts";
import type { Collections, SopDocument } from "../../database/documents.ts";
import type { Database } from "../../database/port.ts";
import type { Services } from "../../http/services.ts";
import { forEachDue, type DeadlineJob } from "../../jobs/deadlines.ts";
import { changeSop, loadPublishingPolicy } from "./change.ts";
import { isPolicyMet } from "./publishing-rule.ts";
import type { SopAuthor } from "./write.ts";

export const publishDueVersions: DeadlineJob = {
  name: "versions take effect",
  async run(services, now) {
    const due = await services.db
      .collection("sops")
      .find(
        { "scheduled.effectiveAt": { $gt: "", $lte: now }, deletedAt: null },
        { sort: { "scheduled.effectiveAt": 1 }, projection: { companyId: 1 } },
      );
    await forEachDue(services, this.name, due, (sop) => publishDueVersion(services, sop, now));
  },
};

async function publishDueVersion(
  services: Services,
  due: Pick<SopDocument, "_id" | "companyId">,
  now: string,
): Promise<void> {
  const { _id, companyId } = due;
  const loadSop = async () => {
    const sop = await services.db.forCompany(companyId).collection("sops").findOne({ _id });
    if (!sop) throw new Error("it is gone");
    return sop;
  };
  const user = await findLastApprover(services.db, await loadSop());
  await changeSop(services, { user, origin: null, at: now }, _id, loadSop, async (sop) => {
    // the SOP is read before each attempt, because the version may have been withdrawn, archived, or published by
    // another server
    if (!isScheduledVersionDue(sop, now)) return [];
    const { version, categoryId } = sop.scheduled ?? sop;
    const policy = await loadPublishingPolicy(services, companyId, categoryId);
    return [planScheduledDay(sop, await isPolicyMet(services.db, sop, version, policy), now)];
  });
}

/**
 * Finds the last approver, or else the user who scheduled the publication, or else returns a substitute named "SOP
 * Server".
 */
async function findLastApprover(db: Database<Collections>, sop: SopDocument): Promise<SopAuthor["user"]> {
  const { _id, companyId } = sop;
  const approval = sop.scheduled?.approvals.at(-1);
  if (approval) return { _id: approval.userId, name: printedName(approval), companyId };
  const [row] = await db
    .forCompany(companyId)
    .collection("audit_logs")
    .find({ entityId: _id, action: "sop.schedule" }, { sort: { createdAt: -1, _id: -1 }, limit: 1 });
  if (row?.userId) return { _id: row.userId, name: row.userName ?? "", companyId };
  return { _id: "sop-server", name: "SOP Server", companyId };
}
