/** Reads files and compares them with their hash. Reports damage at once. */
import { readBlob, type Blobs } from "../blobs/port.ts";
import type { AssetDocument } from "../database/documents.ts";
import type { FoundDamage } from "./found-damage.ts";
import { fileFault } from "./stored.ts";

type AssetKey = Pick<AssetDocument, "_id" | "companyId" | "sha256">;

/**
 * Reads the bytes of a file.
 * @returns null if they are missing or don't match their hash, which is reported as damage
 */
export async function readVerifiedBytes(
  { blobs, damage }: { blobs: Pick<Blobs, "get">; damage: Pick<FoundDamage, "note"> },
  asset: AssetKey,
): Promise<Uint8Array | null> {
  const bytes = await readBlob(blobs, asset);
  const fault = fileFault(asset, bytes);
  if (fault === null) return bytes;
  damage.note(fault, async () => fileFault(asset, await readBlob(blobs, asset)) !== null);
  return null;
}
