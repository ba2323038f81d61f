/**
 * Records which pushed commit created a version. Files in the user's next push of the branch still name the cloned
 * version, so the import uses the recorded version as the base (`baseOf` in `server/sops/import/identity-keys.ts`).
 */
import type { ImportResult } from "#core/sops/import-schema.ts";
import type { Collections, SopSourceDocument } from "../database/documents.ts";
import type { BulkOperation, CompanyStore } from "../database/port.ts";
import type { Services } from "../http/services.ts";

type PushedBeforeServices = Pick<Services, "db">;

const sopIdKey = (id: string) => `id:${id}`;

/** Records the commit of an accepted proposal, because its branch contains the proposal and can get further commits. */
export async function recordAcceptedCommit(
  company: CompanyStore<Collections>,
  { sopId, commit, version }: { sopId: string; commit: string; version: number },
): Promise<void> {
  const pushed = { commit, version };
  await company.collection("sop_sources").updateOne({ key: sopIdKey(sopId), version }, { $set: { pushed } });
}

/** Records which commit created the versions of a push. */
export async function recordPushedCommits(
  { db }: PushedBeforeServices,
  companyId: string,
  results: readonly ImportResult[],
  commit: string,
): Promise<void> {
  const updates = results.flatMap(({ outcome, id, version }) =>
    outcome === "update" && id !== undefined && version !== undefined ? [{ key: sopIdKey(id), version }] : [],
  );
  if (updates.length === 0) return;
  await db
    .forCompany(companyId)
    .collection("sop_sources")
    .bulkWrite(
      updates.map(({ key, version }): BulkOperation<SopSourceDocument> => ({
        updateOne: { filter: { key, version }, update: { $set: { pushed: { commit, version } } } },
      })),
    );
}
