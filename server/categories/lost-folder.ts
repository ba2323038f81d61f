/**
 * Finds the repository folder of an SOP whose category has no readable record. The SOP stays in the folder until a user
 * chooses another category.
 */
import { uncategorizedFolder } from "#core/repository/names.ts";
import type { Collections, SopDocument } from "../database/documents.ts";
import type { CompanyStore } from "../database/port.ts";

/**
 * Finds the slug of an SOP's category whose record is missing in the database, from the events of the ledger.
 * @returns null if the ledger doesn't tell which category that was
 */
export async function findSlugOfLostCategory(
  company: Pick<CompanyStore<Collections>, "collection">,
  { _id: sopId, version }: Pick<SopDocument, "_id" | "version">,
): Promise<string | null> {
  const events = company.collection("repo_events");
  // read whole documents, because the query then leaves out damaged categories, which count as lost
  const stored = await company.collection("categories").find({});
  const present = new Set(stored.map(({ slug }) => slug));
  const [list] = await events.find({ type: { $in: ["found", "category"] } }, { sort: { seq: -1 }, limit: 1 });
  const [lost, ...others] = (list?.categories ?? []).map(({ slug }) => slug).filter((slug) => !present.has(slug));
  if (lost !== undefined && others.length === 0) return lost;
  // the latest list of categories doesn't tell which one is lost, so read the path from the SOP's last event
  const newest = { sort: { version: -1 }, limit: 1, projection: { repoSeq: 1 } } as const;
  const [made] = await company.collection("sop_versions").find({ sopId, version: { $lte: version } }, newest);
  const [event] = made === undefined ? [] : await events.find({ seq: made.repoSeq }, { limit: 1 });
  const { path, mainPath } = event?.items.find((item) => item.sopId === sopId)?.after ?? {};
  const folder = (path ?? mainPath)?.split("/")[1];
  return folder === undefined || folder === uncategorizedFolder || present.has(folder) ? null : folder;
}
