/** Implements the ledger in the database: `repo_events`, with the files made from `sop_versions`. */
import { readBlob, type Blobs } from "../blobs/port.ts";
import { loadRepositoryLosses, type RepositoryLoss } from "../findings/known-losses.ts";
import type { Collections, RepoEventDocument, SopVersionDocument } from "../database/documents.ts";
import type { BulkOperation, Database, Filter } from "../database/port.ts";
import type { Ledger } from "./ledger.ts";
import { eventsWithLossStandIns, isRecommitted, lastLostSeq } from "./losses.ts";
import { versionFileBytes } from "./version-file.ts";

/** SQLite takes at most 1,000 alternatives in one expression. */
const filesAtOnce = 200;

/** @returns null for a version that lacks fields of the file */
function versionFileOrNull(version: Parameters<typeof versionFileBytes>[0]): Uint8Array | null {
  try {
    return versionFileBytes(version);
  } catch {
    return null;
  }
}

export function createDatabaseLedger(db: Database<Collections>, blobs: Pick<Blobs, "get">): Ledger {
  const eventsOf = (companyId: string) => db.forCompany(companyId).collection("repo_events");
  let known: readonly RepositoryLoss[] | null = null;
  /** Reads the known losses once: only a restore adds losses, and no server runs during a restore. */
  async function lossesOf(companyId: string): Promise<readonly RepositoryLoss[]> {
    known ??= await loadRepositoryLosses(db);
    return known.filter((one) => one.companyId === companyId);
  }
  return {
    async events(companyId, from, limit) {
      const stored = await eventsOf(companyId).find({ seq: { $gte: from } }, { sort: { seq: 1 }, limit });
      const losses = await lossesOf(companyId);
      return losses.length === 0 ? stored : eventsWithLossStandIns(losses, companyId, stored, { from, limit });
    },

    async lastSeq(companyId) {
      const last = await eventsOf(companyId).find({}, { sort: { seq: -1 }, limit: 1, projection: { seq: 1 } });
      return Math.max(last[0]?.seq ?? -1, lastLostSeq(await lossesOf(companyId)));
    },

    async firstPending(companyId) {
      const first = await eventsOf(companyId).find(
        { state: "pending" },
        { sort: { seq: 1 }, limit: 1, projection: { seq: 1 } },
      );
      return first[0]?.seq ?? null;
    },

    async files(companyId, versions) {
      const stored = [];
      for (let at = 0; at < versions.length; at += filesAtOnce) {
        const batch = versions
          .slice(at, at + filesAtOnce)
          .map(({ sopId, version }): Filter<SopVersionDocument> => ({ sopId, version }));
        stored.push(
          ...(await db
            .forCompany(companyId)
            .collection("sop_versions")
            .find(
              { $or: batch },
              { projection: { sopId: 1, version: 1, frontMatter: 1, markdown: 1, assetPlaces: 1, sopLinks: 1 } },
            )),
        );
      }
      const byKey = new Map(stored.map((version) => [`${version.sopId} ${version.version}`, version]));
      return versions.map(({ sopId, version }) => {
        const found = byKey.get(`${sopId} ${version}`);
        return found ? versionFileOrNull(found) : null;
      });
    },

    async asset(companyId, sha256) {
      const found = await db
        .forCompany(companyId)
        .collection("assets")
        .findOne({ sha256 }, { projection: { companyId: 1 } });
      return found && readBlob(blobs, found);
    },

    async acknowledge(companyId, commits) {
      const losses = await lossesOf(companyId);
      await eventsOf(companyId).bulkWrite(
        commits.map(({ seq, oids }): BulkOperation<RepoEventDocument> => ({
          updateOne: {
            filter: { seq, ...(isRecommitted(losses, seq) ? {} : { state: "pending" }) },
            update: { $set: { state: "committed", oids } },
          },
        })),
      );
    },
  };
}
