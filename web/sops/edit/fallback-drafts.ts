/**
 * Drafts outside the database: those written while the page closes, when a database is too slow, and those that no
 * storage accepted.
 */
import type { StoredDraft } from "#core/sops/editing.ts";

const storagePrefix = "sopwright.draft:";
/** Drafts of this page if the browser refuses all storage. */
const memory = new Map<string, StoredDraft>();

/** Stores a draft synchronously. @returns whether it outlives the page */
export function saveFallbackDraft(key: string, draft: StoredDraft): boolean {
  try {
    localStorage.setItem(storagePrefix + key, JSON.stringify(draft));
    memory.delete(key);
    return true;
  } catch {
    memory.set(key, draft);
    return false;
  }
}

/** Reads all fallback drafts, by key. */
export function readFallbackDrafts(): Map<string, StoredDraft> {
  const found = new Map<string, StoredDraft>();
  try {
    for (const [name, text] of Object.entries<string>(localStorage)) {
      if (name.startsWith(storagePrefix)) found.set(name.slice(storagePrefix.length), JSON.parse(text) as StoredDraft);
    }
  } catch {
    // There is no storage, or it holds data of another program.
  }
  // Drafts in memory are newer than stored ones.
  for (const [key, draft] of memory) found.set(key, draft);
  return found;
}

/** Removes a fallback draft, unless it was saved after `until`. */
export function removeFallbackDraft(key: string, until?: string): void {
  const stored = until === undefined ? undefined : readFallbackDrafts().get(key);
  if (until !== undefined && (!stored || stored.savedAt > until)) return;
  memory.delete(key);
  try {
    localStorage.removeItem(storagePrefix + key);
  } catch {
    // Without storage there is nothing to remove.
  }
}
