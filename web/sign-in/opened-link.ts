/**
 * Remembers the SOP link that a visitor opened. After accepting an invitation in this browser, the visitor gets to that
 * SOP.
 */
import { invitationDays } from "#core/invitations/rules.ts";

const key = "opened-link";
const dayMs = 24 * 60 * 60_000;

/** Says whether a path is that of an SOP on this site. Other paths are not remembered. */
export const isSopLink = (path: string): boolean => /^\/sop\/[^/\\]/.test(path);

export function storeOpenedLink(path: string): void {
  try {
    localStorage.setItem(key, JSON.stringify({ path, at: Date.now() }));
  } catch {
    // Without storage, the home page opens instead.
  }
}

/** Returns the remembered link and forgets it. @returns null if there is none, or if it is older than any invitation */
export function takeOpenedLink(): string | null {
  try {
    const { path, at } = JSON.parse(localStorage.getItem(key) ?? "{}") as { path?: unknown; at?: unknown };
    localStorage.removeItem(key);
    const isFresh = typeof at === "number" && Date.now() - at < invitationDays.atMost * dayMs;
    return isFresh && typeof path === "string" && isSopLink(path) ? path : null;
  } catch {
    return null;
  }
}
