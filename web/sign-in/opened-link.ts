/** The SOP whose link a stranger opened: an invitation that they accept in this browser leads there. */
import { invitationDays } from "#core/invitations/rules.ts";

const key = "opened-link";
const dayMs = 24 * 60 * 60_000;

/** A path of this site, as the router knows it; all others are left out. */
export const isSopLink = (path: string): boolean => /^\/sop\/[^/\\]/.test(path);

export function keepOpenedLink(path: string): void {
  try {
    localStorage.setItem(key, JSON.stringify({ path, at: Date.now() }));
  } catch {
    // storage is refused: the home page is next
  }
}

/** Forgets it. @returns null if there is none, or if it is older than any invitation */
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
