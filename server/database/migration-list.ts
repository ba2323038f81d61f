/**
 * Lists the migrations of the schema. Each runs once, in this order, and is recorded. A released migration is never
 * edited.
 */
import { sequenceHashesOf } from "#core/approvals/said.ts";
import { looksToStore } from "#core/users/looks.ts";
import type { Collections } from "./documents.ts";
import { firstMigrationNumber, latestMigrationNumber } from "./migrations.ts";
import type { BaseDocument, Collection, Migration, PassOver, Untyped, Update } from "./port.ts";

/** The first migration is the schema of 1.0.0-beta.1, because no installation is older. */
export const migrations: readonly Migration<Collections>[] = [
  { number: 18, name: "a company says how many days a request to read proposes", passes: [] },
  {
    number: 19,
    name: "an index finds nearly the same text in another SOP",
    passes: [
      createUpdatePass("sop_versions", { textMarks: { $exists: false } }, ({ markdown }: OldVersion) => ({
        $set: { textMarks: sequenceHashesOf(markdown) },
      })),
    ],
  },
  {
    number: 20,
    name: "an index finds names that look alike, also earlier ones",
    passes: [
      {
        collection: "users",
        filter: { looks: { $exists: false } },
        async change(tx, users) {
          for (const [companyId, some] of Map.groupBy(users, (user) => user.companyId)) {
            const company = tx.forCompany(companyId);
            const ids = some.map(({ _id }) => _id);
            const rows = await company
              .collection("audit_logs")
              .find({ entityId: { $in: ids }, entityType: "user" }, { projection: { entityId: 1, changes: 1 } });
            const rowsOf = Map.groupBy(rows, ({ entityId }) => entityId);
            const updates = some.map((user) => {
              const earlier = (rowsOf.get(user._id) ?? []).flatMap(({ changes }) => {
                const from = (changes?.["name"] as { from?: unknown } | undefined)?.from;
                return typeof from === "string" ? looksToStore({ ...user, name: from }) : [];
              });
              return {
                updateOne: {
                  filter: { _id: user._id },
                  update: { $set: { looks: looksToStore(user, earlier) } },
                },
              };
            });
            await company.collection("users").bulkWrite(updates);
          }
        },
      },
    ],
  },
  {
    number: 21,
    name: "a session keeps how its user proved who they are",
    passes: [
      createUpdatePass("sessions", { proofs: { $exists: false } }, ({ authenticatedAt }: OldSession) => ({
        $set: { proofs: [{ method: "password", at: authenticatedAt }] },
        $unset: { authenticatedAt: "" },
      })),
    ],
  },
];

export const latestSchema = latestMigrationNumber(migrations);
export const oldestSchema = firstMigrationNumber(migrations);

interface OldSession {
  _id: string;
  authenticatedAt: string;
}

interface OldVersion {
  _id: string;
  markdown: string;
}

/**
 * Creates a pass that updates each document. The documents have fields of an earlier version, which the types no longer
 * name.
 * @param updateOf returns null for a document that stays as it is
 */
function createUpdatePass<N extends keyof Collections, Old extends BaseDocument = Collections[N]>(
  collection: N,
  filter: Untyped,
  updateOf: (document: Old) => Update<BaseDocument & Untyped> | null,
): PassOver<Collections, N> {
  return {
    collection,
    filter,
    async change(tx, documents) {
      const updates = documents.flatMap((document) => {
        const update = updateOf(document as unknown as Old);
        return update === null ? [] : [{ updateOne: { filter: { _id: document._id }, update } }];
      });
      await (tx.collection(collection) as unknown as Collection<BaseDocument & Untyped>).bulkWrite(updates);
    },
  };
}
