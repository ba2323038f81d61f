/** Documents that other stored documents say exist. */
import type { BaseDocument, Collection } from "../database/port.ts";
import type { Collections, RepoEventDocument, SopDocument } from "../database/documents.ts";
import { referencesOfEntry } from "./recorded.ts";
import {
  fileReference,
  referencesTo,
  referenceTo,
  reviewReference,
  type Name,
  type Reading,
  type Reference,
} from "./reference.ts";
import { lineOf } from "./reference-lines.ts";
import type { CheckShare } from "./report.ts";
import { isMissing } from "./stored.ts";

const documentsAtOnce = 500;

/** Those that a document names, by its collection. */
const named: { [N in Name]?: (document: Collections[N]) => Reference[] } = {
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
  audit_logs: referencesOfEntry,
};

function referencesOfSop(sop: SopDocument): Reference[] {
  const { _id: sopId, companyId, authorId, ownerId, requestId, published, scheduled, hasPublished, lastReview } = sop;
  return [
    ...referencesTo("users", authorId, ownerId),
    ...referencesTo("categories", ...[sop, published, scheduled].map((shown) => shown?.categoryId)),
    ...referencesTo("teams", ...[sop, ...sop.grants].map(({ teamId }) => teamId)),
    ...referencesTo("approval_requests", requestId).map((one) => ({
      ...one,
      line: lineOf("openRequest", { sopId, _id: requestId }),
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

/** Says whether a document still names the missing item of this line. */
export function isNamedIn<N extends Name>(name: N, document: Collections[N], line: string): boolean {
  return named[name]?.(document).some((one) => one.line === line) ?? false;
}

/** Checks the references of all documents. A share ends at a collection and an id in it. */
export function checkReferences(db: Reading): CheckShare {
  const names = Object.keys(named) as Name[];
  return async (after) => {
    const [name, last = ""] = (after || "companies").split(" ") as [Name, string?];
    const collection = documentsOf(db, name);
    const namedBy = named[name] as (document: BaseDocument) => Reference[];
    const documents = await collection.find({ _id: { $gt: last } }, { sort: { _id: 1 }, limit: documentsAtOnce });
    const all = new Map<string, Reference & { by: string }>();
    for (const one of documents) for (const to of namedBy(one)) all.set(to.line, { ...to, by: one._id });
    const there = await presentIds(db, [...all.values()]);
    // it can be another one by now
    const isStillNamed = async ({ by, line }: Reference & { by: string }) =>
      (await collection.find({ _id: by }, { limit: 1 })).some((now) => namedBy(now).some((one) => one.line === line));
    const findings: string[] = [];
    for (const one of all.values()) {
      const { filter, line, isDeleted = async () => false } = one;
      if (
        there.has(keyOf(one)) ||
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

const documentsOf = (db: Reading, name: Name) => db.collection(name) as unknown as Collection<BaseDocument>;
const keyOf = ({ name, filter }: Pick<Reference, "name" | "filter">) => `${name} ${JSON.stringify(filter)}`;

/** Most are named by their id: one question finds many. */
async function presentIds(db: Reading, all: readonly Reference[]): Promise<ReadonlySet<string>> {
  const there = new Set<string>();
  for (const [name, some] of Map.groupBy(all, (one) => one.name)) {
    const ids = some.flatMap(({ filter: { _id } }) => (typeof _id === "string" ? [_id] : []));
    if (ids.length === 0) continue;
    const found = await documentsOf(db, name).find({ _id: { $in: ids } }, { projection: { _id: 1 } });
    for (const { _id } of found) there.add(keyOf({ name, filter: { _id } }));
  }
  return there;
}
