/** Forward-only steps, run once each in this order and recorded; never edited after a release. */
import { newId } from "#core/ids.ts";
import { numberLabel } from "#core/repository/names.ts";
import { numberKey } from "#core/sops/numbers.ts";
import { companyKeys, personKeys, type SearchKeys } from "#core/search-keys.ts";
import type { Collections, PublishedVersion } from "./documents.ts";
import { indexLinks } from "./index-links.ts";
import type { Migration } from "./port.ts";

export const migrations: readonly Migration<Collections>[] = [
  {
    number: 1,
    name: "permissions, grants and company settings",
    async run(tx) {
      await tx
        .collection("users")
        .updateMany({ permissions: { $exists: false } }, { $set: { permissions: [], mailChoices: {} } });
      await tx.collection("sops").updateMany({ grants: { $exists: false } }, { $set: { grants: [], grantees: [] } });
      await tx.collection("companies").updateMany(
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
      );
    },
  },
  {
    number: 2,
    name: "rows of the audit log wait for their place in its chain",
    async run(tx) {
      await tx.collection("audit_logs").updateMany({ seq: { $exists: false } }, { $set: { pending: true } });
    },
  },
  {
    number: 3,
    name: "people and companies are sorted and found by keys of their own",
    async run(tx) {
      for (const user of await tx.collection("users").find({ nameKey: { $exists: false } })) {
        await tx.collection("users").updateOne({ _id: user._id }, { $set: { ...personKeys(user) } });
      }
      for (const company of await tx.collection("companies").find({ nameKey: { $exists: false } })) {
        await tx.collection("companies").updateOne({ _id: company._id }, { $set: { ...companyKeys(company) } });
      }
    },
  },
  {
    number: 4,
    name: "approval requests, versions that wait for their day, and when each was in force",
    async run(tx) {
      const sops = tx.collection("sops");
      await sops.updateMany(
        { approvers: { $exists: false } },
        { $set: { approvers: [], requestId: null, scheduled: null, isPublished: false } },
      );
      for (const sop of (await sops.find({ hasForce: true })) as unknown as OldSop[]) {
        await sops.updateOne({ _id: sop._id }, { $set: { isPublished: true } });
        if (!sop.inForce) continue;
        const { version, title, contentHash } = sop.inForce;
        const period = { _id: newId(), companyId: sop.companyId, sopId: sop._id, version, title, contentHash };
        await tx
          .collection("published_periods")
          .insertOne({ ...period, from: sop.effectiveAt ?? sop.updatedAt, until: null });
      }
      await tx
        .collection("categories")
        .updateMany(
          { requiresApproval: { $exists: false } },
          { $set: { requiresApproval: false, approvalRule: null, reviewMonths: null } },
        );
    },
  },
  {
    number: 5,
    name: "the end of a right is a deadline",
    async run(tx) {
      for (const { _id, permissions } of await tx.collection("users").find({ rightsEndAt: { $exists: false } })) {
        const ends = permissions.flatMap(({ expiresAt }) => (expiresAt === null ? [] : [expiresAt]));
        if (ends.length === 0) continue;
        await tx.collection("users").updateOne({ _id }, { $set: { rightsEndAt: ends.sort()[0] } });
      }
    },
  },
  {
    number: 6,
    name: "rules a text has to keep before it is submitted or published",
    async run(tx) {
      await tx
        .collection("companies")
        .updateMany({ "settings.textRules": { $exists: false } }, { $set: { "settings.textRules": "minimal" } });
    },
  },
  {
    number: 7,
    name: "the address of what has been in force is fixed",
    async run(tx) {
      const ever = await tx.collection("published_periods").find({}, { projection: { sopId: 1 } });
      const ids = [...new Set(ever.map(({ sopId }) => sopId))];
      await tx.collection("sops").updateMany({ _id: { $in: ids } }, { $set: { addressFixed: true } });
    },
  },
  {
    number: 8,
    name: "budgets for the AI",
    async run(tx) {
      await tx
        .collection("companies")
        .updateMany(
          { "settings.aiUserTokensPerDay": { $exists: false } },
          { $set: { "settings.aiUserTokensPerDay": 200_000, "settings.aiCompanyTokensPerMonth": 5_000_000 } },
        );
    },
  },
  {
    number: 9,
    name: "SOPs are found by the search index, not by words beside them",
    async run(tx) {
      const words = { words: "", "inForce.words": "", "scheduled.words": "" };
      await tx.collection("sops").updateMany({ words: { $exists: true } }, { $unset: words });
    },
  },
  {
    number: 10,
    name: "people and companies are found by o where their names have ø, and so on",
    async run(tx) {
      for (const user of await tx.collection("users").find({})) {
        const keys = personKeys(user);
        if (isSame(user, keys)) continue;
        await tx.collection("users").updateOne({ _id: user._id }, { $set: { ...keys } });
      }
      for (const company of await tx.collection("companies").find({})) {
        const keys = companyKeys(company);
        if (isSame(company, keys)) continue;
        await tx.collection("companies").updateOne({ _id: company._id }, { $set: { ...keys } });
      }
    },
  },
  {
    number: 11,
    name: "comments have the names of the specification: content, userId, updatedAt",
    async run(tx) {
      const comments = tx.collection("comments");
      const old = (await comments.find({ content: { $exists: false } })) as unknown as OldComment[];
      for (const { _id, body, authorId, createdAt, editedAt, resolvedAt, removedAt } of old) {
        const updatedAt = [createdAt, editedAt, resolvedAt, removedAt].reduce((last, at) =>
          (at ?? "") > (last ?? "") ? at : last,
        );
        await comments.updateOne(
          { _id },
          {
            $set: { content: body, userId: authorId, updatedAt: updatedAt ?? createdAt },
            $unset: { body: "", authorId: "" },
          },
        );
      }
    },
  },
  {
    number: 12,
    name: "a published version has a category of its own",
    async run(tx) {
      const sops = tx.collection("sops");
      for (const field of ["inForce", "scheduled"] as const) {
        const without = { [`${field}.version`]: { $gt: 0 }, [`${field}.categoryId`]: { $exists: false } };
        for (const { _id, categoryId } of await sops.find(without, { projection: { categoryId: 1 } }))
          await sops.updateOne({ _id }, { $set: { [`${field}.categoryId`]: categoryId } });
      }
    },
  },
  {
    number: 13,
    name: "bytes of images and PDFs are counted for each company",
    async run(tx) {
      const bytes = new Map<string, number>();
      for (const { companyId, size } of await tx
        .collection("assets")
        .find({}, { projection: { companyId: 1, size: 1 } }))
        bytes.set(companyId, (bytes.get(companyId) ?? 0) + size);
      const companies = tx.collection("companies");
      for (const { _id } of await companies.find({ assetBytes: { $exists: false } }, { projection: { _id: 1 } }))
        await companies.updateOne({ _id }, { $set: { assetBytes: bytes.get(_id) ?? 0, maxBytes: null } });
    },
  },
  {
    number: 14,
    name: "the published version is one object with its effective date",
    async run(tx) {
      const sops = tx.collection("sops");
      for (const old of (await sops.find({ inForce: { $exists: true } })) as unknown as OldSop[]) {
        const published = old.inForce && { ...old.inForce, effectiveAt: old.effectiveAt ?? old.inForce.updatedAt };
        const flags = { hasPublished: old.hasForce, matchesPublished: old.isPublished };
        await sops.updateOne(
          { _id: old._id },
          {
            $set: { published, lastPublished: old.lastInForce ?? null, ...flags },
            $unset: {
              inForce: "",
              publishedVersion: "",
              effectiveAt: "",
              hasForce: "",
              isPublished: "",
              lastInForce: "",
            },
          },
        );
      }
      const counters = tx.collection("counters");
      for (const old of (await counters.find({ inForce: { $exists: true } })) as unknown as OldCounters[]) {
        const categories = Object.entries(old.categories).map(([id, { heads, inForce }]) => [
          id,
          { ...(heads === undefined ? {} : { live: heads }), ...(inForce === undefined ? {} : { published: inForce }) },
        ]);
        const now = { byStatus: old.heads, published: old.inForce, categories: Object.fromEntries(categories) };
        await counters.updateOne({ _id: old._id }, { $set: now, $unset: { heads: "", inForce: "" } });
      }
      await tx.collection("events").updateMany({ orHeads: "in_force" }, { $set: { orHeads: "published" } });
    },
  },
  { number: 15, name: "an SOP knows which others its texts link", run: indexLinks },
  {
    number: 16,
    name: "a category can be inside another one",
    async run(tx) {
      await tx.collection("categories").updateMany({ parentId: { $exists: false } }, { $set: { parentId: null } });
    },
  },
  {
    number: 17,
    name: "an SOP keeps its number as people see it",
    async run(tx) {
      const sops = tx.collection("sops");
      for (const { _id, number } of await sops.find({ labelKey: { $exists: false } }, { projection: { number: 1 } })) {
        const label = numberLabel(number);
        await sops.updateOne({ _id }, { $set: { label, labelKey: numberKey(label) } });
      }
    },
  },
  {
    number: 18,
    name: "a company says how many days a request to read proposes",
    async run(tx) {
      await tx
        .collection("companies")
        .updateMany({ "settings.readingDays": { $exists: false } }, { $set: { "settings.readingDays": 14 } });
    },
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

function isSame(stored: SearchKeys, { nameKey, words }: SearchKeys): boolean {
  return stored.nameKey === nameKey && stored.words.join(" ") === words.join(" ");
}
