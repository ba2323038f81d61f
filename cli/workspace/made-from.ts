import type { LocalDocument } from "./documents.ts";
import type { RemoteSop } from "./remote.ts";
import type { TrackedSop } from "./state.ts";

/**
 * The version a file was made from, null where nobody knows. What it says itself counts, as far as the server can have given
 * it out: git brings older and newer copies of a file than the last pull.
 */
export function madeFrom(
  { version }: Pick<LocalDocument, "version">,
  tracked: TrackedSop | null | undefined,
  there: RemoteSop,
): number | null {
  const known = tracked?.version || null;
  return version !== null && version >= 1 && version <= there.version ? version : known;
}
