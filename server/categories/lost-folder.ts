/** The folder of an SOP whose category is lost. The SOP stays there until someone chooses another category. */
import { uncategorizedFolder } from "#core/repository/names.ts";
import type { Collections, SopDocument } from "../database/documents.ts";
import type { CompanyStore } from "../database/port.ts";

/** @returns the slug of the category; null if the ledger doesn't say it */
export async function slugOfLostCategory(
  company: Pick<CompanyStore<Collections>, "collection">,
  { _id: sopId, version }: Pick<SopDocument, "_id" | "version">,
): Promise<string | null> {
  const events = company.collection("repo_events");
  // whole, because a damaged category counts as lost
  const stored = await company.collection("categories").find({});
  const present = new Set(stored.map(({ slug }) => slug));
  const [list] = await events.find({ type: { $in: ["found", "category"] } }, { sort: { seq: -1 }, limit: 1 });
  const [lost, ...others] = (list?.categories ?? []).map(({ slug }) => slug).filter((slug) => !present.has(slug));
  if (lost !== undefined && others.length === 0) return lost;
  // another list came later, or several categories are lost
  const newest = { sort: { version: -1 }, limit: 1, projection: { repoSeq: 1 } } as const;
  const [made] = await company.collection("sop_versions").find({ sopId, version: { $lte: version } }, newest);
  const [event] = made === undefined ? [] : await events.find({ seq: made.repoSeq }, { limit: 1 });
  const { path, mainPath } = event?.items.find((item) => item.sopId === sopId)?.after ?? {};
  const folder = (path ?? mainPath)?.split("/")[1];
  return folder === undefined || folder === uncategorizedFolder || present.has(folder) ? null : folder;
}
