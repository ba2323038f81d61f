import { createHash } from "node:crypto";
import { imageProblem } from "#core/assets/image-limits.ts";
import { assetTypes, sniffAsset } from "#core/assets/rules.ts";
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import { recordAudit } from "../audit/record.ts";
import type { AssetDocument } from "../database/documents.ts";
import { DuplicateKeyError, type Collection } from "../database/port.ts";
import type { Identity, Origin } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { isWhole } from "./whole.ts";

export interface AssetAuthor {
  identity: Identity;
  origin: Origin;
}

/** Keeps a picture or PDF, the same bytes once; who brings it may read it. @throws AppError `unsupported_type`, `too_large` */
export async function storeAsset({ db, clock }: Services, { identity, origin }: AssetAuthor, bytes: Uint8Array) {
  const ext = sniffAsset(bytes);
  if (!ext) throw new AppError("unsupported_type", "Only PNG, JPEG, GIF, WebP and PDF files can be stored");
  const problem = imageProblem(bytes);
  if (problem !== null) throw new AppError("too_large", `The image ${problem}`);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const stored = { sha256, url: `/api/assets/${sha256}.${ext}`, type: assetTypes[ext], size: bytes.length };
  const { user } = identity;
  try {
    await db.transaction(async (tx) => {
      const at = clock.now();
      await tx
        .forCompany(user.companyId)
        .collection("assets")
        .insertOne({
          _id: newId(),
          companyId: user.companyId,
          sha256,
          ext,
          type: stored.type,
          size: stored.size,
          uploadedBy: user._id,
          uploaders: [user._id],
          createdAt: at,
          bytes,
        });
      await recordAudit(tx, {
        companyId: user.companyId,
        userId: user._id,
        userName: user.name,
        action: "asset.upload",
        entityType: "asset",
        entityId: sha256,
        changes: { type: stored.type, size: stored.size },
        at,
        origin,
      });
    });
  } catch (error) {
    // the same bytes are there already
    if (!(error instanceof DuplicateKeyError)) throw error;
    await repair(db.forCompany(user.companyId).collection("assets"), sha256, bytes);
  }
  await db
    .forCompany(user.companyId)
    .collection("assets")
    .updateOne({ sha256 }, { $addToSet: { uploaders: user._id } });
  return stored;
}

/** Stored bytes may have been damaged since: then these replace them. */
async function repair(assets: Collection<AssetDocument>, sha256: string, bytes: Uint8Array): Promise<void> {
  const stored = await assets.findOne({ sha256 }, { projection: { bytes: 1 } });
  if (stored?.bytes && isWhole(sha256, stored.bytes)) return;
  await assets.updateOne({ sha256 }, { $set: { bytes } });
}
