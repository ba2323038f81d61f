/**
 * Finds the base of files that the same branch pushed before. Such files still name the version that they were cloned
 * with. If an earlier push of the same commits made the latest version, the file is based on that version.
 */
import type { ImportDocument, ImportResult } from "#core/sops/import-schema.ts";
import type { Collections, SopSourceDocument } from "../database/documents.ts";
import type { BulkOperation, CompanyStore } from "../database/port.ts";
import type { Services } from "../http/services.ts";

type Needs = Pick<Services, "db">;

const idLine = /^id: "([0-9a-f-]{36})"$/m;
const versionLine = /^version: (\d+)$/m;
/** The bytes at the beginning of a file that can hold its front matter. */
const header = 4096;

const keyOf = (id: string) => `id:${id}`;

/** The documents with the version that each is based on. @param commits the commits of the push */
export async function withPushedVersions(
  { db }: Needs,
  companyId: string,
  documents: readonly ImportDocument[],
  commits: ReadonlySet<string>,
): Promise<ImportDocument[]> {
  const keys = documents.flatMap(({ text = "" }) => idLine.exec(text.slice(0, header))?.[1] ?? []).map(keyOf);
  if (keys.length === 0) return [...documents];
  const sources = await db
    .forCompany(companyId)
    .collection("sop_sources")
    .find({ key: { $in: keys } });
  const versions = new Map(
    sources.flatMap(({ key, version, pushed }) =>
      // a later import from elsewhere isn't in these commits, so it doesn't count
      pushed?.version === version && commits.has(pushed.commit) ? [[key, version] as const] : [],
    ),
  );
  return documents.map((document) => {
    const { text = "" } = document;
    const [start, rest] = [text.slice(0, header), text.slice(header)];
    const version = versions.get(keyOf(idLine.exec(start)?.[1] ?? ""));
    const written = Number(versionLine.exec(start)?.[1]);
    if (version === undefined || !(written < version)) return document;
    return { ...document, text: start.replace(versionLine, `version: ${version}`) + rest };
  });
}

/** Remembers an accepted proposal as part of its branch, because later commits are based on it. */
export async function rememberAccepted(
  company: CompanyStore<Collections>,
  { sopId, commit, version }: { sopId: string; commit: string; version: number },
): Promise<void> {
  const pushed = { commit, version };
  await company.collection("sop_sources").updateOne({ key: keyOf(sopId), version }, { $set: { pushed } });
}

/** Remembers which commit made the versions of a push. */
export async function rememberPushed(
  { db }: Needs,
  companyId: string,
  results: readonly ImportResult[],
  commit: string,
): Promise<void> {
  const updates = results.flatMap(({ outcome, id, version }) =>
    outcome === "update" && id !== undefined && version !== undefined ? [{ key: keyOf(id), version }] : [],
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
