/** Finds documents that other stored documents name but that are missing. */
import type { BaseDocument, Collection } from "../database/port.ts";
import type { Collections, RepoEventDocument, SopDocument } from "../database/documents.ts";
import { referencesOfAuditEntry } from "./recorded.ts";
import {
  fileReference,
  referencesTo,
  referenceTo,
  reviewReference,
  type CollectionName,
  type CollectionSource,
  type Reference,
} from "./reference.ts";
import { missingItemLine } from "./reference-lines.ts";
import type { ShareCheck } from "./report.ts";
import { isMissing } from "./stored.ts";

const documentsAtOnce = 500;

/** Functions that list the references of a document, by its collection. */
const named: { [N in CollectionName]?: (document: Collections[N]) => Reference[] } = {
  companies: ({ _id, logo }) => imageReferences(_id, logo),
  users: ({ _id: userId, companyId, teamIds, avatar }) => [
    ...imageReferences(companyId, avatar),
    ...referencesTo("teams", ...teamIds),
    ...teamIds.map((teamId) => referenceTo("membership", { companyId, teamId, userId })),
  ],
  categories: ({ parentId, teamId }) => [...referencesTo("categories", parentId), ...referencesTo("teams", teamId)],
  teams: ({ ownerId }) => referencesTo("users", ownerId),
  team_members: ({ teamId, userId }) => [...referencesTo("teams", teamId), ...referencesTo("users", userId)],
  sops: referencesOfSop,
  sop_sources: ({ sopId }) => referencesTo("sops", sopId),
  approval_requests: ({ sopId }) => referencesTo("sops", sopId),
  comments: ({ parentId, sopId, userId }) => [
    ...referencesTo("comments", parentId),
    ...referencesTo("sops", sopId),
    ...referencesTo("users", userId),
  ],
  proposals: ({ sopId, authorId }) => [...referencesTo("sops", sopId), ...referencesTo("users", authorId)],
  ai_suggestions: ({ sopId, userId }) => [...referencesTo("sops", sopId), ...referencesTo("users", userId)],
  acknowledgement_asks: ({ audience }) =>
    referencesTo("teams", ...audience.flatMap((one) => /^team:(.+)$/.exec(one)?.[1] ?? [])),
  repo_events: referencesOfEvent,
  audit_logs: referencesOfAuditEntry,
};

function referencesOfSop(sop: SopDocument): Reference[] {
  const { _id: sopId, companyId, authorId, ownerId, requestId, published, scheduled, hasPublished, lastReview } = sop;
  return [
    ...referencesTo("users", authorId, ownerId),
    ...referencesTo("categories", ...[sop, published, scheduled].map((shown) => shown?.categoryId)),
    ...referencesTo("teams", ...[sop, ...sop.grants].map(({ teamId }) => teamId)),
    ...referencesTo("approval_requests", requestId).map((one) => ({
      ...one,
      line: missingItemLine("openRequest", { sopId, _id: requestId }),
    })),
    ...(hasPublished && published ? [referenceTo("openPeriod", { companyId, sopId, version: published.version })] : []),
    ...(lastReview ? [reviewReference(companyId, sopId, lastReview.at)] : []),
  ];
}

/** The records that must exist because of an event. Publishing begins a period, and so does restoring a deleted SOP. */
function referencesOfEvent({ companyId, type, at: from, items }: RepoEventDocument): Reference[] {
  return items.flatMap(({ sopId, version, after }) => {
    const shown = after?.mainPath?.startsWith("archive/") === false ? after.mainVersion : null;
    const begun = type === "publish" ? version : type === "undelete" ? shown : null;
    return [
      ...referencesTo("sops", sopId),
      ...(begun === null ? [] : [referenceTo("begunPeriod", { companyId, sopId, version: begun, from })]),
    ];
  });
}

function imageReferences(companyId: string, url: string | null): Reference[] {
  const sha256 = /^\/api\/assets\/([0-9a-f]{64})\./.exec(url ?? "")?.[1];
  return sha256 === undefined ? [] : [fileReference({ companyId, sha256 })];
}

/** Says whether a document still names the missing item that `line` is about. */
export function isNamedIn<N extends CollectionName>(name: N, document: Collections[N], line: string): boolean {
  return named[name]?.(document).some((one) => one.line === line) ?? false;
}

/** Creates the check of the references of all documents. The position after a share is a collection and an id in it. */
export function createReferencesCheck(db: CollectionSource): ShareCheck {
  const names = Object.keys(named) as CollectionName[];
  return async (after) => {
    const [name, last = ""] = (after || "companies").split(" ") as [CollectionName, string?];
    const collection = documentsOf(db, name);
    const namedBy = named[name] as (document: BaseDocument) => Reference[];
    const documents = await collection.find({ _id: { $gt: last } }, { sort: { _id: 1 }, limit: documentsAtOnce });
    const all = new Map<string, Reference & { by: string }>();
    for (const one of documents) for (const to of namedBy(one)) all.set(to.line, { ...to, by: one._id });
    const there = await findExistingReferenceKeys(db, [...all.values()]);
    // the document may have changed during the check
    const isStillNamed = async ({ by, line }: Reference & { by: string }) =>
      (await collection.find({ _id: by }, { limit: 1 })).some((now) => namedBy(now).some((one) => one.line === line));
    const findings: string[] = [];
    for (const one of all.values()) {
      const { filter, line, isDeleted = async () => false } = one;
      if (
        there.has(referenceKey(one)) ||
        !(await isMissing(() => documentsOf(db, one.name).findOne(filter as { _id: string })))
      )
        continue;
      if (!(await isDeleted(db)) && (await isStillNamed(one))) findings.push(line);
    }
    const next =
      documents.length < documentsAtOnce ? names[names.indexOf(name) + 1] : `${name} ${documents.at(-1)?._id}`;
    return { checked: documents.length, next: next ?? null, findings };
  };
}

const documentsOf = (db: CollectionSource, name: CollectionName) =>
  db.collection(name) as unknown as Collection<BaseDocument>;
const referenceKey = ({ name, filter }: Pick<Reference, "name" | "filter">) => `${name} ${JSON.stringify(filter)}`;

/**
 * Finds the references to an id whose document exists, in one query for each collection.
 * @returns their keys (`referenceKey`)
 */
async function findExistingReferenceKeys(
  db: CollectionSource,
  all: readonly Reference[],
): Promise<ReadonlySet<string>> {
  const there = new Set<string>();
  for (const [name, some] of Map.groupBy(all, (one) => one.name)) {
    const ids = some.flatMap(({ filter: { _id } }) => (typeof _id === "string" ? [_id] : []));
    if (ids.length === 0) continue;
    const found = await documentsOf(db, name).find({ _id: { $in: ids } }, { projection: { _id: 1 } });
    for (const { _id } of found) there.add(referenceKey({ name, filter: { _id } }));
  }
  return there;
}
