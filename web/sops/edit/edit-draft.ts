/** Unsaved text, kept in this browser until it is saved or discarded: survives a crash and a session that ended. */
import type { Draft, FoundDraft } from "#core/sops/editing.ts";
import { removeFallbackDraft, fallbackDrafts } from "./fallback-drafts.ts";

const storeName = "drafts";
const atMost = 5;
const daysKept = 30;

/** The newest first. What is too old, anywhere, or one too many of this place is forgotten. */
export async function draftsOf(place: string): Promise<FoundDraft[]> {
  const stored = await withStore("readonly", (store) =>
    Promise.all([answered<IDBValidKey[]>(store.getAllKeys()), answered<Draft[]>(store.getAll())]),
  );
  const [keys, drafts] = stored ?? [[], []];
  const byKey = new Map(drafts.map((draft, at) => [String(keys[at]), draft]));
  // the fallback draft is newer than the stored one of its key
  for (const [key, draft] of fallbackDrafts()) byKey.set(key, draft);
  const all = [...byKey].map(([key, draft]) => ({ ...draft, key }));
  const since = new Date(Date.now() - daysKept * 24 * 3600_000).toISOString();
  const ofPlace = all
    .filter(({ key, savedAt }) => (key === place || key.startsWith(`${place}/`)) && savedAt >= since)
    .toSorted((a, b) => b.savedAt.localeCompare(a.savedAt));
  const expired = [...all.filter(({ savedAt }) => savedAt < since), ...ofPlace.slice(atMost)];
  for (const { key } of expired) void dropDraft(key);
  return ofPlace.slice(0, atMost);
}

/** @returns whether the browser took it */
export async function writeDraft(key: string, draft: Draft): Promise<boolean> {
  const isStored = (await withStore("readwrite", (store) => answered(store.put(draft, key)))) !== undefined;
  if (isStored) removeFallbackDraft(key, draft.savedAt);
  return isStored;
}

export async function dropDraft(key: string): Promise<void> {
  removeFallbackDraft(key);
  await withStore("readwrite", (store) => answered(store.delete(key)));
}

/** A browser that refuses storage (private mode, full disk) edits without a net: answers undefined, never throws. */
async function withStore<T>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => Promise<T>,
): Promise<T | undefined> {
  try {
    const database = await open();
    try {
      const transaction = database.transaction(storeName, mode);
      const stored = mode === "readwrite" && completed(transaction);
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

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open("sopwright", 1);
  request.addEventListener("upgradeneeded", () => request.result.createObjectStore(storeName));
  return answered(request);
}

/** A full disk lets a request succeed and what it was part of fail. */
function completed(transaction: IDBTransaction): Promise<unknown> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener("complete", resolve);
    transaction.addEventListener("abort", () => reject(transaction.error ?? new Error("storage failed")));
  });
}

function answered<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("storage failed")));
  });
}
