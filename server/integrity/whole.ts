/** Reads what has a hash. Where it differs, the damage is known at once. */
import { readBlob, type Blobs } from "../blobs/port.ts";
import type { AssetDocument, SopVersionDocument } from "../database/documents.ts";
import type { MetDamage } from "./met.ts";
import { fileFault, versionProblem } from "./stored.ts";

type Asset = Pick<AssetDocument, "_id" | "companyId" | "sha256">;

/** @returns null for bytes that are missing or damaged */
export async function wholeBytes(
  { blobs, damage }: { blobs: Pick<Blobs, "get">; damage: Pick<MetDamage, "note"> },
  asset: Asset,
): Promise<Uint8Array | null> {
  const bytes = await readBlob(blobs, asset);
  const fault = fileFault(asset, bytes);
  if (fault === null) return bytes;
  damage.note(fault, async () => fileFault(asset, await readBlob(blobs, asset)) !== null);
  return null;
}

/** Versions that were whole. The embedded database shares a document until it is written again. */
const whole = new WeakSet<SopVersionDocument>();

/** A text that differs from its hash is shown all the same: people need it, and the operator is told. */
export function noteVersion(damage: Pick<MetDamage, "note">, version: SopVersionDocument): void {
  if (whole.has(version)) return;
  const problem = versionProblem(version);
  if (problem === null) whole.add(version);
  else damage.note(problem);
}
