import type { LocalDocument } from "./documents.ts";
import type { RemoteSop } from "./remote.ts";
import type { TrackedSop } from "./state.ts";

/**
 * Returns the version that a file was made from, or null if unknown. The version in the file counts if the server has
 * that version, because git can restore older and newer copies of a file than the last pull wrote.
 */
export function baseVersionOf(
  { version }: Pick<LocalDocument, "version">,
  tracked: TrackedSop | null | undefined,
  remoteSop: RemoteSop,
): number | null {
  const known = tracked?.version || null;
  return version !== null && version >= 1 && version <= remoteSop.version ? version : known;
}
