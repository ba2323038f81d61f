import type { LocalDocument } from "./documents.ts";
import type { RemoteSop } from "./remote.ts";
import type { TrackedSop } from "./state.ts";

/**
 * The version that a file was made from, or null if unknown. The file's own version counts if the server has reached
 * it, because git can bring older and newer copies of a file than the last pull.
 */
export function baseVersionOf(
  { version }: Pick<LocalDocument, "version">,
  tracked: TrackedSop | null | undefined,
  remoteSop: RemoteSop,
): number | null {
  const known = tracked?.version || null;
  return version !== null && version >= 1 && version <= remoteSop.version ? version : known;
}
