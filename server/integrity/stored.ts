/** Stored files, versions and SOPs against the hashes that were recorded of them. */
import type { Blobs } from "../blobs/port.ts";
import { sha256 as hashOf } from "../hashing.ts";
import type { BaseDocument, Database, Projection } from "../database/port.ts";
import type { AssetDocument, Collections, SopDocument, SopVersionDocument } from "../database/documents.ts";
import { versionFile } from "../repository/version-file.ts";
import type { CheckShare, Share } from "./report.ts";

type Reading = Pick<Database<Collections>, "collection">;

/** A file may have 5 MB. */
const assetsAtOnce = 4;
const textsAtOnce = 50;

export function checkAssets(db: Reading, blobs: Pick<Blobs, "get">): CheckShare {
  const projection = { companyId: 1, sha256: 1 } as const;
  const read = (after: string) =>
    db.collection("assets").find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: assetsAtOnce, projection });
  return share(assetsAtOnce, read, async (assets) => {
    const stored = await blobs.get(assets);
    return assets.map((asset, at) => fileFault(asset, stored[at] ?? null));
  });
}

export function fileFault(
  { companyId, sha256 }: Pick<AssetDocument, "companyId" | "sha256">,
  bytes: Uint8Array | null,
): string | null {
  const name = `file ${sha256} of company ${companyId}`;
  if (bytes === null) return `${name}: its bytes are missing`;
  return hashOf(bytes) === sha256 ? null : `${name}: its bytes don't match its hash`;
}

/** The exact file of each version against its content hash. */
export function checkVersions(db: Reading): CheckShare {
  const read = (after: string) =>
    db.collection("sop_versions").find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: textsAtOnce });
  return share(textsAtOnce, read, async (versions) => versions.map(versionProblem));
}

export function versionProblem(version: SopVersionDocument): string | null {
  const name = `version ${version.version} of SOP ${version.sopId}`;
  try {
    return hashOf(versionFile(version)) === version.contentHash ? null : `${name}: its text doesn't match its hash`;
  } catch {
    return `${name}: it can't be read`;
  }
}

/** Each SOP against the versions it shows: the latest and the published one. */
export function checkSops(db: Reading): CheckShare {
  const projection: Projection<SopDocument> = { title: 1, version: 1, contentHash: 1, published: 1 };
  const versions = db.collection("sop_versions");
  return async (after) => {
    const sops = await db
      .collection("sops")
      .find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: textsAtOnce, projection });
    const findings: string[] = [];
    for (const sop of sops) {
      for (const { version, contentHash, title } of [sop, ...(sop.published ? [sop.published] : [])]) {
        const stored = await versions.findOne(
          { sopId: sop._id, version },
          { projection: { contentHash: 1, title: 1 } },
        );
        if (stored?.contentHash === contentHash && stored.title === title) continue;
        // saved in between
        const now = await db.collection("sops").findOne({ _id: sop._id }, { projection });
        if (now?.contentHash !== sop.contentHash) continue;
        const what = stored ? "it differs from the SOP" : "it is missing";
        findings.push(`version ${version} of SOP ${sop._id}: ${what}`);
      }
    }
    return { checked: sops.length, next: sops.length < textsAtOnce ? null : (sops.at(-1)?._id ?? null), findings };
  };
}

function share<T extends BaseDocument>(
  atMost: number,
  read: (after: string) => Promise<T[]>,
  /** Of each document. */
  problems: (documents: readonly T[]) => Promise<readonly (string | null)[]>,
): CheckShare {
  return async (after): Promise<Share> => {
    const found = await read(after);
    const findings = (await problems(found)).filter((line) => line !== null);
    return { checked: found.length, next: found.length < atMost ? null : (found.at(-1)?._id ?? null), findings };
  };
}
