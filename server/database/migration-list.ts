/** Forward-only steps, run once each in this order and recorded; never edited after a release. */
import { newId } from "#core/ids.ts";
import { numberLabel } from "#core/repository/names.ts";
import { numberKey } from "#core/sops/numbers.ts";
import { companyKeys, personKeys, type SearchKeys } from "#core/search-keys.ts";
import type { Collections, PublishedVersion } from "./documents.ts";
import { indexLinks } from "./index-links.ts";
import { updateAll, updateEach } from "./passes.ts";
import type { Migration } from "./port.ts";

export const migrations: readonly Migration<Collections>[] = [
  {
    number: 1,
    name: "permissions, grants and company settings",
    passes: [
      updateAll("users", { permissions: { $exists: false } }, { $set: { permissions: [], mailChoices: {} } }),
      updateAll("sops", { grants: { $exists: false } }, { $set: { grants: [], grantees: [] } }),
      updateAll(
        "companies",
        { "settings.roleOverrides": { $exists: false } },
        {
          $set: {
            "settings.approvalRule": { kind: "all", count: null },
            "settings.allowSelfApproval": false,
            "settings.reviewMonths": 12,
            "settings.aiEnabled": true,
            "settings.passwordMinimum": null,
            "settings.roleOverrides": {},
          },
        },
      ),
    ],
  },
  {
    number: 2,
    name: "rows of the audit log wait for their place in its chain",
    passes: [updateAll("audit_logs", { seq: { $exists: false } }, { $set: { pending: true } })],
  },
  {
    number: 3,
    name: "people and companies are sorted and found by keys of their own",
    passes: [
      updateEach("users", { nameKey: { $exists: false } }, (user) => ({ $set: { ...personKeys(user) } })),
      updateEach("companies", { nameKey: { $exists: false } }, (company) => ({ $set: { ...companyKeys(company) } })),
    ],
  },
  {
    number: 4,
    name: "approval requests, versions that wait for their day, and when each was in force",
    passes: [
      updateAll(
        "sops",
        { approvers: { $exists: false } },
        { $set: { approvers: [], requestId: null, scheduled: null, isPublished: false } },
      ),
      updateAll("sops", { hasForce: true }, { $set: { isPublished: true } }),
      {
        collection: "sops",
        filter: { hasForce: true },
        async change(tx, sops) {
          const periods = (sops as unknown as OldSop[]).flatMap((sop) => {
            if (!sop.inForce) return [];
            const { version, title, contentHash } = sop.inForce;
            const period = { _id: newId(), companyId: sop.companyId, sopId: sop._id, version, title, contentHash };
            return [{ ...period, from: sop.effectiveAt ?? sop.updatedAt, until: null }];
          });
          await tx.collection("published_periods").insertMany(periods);
        },
      },
      updateAll(
        "categories",
        { requiresApproval: { $exists: false } },
        { $set: { requiresApproval: false, approvalRule: null, reviewMonths: null } },
      ),
    ],
  },
  {
    number: 5,
    name: "the end of a right is a deadline",
    passes: [
      updateEach("users", { rightsEndAt: { $exists: false } }, ({ permissions }) => {
        const ends = permissions.flatMap(({ expiresAt }) => (expiresAt === null ? [] : [expiresAt]));
        return ends.length === 0 ? null : { $set: { rightsEndAt: ends.sort()[0] } };
      }),
    ],
  },
  {
    number: 6,
    name: "rules a text has to keep before it is submitted or published",
    passes: [
      updateAll(
        "companies",
        { "settings.textRules": { $exists: false } },
        { $set: { "settings.textRules": "minimal" } },
      ),
    ],
  },
  {
    number: 7,
    name: "the address of what has been in force is fixed",
    passes: [
      {
        collection: "published_periods",
        async change(tx, periods) {
          const ids = [...new Set(periods.map(({ sopId }) => sopId))];
          await tx.collection("sops").updateMany({ _id: { $in: ids } }, { $set: { addressFixed: true } });
        },
      },
    ],
  },
  {
    number: 8,
    name: "budgets for the AI",
    passes: [
      updateAll(
        "companies",
        { "settings.aiUserTokensPerDay": { $exists: false } },
        { $set: { "settings.aiUserTokensPerDay": 200_000, "settings.aiCompanyTokensPerMonth": 5_000_000 } },
      ),
    ],
  },
  {
    number: 9,
    name: "SOPs are found by the search index, not by words beside them",
    passes: [
      updateAll(
        "sops",
        { words: { $exists: true } },
        { $unset: { words: "", "inForce.words": "", "scheduled.words": "" } },
      ),
    ],
  },
  {
    number: 10,
    name: "people and companies are found by o where their names have ø, and so on",
    passes: [
      updateEach("users", {}, (user) => changedKeys(user, personKeys(user))),
      updateEach("companies", {}, (company) => changedKeys(company, companyKeys(company))),
    ],
  },
  {
    number: 11,
    name: "comments have the names of the specification: content, userId, updatedAt",
    passes: [
      updateEach("comments", { content: { $exists: false } }, (old: OldComment) => {
        const { body, authorId, createdAt, editedAt, resolvedAt, removedAt } = old;
        const updatedAt = [createdAt, editedAt, resolvedAt, removedAt].reduce((last, at) =>
          (at ?? "") > (last ?? "") ? at : last,
        );
        return {
          $set: { content: body, userId: authorId, updatedAt: updatedAt ?? createdAt },
          $unset: { body: "", authorId: "" },
        };
      }),
    ],
  },
  {
    number: 12,
    name: "a published version has a category of its own",
    passes: (["inForce", "scheduled"] as const).map((field) =>
      updateEach(
        "sops",
        { [`${field}.version`]: { $gt: 0 }, [`${field}.categoryId`]: { $exists: false } },
        ({ categoryId }) => ({ $set: { [`${field}.categoryId`]: categoryId } }),
      ),
    ),
  },
  {
    number: 13,
    name: "bytes of images and PDFs are counted for each company",
    passes: [
      {
        collection: "companies",
        filter: { assetBytes: { $exists: false } },
        async change(tx, companies) {
          const sums = await tx
            .collection("assets")
            .aggregate<{ _id: string; bytes: number }>([
              { $match: { companyId: { $in: companies.map(({ _id }) => _id) } } },
              { $group: { _id: "$companyId", bytes: { $sum: "$size" } } },
            ]);
          const bytes = new Map(sums.map((sum) => [sum._id, sum.bytes]));
          await tx.collection("companies").bulkWrite(
            companies.map(({ _id }) => ({
              updateOne: { filter: { _id }, update: { $set: { assetBytes: bytes.get(_id) ?? 0, maxBytes: null } } },
            })),
          );
        },
      },
    ],
  },
  {
    number: 14,
    name: "the published version is one object with its effective date",
    passes: [
      updateEach("sops", { inForce: { $exists: true } }, (old: OldSop) => ({
        $set: {
          published: old.inForce && { ...old.inForce, effectiveAt: old.effectiveAt ?? old.inForce.updatedAt },
          lastPublished: old.lastInForce ?? null,
          hasPublished: old.hasForce,
          matchesPublished: old.isPublished,
        },
        $unset: { inForce: "", publishedVersion: "", effectiveAt: "", hasForce: "", isPublished: "", lastInForce: "" },
      })),
      updateEach("counters", { inForce: { $exists: true } }, (old: OldCounters) => {
        const categories = Object.entries(old.categories).map(([id, { heads, inForce }]) => [
          id,
          { ...(heads === undefined ? {} : { live: heads }), ...(inForce === undefined ? {} : { published: inForce }) },
        ]);
        const now = { byStatus: old.heads, published: old.inForce, categories: Object.fromEntries(categories) };
        return { $set: now, $unset: { heads: "", inForce: "" } };
      }),
      updateAll("events", { orHeads: "in_force" }, { $set: { orHeads: "published" } }),
    ],
  },
  {
    number: 15,
    name: "an SOP knows which others its texts link",
    passes: [{ collection: "sops", change: indexLinks }],
  },
  {
    number: 16,
    name: "a category can be inside another one",
    passes: [updateAll("categories", { parentId: { $exists: false } }, { $set: { parentId: null } })],
  },
  {
    number: 17,
    name: "an SOP keeps its number as people see it",
    passes: [
      updateEach("sops", { labelKey: { $exists: false } }, ({ number }) => {
        const label = numberLabel(number);
        return { $set: { label, labelKey: numberKey(label) } };
      }),
    ],
  },
  {
    number: 18,
    name: "a company says how many days a request to read proposes",
    passes: [
      updateAll("companies", { "settings.readingDays": { $exists: false } }, { $set: { "settings.readingDays": 14 } }),
    ],
  },
];

interface OldComment {
  _id: string;
  body: string;
  authorId: string;
  createdAt: string;
  editedAt: string | null;
  resolvedAt: string | null;
  removedAt: string | null;
}

/** An SOP before migration 14. */
interface OldSop {
  _id: string;
  companyId: string;
  updatedAt: string;
  inForce: Omit<PublishedVersion, "effectiveAt"> | null;
  effectiveAt: string | null;
  hasForce: boolean;
  isPublished: boolean;
  lastInForce: { version: number; title: string; contentHash: string } | null;
}

/** A company's counters before migration 14. */
interface OldCounters {
  _id: string;
  heads: Record<string, number>;
  inForce: number;
  categories: Record<string, { heads?: number; inForce?: number }>;
}

function changedKeys(stored: SearchKeys, { nameKey, words }: SearchKeys) {
  const isSame = stored.nameKey === nameKey && stored.words.join(" ") === words.join(" ");
  return isSame ? null : { $set: { nameKey, words } };
}
