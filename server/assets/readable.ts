import type { Actor } from "#core/permissions/actor.ts";
import { mayReadVersion } from "#core/permissions/can.ts";
import type { AssetDocument, Collections } from "../database/documents.ts";
import type { CompanyStore } from "../database/port.ts";
import { loadVisibleProposals } from "../proposals/view.ts";
import type { Services } from "../http/services.ts";

/**
 * Says whether the actor can read an asset: users can read their own uploads, assets linked by a version or a proposal
 * that they see, the company's logo, and colleagues' pictures.
 */
export async function mayReadAsset({ db }: Pick<Services, "db">, actor: Actor, asset: AssetDocument): Promise<boolean> {
  if (asset.uploaders.includes(actor.userId)) return true;
  const company = db.forCompany(actor.companyId);
  const url = `/api/assets/${asset.sha256}.${asset.ext}`;
  if (await db.collection("companies").findOne({ _id: actor.companyId, logo: url })) return true;
  if (await company.collection("users").findOne({ avatar: url })) return true;
  const linking = await company
    .collection("sop_versions")
    .find({ assets: asset.sha256 }, { projection: { sopId: 1, version: 1 }, sort: { version: -1 }, limit: 500 });
  const ids = [...new Set(linking.map(({ sopId }) => sopId))];
  const sops = await company.collection("sops").find({ _id: { $in: ids } });
  const byId = new Map(sops.map((sop) => [sop._id, sop]));
  const isInVersion = linking.some(({ sopId, version }) => {
    const sop = byId.get(sopId);
    return sop !== undefined && mayReadVersion(actor, sop, version);
  });
  return isInVersion || isInVisibleProposal(company, actor, asset);
}

async function isInVisibleProposal(
  company: CompanyStore<Collections>,
  actor: Actor,
  { sha256 }: AssetDocument,
): Promise<boolean> {
  const projection = { companyId: 1, sopId: 1, authorId: 1 } as const;
  const proposals = await company.collection("proposals").find({ assets: sha256 }, { projection, limit: 500 });
  return (await loadVisibleProposals(company, actor, proposals)).length > 0;
}
