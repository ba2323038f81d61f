/**
 * Removes images and PDFs that nothing links a day after their upload, and frees their bytes for the company. A save
 * that links an asset writes the asset's record in its transaction, so a removal at the same time conflicts and checks
 * again.
 */
import type { Clock } from "#core/clock.ts";
import { byServer, recordChange } from "../effects/record.ts";
import { tryUnlessDamaged } from "../database/beside-damage.ts";
import type { Blobs } from "../blobs/port.ts";
import { scheduleUnusedCheck } from "../blobs/unused.ts";
import { transactionFor } from "../database/turns.ts";
import type { AssetDocument, Collections } from "../database/documents.ts";
import type { Database, Store, Transaction } from "../database/port.ts";
import { reportProgress } from "../jobs/overdue.ts";

const unlinkedKeptMs = 24 * 3_600_000;
const batch = 200;

/** Marks the assets that a version links. Marked assets are never removed, because versions are never deleted. */
export async function markAssetsLinked(
  tx: Transaction<Collections>,
  companyId: string,
  sha256s: readonly string[],
  at: string,
): Promise<void> {
  await tx
    .forCompany(companyId)
    .collection("assets")
    .updateMany({ sha256: { $in: [...sha256s] }, linkedAt: null }, { $set: { linkedAt: at } });
}

/**
 * Marks the asset of a profile picture or a logo with the time of its use. It can be removed once it is replaced.
 * @returns false for an unknown asset
 */
export async function markAssetUsed(
  tx: Transaction<Collections>,
  companyId: string,
  url: string,
  at: string,
): Promise<boolean> {
  const sha256 = /^\/api\/assets\/([0-9a-f]{64})\./.exec(url)?.[1];
  if (sha256 === undefined) return false;
  const used = await tx
    .forCompany(companyId)
    .collection("assets")
    .updateOne({ sha256 }, { $set: { usedAt: at } });
  return used.matchedCount === 1;
}

export async function removeUnlinkedAssets(
  db: Database<Collections>,
  blobs: Pick<Blobs, "kind">,
  clock: Clock,
): Promise<void> {
  const before = new Date(clock.millis() - unlinkedKeptMs).toISOString();
  for (let last = ""; ;) {
    const old = await db
      .collection("assets")
      .find({ linkedAt: null, _id: { $gt: last }, createdAt: { $lte: before } }, { sort: { _id: 1 }, limit: batch });
    for (const asset of old) {
      // if this check meets a damaged document, keep the asset, because that document may link it
      await tryUnlessDamaged(async () => {
        const use = await findAssetUse(db.forCompany(asset.companyId), db, asset, before);
        if (use === "version")
          await db
            .forCompany(asset.companyId)
            .collection("assets")
            .updateOne({ _id: asset._id }, { $set: { linkedAt: clock.now() } });
        if (use === "none") await removeUnlinkedAsset(db, asset, { before, blobs, clock });
      });
      reportProgress();
    }
    if (old.length < batch) return;
    last = old.at(-1)?._id ?? "";
  }
}

/**
 * Finds what uses an asset.
 * @param company the share of the company in `store`
 * @param store the database, or a transaction
 */
async function findAssetUse(
  company: Store<Collections>,
  store: Store<Collections>,
  { companyId, sha256, ext, createdAt, usedAt = createdAt }: AssetDocument,
  before: string,
): Promise<"version" | "proposal" | "picture" | "recent" | "none"> {
  if (usedAt > before) return "recent";
  const url = `/api/assets/${sha256}.${ext}`;
  if (await company.collection("sop_versions").findOne({ assets: sha256 }, { projection: { version: 1 } }))
    return "version";
  if (await company.collection("proposals").findOne({ assets: sha256 }, { projection: { number: 1 } }))
    return "proposal";
  if (await store.collection("companies").findOne({ _id: companyId, logo: url }, { projection: { logo: 1 } }))
    return "picture";
  return (await company.collection("users").findOne({ avatar: url }, { projection: { avatar: 1 } }))
    ? "picture"
    : "none";
}

async function removeUnlinkedAsset(
  db: Database<Collections>,
  { _id, companyId }: AssetDocument,
  { before, blobs, clock }: { before: string; blobs: Pick<Blobs, "kind">; clock: Clock },
): Promise<void> {
  await transactionFor(db, companyId, async (tx) => {
    const company = tx.forCompany(companyId);
    const asset = await company.collection("assets").findOne({ _id, linkedAt: null });
    if (!asset || (await findAssetUse(company, tx, asset, before)) !== "none") return;
    await company.collection("assets").deleteOne({ _id });
    await scheduleUnusedCheck({ store: tx, blobs, clock }, asset);
    await tx.collection("companies").updateOne({ _id: companyId }, { $inc: { assetBytes: -asset.size } });
    await recordChange(
      tx,
      byServer,
      { companyId, at: clock.now() },
      {
        action: "asset.sweep",
        entityType: "asset",
        entityId: asset.sha256,
        changes: { type: asset.type, size: asset.size, uploadedAt: asset.createdAt },
      },
    );
  });
}
