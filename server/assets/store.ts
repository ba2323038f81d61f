import { imageProblem } from "#core/assets/image-limits.ts";
import { imageSize } from "#core/assets/image-size.ts";
import { assetTypes, sniffAsset } from "#core/assets/rules.ts";
import type { Actor } from "#core/permissions/actor.ts";
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import { limits } from "#core/limits.ts";
import { recordAudit } from "../audit/record.ts";
import type { AssetDocument, Collections, UserDocument } from "../database/documents.ts";
import { DuplicateKeyError, type Collection, type Database, type Transaction } from "../database/port.ts";
import { transactionFor } from "../database/turns.ts";
import { assertWrites } from "../ai/access.ts";
import type { Identity, Origin } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { mib } from "./room.ts";
import { sha256 as hashOf } from "../repository/hashing.ts";

export interface AssetAuthor {
  identity: Identity;
  origin: Origin;
}

/**
 * Stores an image or PDF, the same bytes once. The uploader can read it.
 * @throws AppError `unsupported_type`, `too_large`
 */
export async function storeAsset(
  { db, clock, config }: Services,
  { identity, origin }: AssetAuthor,
  bytes: Uint8Array,
) {
  const ext = sniffAsset(bytes);
  if (!ext) throw new AppError("unsupported_type", "Only PNG, JPEG, GIF, WebP and PDF files can be stored");
  if (ext !== "pdf" && imageSize(bytes) === null) {
    throw new AppError("unsupported_type", "The image is damaged: its size can't be read");
  }
  const problem = imageProblem(bytes);
  if (problem !== null) throw new AppError("too_large", `The image ${problem}`);
  const sha256 = hashOf(bytes);
  const stored = { sha256, url: `/api/assets/${sha256}.${ext}`, type: assetTypes[ext], size: bytes.length };
  const { user } = identity;
  const writes = await mayWrite(db, identity.actor);
  if (ext === "pdf" && !writes) {
    throw new AppError("forbidden", "You can store an image for your profile, but no PDF");
  }
  const assets = db.forCompany(user.companyId).collection("assets");
  const insert = () =>
    transactionFor(db, user.companyId, async (tx) => {
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
      await takeBytes(tx, user, { most: config.companyBytes, writes, size: stored.size });
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
  for (;;) {
    try {
      await insert();
      return stored;
    } catch (error) {
      if (!(error instanceof DuplicateKeyError)) throw error;
    }
    // the same bytes are there already, unless the sweep removes them now: then they are stored again
    const again = { $addToSet: { uploaders: user._id }, $set: { usedAt: clock.now() } };
    if ((await assets.updateOne({ sha256 }, again)).matchedCount === 0) continue;
    await repair(assets, sha256, bytes);
    return stored;
  }
}

/** Stored bytes may have been damaged since: then these replace them. */
async function repair(assets: Collection<AssetDocument>, sha256: string, bytes: Uint8Array): Promise<void> {
  const stored = await assets.findOne({ sha256 }, { projection: { bytes: 1 } });
  if (stored?.bytes && hashOf(stored.bytes) === sha256) return;
  await assets.updateOne({ sha256 }, { $set: { bytes } });
}

/** Can edit at least one SOP; all others store profile pictures only. */
function mayWrite(db: Database<Collections>, actor: Actor): Promise<boolean> {
  return assertWrites({ db }, actor).then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError && error.code === "forbidden") return false;
      throw error;
    },
  );
}

interface Taken {
  /** Bytes of a company without a limit of its own. */
  most: number;
  writes: boolean;
  size: number;
}

/** The bytes go into the company's account together with the asset. @throws AppError limit_reached */
async function takeBytes(
  tx: Transaction<Collections>,
  { _id: userId, companyId }: UserDocument,
  { most, writes, size }: Taken,
): Promise<void> {
  const companies = tx.collection("companies");
  const company = await companies.findOne({ _id: companyId });
  if (!company) throw new AppError("not_found");
  const limit = company.maxBytes ?? most;
  const room = { _id: companyId, assetBytes: { $lte: limit - size } };
  const taken = await companies.updateOne(room, { $inc: { assetBytes: size } });
  if (taken.matchedCount === 0) throw full("The company stores", company.assetBytes, limit);
  if (writes) return;
  const own = await tx
    .forCompany(companyId)
    .collection("assets")
    .find({ uploadedBy: userId }, { projection: { size: 1 } });
  const used = own.reduce((sum, asset) => sum + asset.size, 0);
  if (used > limits.assetsOfReader) throw full("You store", used - size, limits.assetsOfReader);
}

function full(who: string, used: number, limit: number): AppError {
  const message = `${who} ${mib(used)} of images and PDFs. The limit is ${mib(limit)}`;
  return new AppError("limit_reached", message, { used, limit });
}
