/**
 * Remembers which commit of a push made a version. The next push of this branch still names the version that was cloned,
 * and is based on the remembered one (`baseOf` in `server/sops/import/identity-keys.ts`).
 */
import type { ImportResult } from "#core/sops/import-schema.ts";
import type { Collections, SopSourceDocument } from "../database/documents.ts";
import type { BulkOperation, CompanyStore } from "../database/port.ts";
import type { Services } from "../http/services.ts";

type PushedBeforeServices = Pick<Services, "db">;

const sopIdKey = (id: string) => `id:${id}`;

/** An accepted proposal is in its branch: further commits go on top of it. */
export async function rememberAccepted(
  company: CompanyStore<Collections>,
  { sopId, commit, version }: { sopId: string; commit: string; version: number },
): Promise<void> {
  const pushed = { commit, version };
  await company.collection("sop_sources").updateOne({ key: sopIdKey(sopId), version }, { $set: { pushed } });
}

/** Remembers which commit made the versions of a push. */
export async function rememberPushed(
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
