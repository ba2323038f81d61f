/** The ledger as the database holds it: `repo_events`, with the files made from `sop_versions`. */
import { readBlob, type Blobs } from "../blobs/port.ts";
import type { Collections } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import type { Ledger } from "./ledger.ts";
import { versionFile } from "./version-file.ts";

/** SQLite takes at most 1,000 alternatives in one expression. */
const filesAtOnce = 200;

export function databaseLedger(db: Database<Collections>, blobs: Pick<Blobs, "get">): Ledger {
  const events = (companyId: string) => db.forCompany(companyId).collection("repo_events");
  return {
    events: (companyId, from, limit) => events(companyId).find({ seq: { $gte: from } }, { sort: { seq: 1 }, limit }),

    async lastSeq(companyId) {
      const last = await events(companyId).find({}, { sort: { seq: -1 }, limit: 1, projection: { seq: 1 } });
      return last[0]?.seq ?? -1;
    },

    async firstPending(companyId) {
      const first = await events(companyId).find(
        { state: "pending" },
        { sort: { seq: 1 }, limit: 1, projection: { seq: 1 } },
      );
      return first[0]?.seq ?? null;
    },

    async files(companyId, versions) {
      const stored = [];
      for (let at = 0; at < versions.length; at += filesAtOnce) {
        const batch = versions.slice(at, at + filesAtOnce).map(({ sopId, version }) => ({ sopId, version }));
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
        return found ? versionFile(found) : null;
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
      await events(companyId).bulkWrite(
        commits.map(({ seq, oids }) => ({
          updateOne: { filter: { seq, state: "pending" }, update: { $set: { state: "committed", oids } } },
        })),
      );
    },
  };
}
