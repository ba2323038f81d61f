/** Compares stored files, versions and SOPs with their recorded hashes. */
import type { Blobs } from "../blobs/port.ts";
import { sha256 as hashOf } from "../hashing.ts";
import {
  DamagedDocumentError,
  missingDocumentText,
  type BaseDocument,
  type Database,
  type Projection,
} from "../database/port.ts";
import type { AssetDocument, Collections, SopDocument, SopVersionDocument } from "../database/documents.ts";
import { versionFileBytes } from "../repository/version-file.ts";
import type { ShareCheck, CheckedShare } from "./report.ts";

type CollectionSource = Pick<Database<Collections>, "collection">;

/** The number of files read at once. It is small, because a file may have 5 MB. */
const assetsAtOnce = 4;
const textsAtOnce = 50;

export function createAssetsCheck(db: CollectionSource, blobs: Pick<Blobs, "get">): ShareCheck {
  const projection = { companyId: 1, sha256: 1 } as const;
  const readAssetsAfter = (after: string) =>
    db.collection("assets").find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: assetsAtOnce, projection });
  return createShareCheck(assetsAtOnce, readAssetsAfter, async (assets) => {
    const stored = await blobs.get(assets);
    return assets.map((asset, at) => fileFault(asset, stored[at] ?? null));
  });
}

/** Returns the fault of a stored file; null if its bytes match its hash. @param bytes null if they are missing */
export function fileFault(
  { companyId, sha256 }: Pick<AssetDocument, "companyId" | "sha256">,
  bytes: Uint8Array | null,
): string | null {
  if (bytes === null) return missingBytesLine({ companyId, sha256 });
  return hashOf(bytes) === sha256 ? null : `file ${sha256} of company ${companyId}: its bytes don't match its hash`;
}

export const missingBytesLine = ({ companyId, sha256 }: Pick<AssetDocument, "companyId" | "sha256">) =>
  `file ${sha256} of company ${companyId}: its bytes are missing`;

/** Creates the check that the bytes of each version match its content hash, and that its SOP and its files exist. */
export function createVersionsCheck(db: CollectionSource): ShareCheck {
  const readVersionsAfter = (after: string) =>
    db.collection("sop_versions").find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: textsAtOnce });
  return createShareCheck(textsAtOnce, readVersionsAfter, async (versions) => [
    ...versions.map(versionProblem),
    ...(await findMissingSopLines(db, versions)),
    ...(await findMissingFileLines(db, versions)),
  ]);
}

/**
 * Returns a line for each missing SOP of these versions. The server never removes an SOP, so a missing one is damage.
 */
async function findMissingSopLines(db: CollectionSource, versions: readonly SopVersionDocument[]): Promise<string[]> {
  const sops = db.collection("sops");
  const ids = [...new Set(versions.map(({ sopId }) => sopId))];
  const found = new Set((await sops.find({ _id: { $in: ids } }, { projection: { _id: 1 } })).map(({ _id }) => _id));
  const missing: string[] = [];
  for (const _id of ids)
    if (!found.has(_id) && (await isMissing(() => sops.findOne({ _id }))))
      missing.push(missingDocumentText("sops", _id));
  return missing;
}

/** Returns a line for each missing file of these versions. Another check compares the bytes of existing files. */
async function findMissingFileLines(db: CollectionSource, versions: readonly SopVersionDocument[]): Promise<string[]> {
  const files = db.collection("assets");
  const projection = { sha256: 1 } as const;
  const missing: string[] = [];
  for (const [companyId, ofCompany] of Map.groupBy(versions, (version) => version.companyId)) {
    const named = [...new Set(ofCompany.flatMap(({ assets = [] }) => assets))];
    const found = await files.find({ companyId, sha256: { $in: named } }, { projection });
    const there = new Set(found.map(({ sha256 }) => sha256));
    for (const sha256 of named)
      if (!there.has(sha256) && (await isMissing(() => files.findOne({ companyId, sha256 }, { projection }))))
        missing.push(missingBytesLine({ companyId, sha256 }));
  }
  return missing;
}

/** Says whether an item is missing. An unreadable item isn't missing, and its reader reports the damage. */
export async function isMissing(read: () => Promise<unknown>): Promise<boolean> {
  try {
    return (await read()) === null;
  } catch (error) {
    if (error instanceof DamagedDocumentError) return false;
    throw error;
  }
}

/** Returns the problem of a version's text; null if the text matches its hash. */
export function versionProblem(version: SopVersionDocument): string | null {
  const name = `version ${version.version} of SOP ${version.sopId}`;
  try {
    return hashOf(versionFileBytes(version)) === version.contentHash
      ? null
      : `${name}: its text doesn't match its hash`;
  } catch {
    return `${name}: it can't be read`;
  }
}

/**
 * Creates the check of each SOP: all of its versions exist, and its record agrees with the latest and the published
 * one.
 */
export function createSopsCheck(db: CollectionSource): ShareCheck {
  const projection: Projection<SopDocument> = { companyId: 1, title: 1, version: 1, contentHash: 1, published: 1 };
  const versions = db.collection("sop_versions");
  return async (after) => {
    const sops = await db
      .collection("sops")
      .find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: textsAtOnce, projection });
    const findings: string[] = [];
    for (const sop of sops) {
      const { _id: sopId, companyId } = sop;
      const shown = [sop, ...(sop.published ? [sop.published] : [])];
      const isComplete = (await versions.countDocuments({ companyId, sopId })) >= sop.version;
      const wanted = isComplete ? { version: { $in: shown.map(({ version }) => version) } } : {};
      const stored = await versions.find(
        { companyId, sopId, ...wanted },
        { projection: { version: 1, contentHash: 1, title: 1 } },
      );
      const byNumber = new Map(stored.map((one) => [one.version, one]));
      const numbers = isComplete
        ? shown.map(({ version }) => version)
        : Array.from({ length: sop.version }, (_, n) => n + 1);
      for (const version of new Set(numbers))
        if (!byNumber.has(version) && (await isMissing(() => versions.findOne({ companyId, sopId, version }))))
          findings.push(missingVersionLine(sopId, version));
      for (const { version, contentHash, title } of shown) {
        const one = byNumber.get(version);
        if (one === undefined || (one.contentHash === contentHash && one.title === title)) continue;
        // a user may have saved the SOP during the check
        const now = await db.collection("sops").findOne({ _id: sopId }, { projection });
        if (now?.contentHash === sop.contentHash)
          findings.push(`version ${version} of SOP ${sopId}: it differs from the SOP`);
      }
    }
    return { checked: sops.length, next: sops.length < textsAtOnce ? null : (sops.at(-1)?._id ?? null), findings };
  };
}

export const missingVersionLine = (sopId: string, version: number) =>
  `version ${version} of SOP ${sopId}: it is missing`;

function createShareCheck<T extends BaseDocument>(
  atMost: number,
  read: (after: string) => Promise<T[]>,
  problems: (documents: readonly T[]) => Promise<readonly (string | null)[]>,
): ShareCheck {
  return async (after): Promise<CheckedShare> => {
    const found = await read(after);
    const findings = (await problems(found)).filter((line) => line !== null);
    return { checked: found.length, next: found.length < atMost ? null : (found.at(-1)?._id ?? null), findings };
  };
}
