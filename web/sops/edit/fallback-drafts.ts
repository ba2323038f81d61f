/** Drafts beside the database: what is written as the page goes, where a request would come too late, and what no store took. */
import type { Draft } from "#core/sops/editing.ts";

const prefix = "sopwright.draft:";
/** Where the browser refuses to store anything, until the page is closed. */
const memory = new Map<string, Draft>();

/** At once. @returns whether it outlives the page */
export function saveFallbackDraft(key: string, draft: Draft): boolean {
  try {
    localStorage.setItem(prefix + key, JSON.stringify(draft));
    memory.delete(key);
    return true;
  } catch {
    memory.set(key, draft);
    return false;
  }
}

/** By key. */
export function fallbackDrafts(): Map<string, Draft> {
  const found = new Map<string, Draft>();
  try {
    for (const [name, text] of Object.entries<string>(localStorage)) {
      if (name.startsWith(prefix)) found.set(name.slice(prefix.length), JSON.parse(text) as Draft);
    }
  } catch {
    // no storage, or not of ours: there is nothing to be found
  }
  // what was refused came later than what was stored
  for (const [key, draft] of memory) found.set(key, draft);
  return found;
}

/** @param until later ones stay */
export function removeFallbackDraft(key: string, until?: string): void {
  const stored = until === undefined ? undefined : fallbackDrafts().get(key);
  if (until !== undefined && (!stored || stored.savedAt > until)) return;
  memory.delete(key);
  try {
    localStorage.removeItem(prefix + key);
  } catch {
    // no storage: nothing is in it
  }
}
