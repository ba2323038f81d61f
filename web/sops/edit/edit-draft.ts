/** Keeps unsaved text in this browser until it is saved or discarded. It survives a crash and the end of a session. */
import type { StoredDraft, FoundDraft } from "#core/sops/editing.ts";
import { removeFallbackDraft, readFallbackDrafts } from "./fallback-drafts.ts";

const storeName = "drafts";
const draftsAtMost = 5;
const daysKept = 30;

/**
 * Returns the drafts of an SOP, newest first. Deletes drafts of all SOPs that are too old, and the oldest drafts of
 * this SOP beyond the limit.
 * @param place the prefix of the keys of the SOP's drafts
 */
export async function loadAndPruneDrafts(place: string): Promise<FoundDraft[]> {
  const stored = await withStore("readonly", (store) =>
    Promise.all([waitForRequest<IDBValidKey[]>(store.getAllKeys()), waitForRequest<StoredDraft[]>(store.getAll())]),
  );
  const [keys, drafts] = stored ?? [[], []];
  const byKey = new Map(drafts.map((draft, at) => [String(keys[at]), draft]));
  // A fallback draft is newer than the stored draft with the same key.
  for (const [key, draft] of readFallbackDrafts()) byKey.set(key, draft);
  const all = [...byKey].map(([key, draft]) => ({ ...draft, key }));
  const since = new Date(Date.now() - daysKept * 24 * 3600_000).toISOString();
  const ofPlace = all
    .filter(({ key, savedAt }) => (key === place || key.startsWith(`${place}/`)) && savedAt >= since)
    .toSorted((a, b) => b.savedAt.localeCompare(a.savedAt));
  const expired = [...all.filter(({ savedAt }) => savedAt < since), ...ofPlace.slice(draftsAtMost)];
  for (const { key } of expired) void deleteDraft(key);
  return ofPlace.slice(0, draftsAtMost);
}

/** @returns whether the browser stored the draft */
export async function storeEditDraft(key: string, draft: StoredDraft): Promise<boolean> {
  const isStored = (await withStore("readwrite", (store) => waitForRequest(store.put(draft, key)))) !== undefined;
  if (isStored) removeFallbackDraft(key, draft.savedAt);
  return isStored;
}

export async function deleteDraft(key: string): Promise<void> {
  removeFallbackDraft(key);
  await withStore("readwrite", (store) => waitForRequest(store.delete(key)));
}

/**
 * Calls `ask` with the store of drafts in the browser's database. Returns undefined if the browser refuses storage
 * (private mode, full disk).
 */
async function withStore<T>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => Promise<T>,
): Promise<T | undefined> {
  try {
    const database = await openDatabase();
    try {
      const transaction = database.transaction(storeName, mode);
      const stored = mode === "readwrite" && waitForTransaction(transaction);
      const answer = await ask(transaction.objectStore(storeName));
      await stored;
      return answer;
    } finally {
      database.close();
    }
  } catch {
    return undefined;
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open("sopwright", 1);
  request.addEventListener("upgradeneeded", () => request.result.createObjectStore(storeName));
  return waitForRequest(request);
}

/** Waits for the end of a transaction. On a full disk, a request can succeed although its transaction fails. */
function waitForTransaction(transaction: IDBTransaction): Promise<unknown> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener("complete", resolve);
    transaction.addEventListener("abort", () => reject(transaction.error ?? new Error("storage failed")));
  });
}

function waitForRequest<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("storage failed")));
  });
}
