/** Checks whether the images and PDFs of an import fit into the company's storage, before any of them is stored. */
import type { Actor } from "#core/permissions/actor.ts";
import { AppError } from "#core/errors.ts";
import { byteLimitOf, loadTextBytes } from "../companies/record.ts";
import type { Services } from "../http/services.ts";
import { mayReadAsset } from "./readable.ts";
import { refusals } from "./refusals.ts";

export interface FileSize {
  sha256: string;
  /** The size in bytes. */
  size: number;
}

export interface StorageRoom {
  used: number;
  needed: number;
  limit: number;
}

/**
 * Computes the bytes that the files need. Files that the actor can read already need none. Other stored files count as
 * new, so that the answer can't reveal that they are stored.
 */
export async function loadStorageRoom(
  { db, config }: Pick<Services, "db" | "config">,
  actor: Actor,
  files: readonly FileSize[],
): Promise<StorageRoom> {
  const company = await db.collection("companies").findOne({ _id: actor.companyId });
  if (!company) throw new AppError("not_found");
  const wanted = new Map(files.map(({ sha256, size }) => [sha256, size]));
  const stored = await db
    .forCompany(actor.companyId)
    .collection("assets")
    .find({ sha256: { $in: [...wanted.keys()] } });
  for (const asset of stored) if (await mayReadAsset({ db }, actor, asset)) wanted.delete(asset.sha256);
  const needed = [...wanted.values()].reduce((sum, size) => sum + size, 0);
  const texts = await loadTextBytes(db, actor.companyId);
  return { used: company.assetBytes + texts, needed, limit: byteLimitOf(company, config) };
}

/**
 * Checks that the files fit into the company's storage.
 * @throws AppError limit_reached, which names the used, the needed and the allowed bytes
 */
export async function assertStorageRoom(
  services: Pick<Services, "db" | "config">,
  actor: Actor,
  files: readonly FileSize[],
): Promise<void> {
  if (files.length === 0) return;
  const { used, needed, limit } = await loadStorageRoom(services, actor, files);
  if (needed <= limit - used) return;
  const message = refusals.noRoom({
    needed: formatMebibytes(needed),
    used: formatMebibytes(used),
    limit: formatMebibytes(limit),
  });
  throw new AppError("limit_reached", message, { used, needed, limit });
}

export function formatMebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
