/** Unsaved text, kept in this browser until it is saved or discarded: survives a crash and a session that ended. */
import type { SopForm } from "#core/sops/schema.ts";

export interface Draft {
  values: SopForm;
  /** The version it was written on; null for a new SOP. */
  baseVersion: number | null;
  savedAt: string;
  /** Calls of the AI whose proposals are in it; one of an older release has none. */
  aiCalls?: readonly string[];
}

/** Whose draft of what: another user of the same browser never sees it. */
export function draftKey(userId: string, sopId: string | null): string {
  return `${userId}/${sopId ?? "new"}`;
}

const storeName = "drafts";

export function readDraft(key: string): Promise<Draft | null> {
  return withStore("readonly", (store) => store.get(key) as IDBRequest<Draft | undefined>).then(
    (draft) => draft ?? null,
  );
}

export async function writeDraft(key: string, draft: Draft): Promise<void> {
  await withStore("readwrite", (store) => store.put(draft, key));
}

export async function dropDraft(key: string): Promise<void> {
  await withStore("readwrite", (store) => store.delete(key));
}

/** A browser that refuses storage (private mode, full disk) edits without a net: answers undefined, never throws. */
async function withStore<T>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  try {
    const database = await open();
    try {
      return await answered(ask(database.transaction(storeName, mode).objectStore(storeName)));
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

function answered<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("storage failed")));
  });
}
