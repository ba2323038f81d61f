/** The two usual passes of a migration: one update for all documents, or one for each. */
import type { Collections } from "./documents.ts";
import type { BaseDocument, Filter, PassOver, Update } from "./port.ts";

type Name = keyof Collections;

export function updateAll<N extends Name>(collection: N, filter: Filter, update: Update): PassOver<Collections, N> {
  return {
    collection,
    filter,
    async change(tx, documents) {
      await tx.collection(collection).updateMany({ _id: { $in: documents.map(({ _id }) => _id) } }, update);
    },
  };
}

/** @param updateOf null: the document stays as it is */
export function updateEach<N extends Name, Old extends BaseDocument = Collections[N]>(
  collection: N,
  filter: Filter,
  updateOf: (document: Old) => Update | null,
): PassOver<Collections, N> {
  return {
    collection,
    filter,
    async change(tx, documents) {
      const updates = documents.flatMap((document) => {
        const update = updateOf(document as unknown as Old);
        return update === null ? [] : [{ updateOne: { filter: { _id: document._id }, update } }];
      });
      await tx.collection(collection).bulkWrite(updates);
    },
  };
}
