/** Migration 15: finds the links to other SOPs in texts that were stored before they were kept. */
import { mayLinkSops, readSopAddress, sopLinkPlaces } from "#core/markdown/sop-links.ts";
import type { Collections, SopDocument } from "./documents.ts";
import type { Transaction } from "./port.ts";

const atOnce = 100;

export async function indexLinks(tx: Transaction<Collections>): Promise<void> {
  const sops = tx.collection("sops");
  const projection = { version: 1, published: 1, scheduled: 1 } as const;
  for (let after = ""; ;) {
    const batch = await sops.find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: atOnce, projection });
    const linked = await linksOf(tx, batch);
    for (const { _id, version, published, scheduled } of batch) {
      const links = (number: number | undefined) => linked.get(`${_id} ${number}`) ?? [];
      const [ofLatest, ofPublished] = [links(version), links(published?.version)];
      await sops.updateOne(
        { _id },
        {
          $set: {
            linksTo: ofLatest,
            linkedAny: [...new Set([...ofLatest, ...ofPublished])],
            ...(published && { "published.linksTo": ofPublished }),
            ...(scheduled && { "scheduled.linksTo": links(scheduled.version) }),
          },
        },
      );
    }
    const last = batch.at(-1);
    if (batch.length < atOnce || last === undefined) return;
    after = last._id;
  }
}

/** Only texts with links, by id and version of their SOP. */
async function linksOf(
  tx: Transaction<Collections>,
  batch: readonly Pick<SopDocument, "_id" | "version" | "published" | "scheduled">[],
): Promise<Map<string, string[]>> {
  const wanted = batch.flatMap(({ _id, version, published, scheduled }) =>
    [...new Set([version, published?.version, scheduled?.version])].flatMap((one) =>
      one === undefined ? [] : [{ sopId: _id, version: one }],
    ),
  );
  if (wanted.length === 0) return new Map();
  const versions = await tx
    .collection("sop_versions")
    .find({ $or: wanted }, { projection: { sopId: 1, version: 1, markdown: 1 } });
  return new Map(versions.map(({ sopId, version, markdown }) => [`${sopId} ${version}`, targetsOf(markdown)]));
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
