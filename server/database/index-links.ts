/** Migration 15: finds the links to other SOPs in texts that were stored before they were kept. */
import { mayLinkSops, readSopAddress, sopLinkPlaces } from "#core/markdown/sop-links.ts";
import type { Collections, SopDocument } from "./documents.ts";
import type { Transaction } from "./port.ts";

export async function indexLinks(tx: Transaction<Collections>, sops: readonly SopDocument[]): Promise<void> {
  for (const sop of sops) {
    const linked = await linksOf(tx, sop);
    const links = (number: number | undefined) => linked.get(number) ?? [];
    const { _id, version, published, scheduled } = sop;
    const [ofLatest, ofPublished] = [links(version), links(published?.version)];
    const $set = {
      linksTo: ofLatest,
      linkedAny: [...new Set([...ofLatest, ...ofPublished])],
      ...(published && { "published.linksTo": ofPublished }),
      ...(scheduled && { "scheduled.linksTo": links(scheduled.version) }),
    };
    await tx.collection("sops").updateOne({ _id }, { $set });
  }
}

/** By version, for those whose text is shown to someone. One SOP at a time: its texts can be large. */
async function linksOf(
  tx: Transaction<Collections>,
  { _id, companyId, version, published, scheduled }: SopDocument,
): Promise<Map<number | undefined, string[]>> {
  const wanted = [version, published?.version, scheduled?.version].filter((one) => one !== undefined);
  const versions = await tx
    .collection("sop_versions")
    .find(
      { companyId, sopId: _id, version: { $in: [...new Set(wanted)] } },
      { projection: { version: 1, markdown: 1 } },
    );
  return new Map(versions.map((one) => [one.version, targetsOf(one.markdown)]));
}

function targetsOf(markdown: string): string[] {
  if (!mayLinkSops(markdown)) return [];
  const found = placesOf(markdown).flatMap(({ url }) => {
    const address = readSopAddress(url);
    return address?.kind === "sop" ? [address.to] : [];
  });
  return [...new Set(found)];
}

/** A text that can't be parsed links nothing. */
function placesOf(markdown: string) {
  try {
    return sopLinkPlaces(markdown);
  } catch {
    return [];
  }
}
