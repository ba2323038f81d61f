/**
 * Keys that an operator gave up (`rotate-keys --lost`). The values that they encrypted or signed are known losses and
 * not damage.
 */
import type { Collections } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import { keyIdOf } from "./seal.ts";
import { readSealedPages } from "./sealed-values.ts";

type CollectionSource = Pick<Database<Collections>, "collection">;

const id = "lost-keys";

/** Loads the ids of the keys that an operator gave up. */
export async function loadLostKeyIds(db: CollectionSource): Promise<ReadonlySet<string>> {
  const stored = await db.collection("system").findOne({ _id: id });
  return new Set(stored ? (JSON.parse(stored.value) as string[]) : []);
}

/** Finds the ids of all keys that encrypted or signed a stored value. */
export async function findUsedKeyIds(db: CollectionSource): Promise<Set<string>> {
  const used = new Set<string>();
  for await (const values of readSealedPages(db)) for (const { sealed } of values) used.add(keyIdOf(sealed) ?? "");
  for (const { kid } of await db.collection("audit_checkpoints").find({}, { projection: { kid: 1 } })) used.add(kid);
  return used;
}

/** Stores that an operator gave up these keys, in addition to earlier ones. */
export async function rememberLostKeys(db: CollectionSource, kids: Iterable<string>, at: string): Promise<void> {
  const value = JSON.stringify([...new Set([...(await loadLostKeyIds(db)), ...kids])]);
  await db.collection("system").updateOne({ _id: id }, { $set: { value, at } }, { upsert: true });
}
