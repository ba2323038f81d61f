import { excessPixels } from "#core/assets/image-limits.ts";
import { imageSize } from "#core/assets/image-size.ts";
import { assetTypes, assetExtensionOf } from "#core/assets/rules.ts";
import type { Actor } from "#core/permissions/actor.ts";
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import { limits } from "#core/limits.ts";
import { recordChange } from "../effects/record.ts";
import { readBlob, type Blobs, type BlobKey } from "../blobs/port.ts";
import { loadTextBytes } from "../companies/record.ts";
import { scheduleUnusedCheck } from "../blobs/unused.ts";
import type { AssetDocument, Collections, CompanyDocument, UserDocument } from "../database/documents.ts";
import { DuplicateKeyError, type Database, type Transaction, type Update, type Filter } from "../database/port.ts";
import { transactionFor } from "../database/turns.ts";
import { assertAuthor } from "../ai/access.ts";
import type { Identity, Origin } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { formatMebibytes } from "./room.ts";
import { sha256 as hashOf } from "../hashing.ts";
import { refusals } from "./refusals.ts";

export interface AssetUploader {
  identity: Identity;
  origin: Origin;
}

/**
 * Stores an image or PDF. Equal bytes are stored once in a company, and each user who uploads them can read them.
 * @throws AppError unsupported_type, too_large, limit_reached, and forbidden for a PDF of a user who can't write SOPs
 */
export async function storeAsset(
  { db, blobs, clock, config, damage, repositories }: Services,
  { identity, origin }: AssetUploader,
  bytes: Uint8Array,
) {
  const ext = assetExtensionOf(bytes);
  if (!ext) throw new AppError("unsupported_type", refusals.unknownType());
  if (ext !== "pdf" && imageSize(bytes) === null) {
    throw new AppError("unsupported_type", refusals.unknownSize());
  }
  const excess = excessPixels(bytes);
  if (excess !== null) {
    const { frames, ...count } = excess;
    throw new AppError(
      "too_large",
      frames === null ? refusals.largeImage(count) : refusals.largeFrames({ ...count, frames }),
    );
  }
  const sha256 = hashOf(bytes);
  const stored = { sha256, url: `/api/assets/${sha256}.${ext}`, type: assetTypes[ext], size: bytes.length };
  const { user } = identity;
  const writes = await isAuthor(db, identity.actor);
  if (ext === "pdf" && !writes) {
    throw new AppError("forbidden", refusals.pdfForProfile());
  }
  const assets = db.forCompany(user.companyId).collection("assets");
  const insertAsset = ({ _id }: BlobKey, withBytes: Awaited<ReturnType<Blobs["put"]>>) =>
    transactionFor(db, user.companyId, async (tx) => {
      const at = clock.now();
      await tx
        .forCompany(user.companyId)
        .collection("assets")
        .insertOne({
          _id,
          companyId: user.companyId,
          sha256,
          ext,
          type: stored.type,
          size: stored.size,
          uploadedBy: user._id,
          uploaders: [user._id],
          createdAt: at,
          ...withBytes,
        });
      await reserveStorage(tx, user, { most: config.companyBytes, writes, size: stored.size });
      await recordChange(
        tx,
        { identity, origin },
        { companyId: user.companyId, at },
        {
          action: "asset.upload",
          entityType: "asset",
          entityId: sha256,
          changes: { type: stored.type, size: stored.size },
        },
      );
    });
  for (;;) {
    const known = await assets.findOne({ sha256 }, { projection: { companyId: 1 } });
    if (known) {
      const again: Update<AssetDocument> = { $addToSet: { uploaders: user._id }, $set: { usedAt: clock.now() } };
      // the sweep has just removed the asset: store it again
      if ((await assets.updateOne({ _id: known._id }, again)).matchedCount === 0) continue;
      if (await repairStoredBytes({ db, blobs }, known, { sha256, bytes })) {
        await damage.checkAgain();
        repositories.wake(user.companyId);
      }
      return stored;
    }
    const key = { _id: newId(), companyId: user.companyId };
    await scheduleUnusedCheck({ store: db, blobs, clock }, key);
    const withBytes = await blobs.put(key, bytes);
    try {
      await insertAsset(key, withBytes);
      return stored;
    } catch (error) {
      const isRefused = error instanceof DuplicateKeyError || error instanceof AppError;
      // remove the bytes at once, so that refused uploads don't fill the store. If that fails, the check ordered by
      // `scheduleUnusedCheck` removes them
      if (isRefused) await blobs.remove(key).catch(() => undefined);
      // another upload stored the same bytes first
      if (!(error instanceof DuplicateKeyError)) throw error;
    }
  }
}

/** Replaces the stored bytes if they are damaged. @returns whether they were damaged */
async function repairStoredBytes(
  { db, blobs }: Pick<Services, "db" | "blobs">,
  key: BlobKey,
  { sha256, bytes }: { sha256: string; bytes: Uint8Array },
): Promise<boolean> {
  const stored = await readBlob(blobs, key);
  if (stored && hashOf(stored) === sha256) return false;
  const withBytes = await blobs.put(key, bytes);
  const assets = db.forCompany(key.companyId).collection("assets");
  if (withBytes.bytes) await assets.updateOne({ _id: key._id }, { $set: withBytes });
  return true;
}

/** Says whether the actor can create SOPs or edit at least one SOP. Other users can only upload profile pictures. */
function isAuthor(db: Database<Collections>, actor: Actor): Promise<boolean> {
  return assertAuthor({ db }, actor).then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError && error.code === "forbidden") return false;
      throw error;
    },
  );
}

interface StorageRequest {
  /** The limit in bytes for companies without a limit of their own. */
  most: number;
  /** True if the user can create or edit SOPs. Other users have a smaller limit of their own. */
  writes: boolean;
  size: number;
}

/** Adds the bytes to the company's used bytes, in the transaction of the asset. @throws AppError limit_reached */
async function reserveStorage(
  tx: Transaction<Collections>,
  { _id: userId, companyId }: UserDocument,
  { most, writes, size }: StorageRequest,
): Promise<void> {
  const companies = tx.collection("companies");
  const company = await companies.findOne({ _id: companyId });
  if (!company) throw new AppError("not_found");
  const limit = company.maxBytes ?? most;
  const texts = await loadTextBytes(tx, companyId);
  const room: Filter<CompanyDocument> = { _id: companyId, assetBytes: { $lte: limit - size - texts } };
  const taken = await companies.updateOne(room, { $inc: { assetBytes: size } });
  if (taken.matchedCount === 0) throw storageFullError("fullCompany", company.assetBytes + texts, limit);
  if (writes) return;
  const own = await tx
    .forCompany(companyId)
    .collection("assets")
    .find({ uploadedBy: userId }, { projection: { size: 1 } });
  const used = own.reduce((sum, asset) => sum + asset.size, 0);
  if (used > limits.assetsOfReader) throw storageFullError("fullUser", used - size, limits.assetsOfReader);
}

function storageFullError(kind: "fullCompany" | "fullUser", used: number, limit: number): AppError {
  const message = refusals[kind]({ used: formatMebibytes(used), limit: formatMebibytes(limit) });
  return new AppError("limit_reached", message, { used, limit });
}
