/** Finds the SOPs that link to an SOP. Only users who see a draft see its links. */
import type { Actor } from "#core/permissions/actor.ts";
import { visibleVersion } from "#core/permissions/can.ts";
import type { SopLinksAnswer } from "#core/sops/schema.ts";
import type { SopDocument } from "../../database/documents.ts";
import type { Services } from "../../http/services.ts";

const listedAtMost = 200;

export async function findSopsLinkingTo(
  { db }: Pick<Services, "db">,
  actor: Actor,
  target: SopDocument,
): Promise<SopLinksAnswer> {
  const keys = [target.label, target._id];
  const linking = await db
    .forCompany(actor.companyId)
    .collection("sops")
    .find({ linkedAny: { $in: keys }, live: true }, { sort: { labelKey: 1 } });
  const hasLinkToSop = (links: readonly string[] = []) => links.some((key) => keys.includes(key));
  const rows = linking.flatMap((sop) => {
    const view = visibleVersion(actor, sop);
    const draftOnly = !hasLinkToSop(sop.published?.linksTo);
    if (sop._id === target._id || view === "nothing" || (view === "published" && draftOnly)) return [];
    const title = view === "published" && sop.published ? sop.published.title : sop.title;
    const status = view === "published" ? ("published" as const) : sop.status;
    return [{ id: sop._id, number: sop.label, title, status, draftOnly }];
  });
  return { data: rows.slice(0, listedAtMost), total: rows.length };
}
