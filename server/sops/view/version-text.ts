/** Loads a version of an SOP with its text. */
import { AppError } from "#core/errors.ts";
import type { Collections, SopDocument, SopVersionDocument } from "../../database/documents.ts";
import { DamagedDocumentError, type Transaction } from "../../database/port.ts";
import { refusals } from "./refusals.ts";

interface VersionStore {
  db: Pick<Transaction<Collections>, "forCompany">;
}
type VersionedSop = Pick<SopDocument, "_id" | "companyId" | "version">;

/**
 * Loads a version with its text.
 * @throws AppError not_found for a number that no version has; AppError damaged, with advice, if the version is missing
 * or its text differs from its hash
 */
export async function loadVersionText(
  { db }: VersionStore,
  sop: VersionedSop,
  version: number,
): Promise<SopVersionDocument> {
  const versions = db.forCompany(sop.companyId).collection("sop_versions");
  const found = await versions.findOne({ sopId: sop._id, version }).catch((error: unknown) => {
    if (error instanceof DamagedDocumentError) return "damaged" as const;
    throw error;
  });
  if (found !== null && found !== "damaged") return found;
  // versions are numbered without gaps, so only these numbers can exist
  if (version < 1 || version > sop.version) throw new AppError("not_found", refusals.unknownVersion());
  throw await damagedTextError({ db }, sop, version, found === null ? "lost" : "damaged");
}

const othersAtMost = 20;

async function damagedTextError(
  { db }: VersionStore,
  sop: VersionedSop,
  version: number,
  what: "lost" | "damaged",
): Promise<AppError> {
  const others = await db
    .forCompany(sop.companyId)
    .collection("sop_versions")
    .find(
      { sopId: sop._id, version: { $ne: version } },
      { projection: { markdown: 1 }, sort: { version: -1 }, limit: othersAtMost },
    );
  const way = others.length === 0 ? "none" : version === sop.version ? "restore" : "other_version";
  return new AppError("damaged", refusals.damagedText({ what, way }));
}
