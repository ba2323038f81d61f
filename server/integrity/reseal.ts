/**
 * Re-encrypts values of older keys with the first one, after a rotation. An interrupted run continues where it stopped.
 */
import type { Clock } from "#core/clock.ts";
import { recordAudits } from "../audit/record.ts";
import type { Collections } from "../database/documents.ts";
import { atPath, type Database } from "../database/port.ts";
import { reportProgress } from "../jobs/overdue.ts";
import { keyIdOf } from "../keys/seal.ts";
import { readSealedPages, type SealedValue, type SealedDocuments } from "../keys/sealed-values.ts";
import type { Keyring } from "../keys/keyring.ts";

export interface ReencryptionResult {
  /** The number of values that this run re-encrypted. */
  resealed: number;
  /** The number of values that already had the first key. */
  current: number;
  /**
   * Values that no key in the keyring opens. AI or the mirror is off, and users get a message, until they enter the
   * value again.
   */
  unreadable: { value: string; kid: string | null }[];
}

/**
 * Re-encrypts all values that an older key encrypted. Servers can run at the same time: a value that they change during
 * the run keeps its new content.
 */
export async function resealOlderValues(
  db: Database<Collections>,
  keys: Keyring,
  clock: Clock,
): Promise<ReencryptionResult> {
  const sum: ReencryptionResult = { resealed: 0, current: 0, unreadable: [] };
  for await (const page of readSealedPages(db)) {
    const first = keys.firstId();
    const old = page.filter(({ sealed }) => keyIdOf(sealed) !== first);
    sum.current += page.length - old.length;
    const replaced = old.flatMap((value) => {
      const opened = keys.open(value.sealed, value.place);
      if (opened.ok) return [{ ...value, fresh: keys.seal(opened.text, value.place) }];
      sum.unreadable.push({ value: value.name, kid: opened.kid });
      return [];
    });
    sum.resealed += replaced.length === 0 ? 0 : await storeResealedValues(db, replaced, first, clock.now());
    reportProgress();
  }
  return sum;
}

/** Counts the values that another key than the first one encrypted. */
export async function countOlderValues(
  db: Pick<Database<Collections>, "collection">,
  firstId: string,
): Promise<number> {
  let older = 0;
  for await (const page of readSealedPages(db))
    older += page.filter(({ sealed }) => keyIdOf(sealed) !== firstId).length;
  return older;
}

function storeResealedValues(
  db: Database<Collections>,
  replaced: readonly (SealedValue & { fresh: string })[],
  kid: string,
  at: string,
): Promise<number> {
  return db.transaction(async (tx) => {
    const written: SealedValue[] = [];
    for (const value of replaced) {
      const { _id, companyId, collection, field, sealed, fresh } = value;
      const stored = tx.forCompany(companyId).collection(collection) as unknown as SealedDocuments;
      const { matchedCount } = await stored.updateOne(
        { _id, ...atPath(field, sealed) },
        { $set: atPath(field, fresh) },
      );
      if (matchedCount === 1) written.push(value);
    }
    await recordAudits(
      tx,
      written.map(({ _id, companyId, entityType, sealed }) => ({
        companyId,
        userId: null,
        userName: null,
        action: "settings.reseal",
        entityType,
        entityId: _id,
        changes: { key: { from: keyIdOf(sealed), to: kid } },
        at,
        origin: null,
      })),
    );
    return written.length;
  });
}
