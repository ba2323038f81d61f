import type { AssetLinks } from "#core/markdown/assets.ts";
import type { Actor } from "#core/permissions/actor.ts";
import type { Services } from "../http/services.ts";
import { mayReadAsset } from "./readable.ts";
import type { MessageWithId } from "#core/language/catalog.ts";
import { refusals } from "./refusals.ts";

/**
 * Finds a link to a file that the author can't read. All readers of the text can open its files, so an author who only
 * knows a file's hash must not link the file.
 * @param kept hashes of the files that the earlier text links: those links can stay
 * @returns the message about the first link that can't stay; null if all can
 */
export async function findAssetLinkProblem(
  { db }: Pick<Services, "db">,
  actor: Actor,
  { assets }: Pick<AssetLinks, "assets">,
  kept: readonly string[],
): Promise<MessageWithId | null> {
  if (assets.length === 0) return null;
  const added = assets.map(({ sha256 }) => sha256).filter((hash) => !kept.includes(hash));
  if (added.length === 0) return null;
  const stored = await db
    .forCompany(actor.companyId)
    .collection("assets")
    .find({ sha256: { $in: added } });
  for (const asset of stored)
    if (!(await mayReadAsset({ db }, actor, asset)))
      return refusals.unreadableLink({ file: `${asset.sha256.slice(0, 12)}….${asset.ext}` });
  return null;
}
