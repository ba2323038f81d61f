/**
 * A conflict leaves the file as it is and writes a merge with markers beside it, as `<file>.merge`. Once the merge has
 * no markers, the next pull or push replaces the file with it.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { sha256Of } from "../hashing.ts";
import { hasConflictMarkers } from "#core/diff/merge.ts";
import { readIfExists, writeFileAtomically } from "../files.ts";
import { invalidInputError } from "../exit.ts";
import { documentIdentityOf, type LocalDocument } from "./documents.ts";
import { writeBaseText, type TrackedSop } from "./state.ts";

export interface PendingMerge {
  root: string;
  id: string;
  tracked: TrackedSop;
}

const theirsPath = ({ root, id }: Pick<PendingMerge, "root" | "id">) => join(root, ".sop", "theirs", `${id}.md`);
const minePath = ({ root, id }: Pick<PendingMerge, "root" | "id">) => join(root, ".sop", "mine", `${id}.md`);
export const mergePath = (path: string) => `${path}.merge`;

/**
 * Stores the merge and both sides. The server's text becomes the base once the conflict is resolved. The local text
 * shows later whether the file has changed since.
 */
export async function writePendingMerge(
  at: Pick<PendingMerge, "root" | "id"> & { path: string },
  texts: { mine: string; theirs: string; merged: string },
): Promise<void> {
  await writeFileAtomically(theirsPath(at), texts.theirs);
  await writeFileAtomically(minePath(at), texts.mine);
  await writeFileAtomically(join(at.root, mergePath(at.path)), texts.merged);
}

/**
 * The state of a merge file: `none` if there is none, `open` if it still has markers, `taken` if it has replaced the
 * document.
 */
export type MergeState = "none" | "open" | "taken";

/**
 * Replaces the file with a finished merge. The server's text becomes its new base.
 * @throws exit 2 if the file changed after the merge was made
 */
export async function applyPendingMerge(merging: PendingMerge, local: LocalDocument): Promise<MergeState> {
  const { root, id, tracked } = merging;
  const merge = join(root, mergePath(local.path));
  const [merged, theirs, mine] = await Promise.all(
    [merge, theirsPath(merging), minePath(merging)].map(async (file) => (await readIfExists(file))?.toString("utf8")),
  );
  if (merged === undefined || theirs === undefined || mine === undefined) return "none";
  if (hasConflictMarkers(merged)) return "open";
  if (mine !== local.text) {
    throw invalidInputError("merge", `${local.path} changed after ${mergePath(local.path)} was written`, {
      path: local.path,
      hint: `copy your changes to ${mergePath(local.path)} and undo them in the file, or delete the .merge file and pull again`,
    });
  }
  await writeFileAtomically(local.file, merged);
  await writeBaseText(root, id, theirs);
  Object.assign(tracked, {
    sha256: sha256Of(theirs),
    version: documentIdentityOf(theirs, local.path).version ?? tracked.version,
  });
  Object.assign(local, { text: merged, sha256: sha256Of(merged), ...documentIdentityOf(merged, local.path) });
  await deletePendingMerge({ root, id, path: local.path });
  return "taken";
}

export async function deletePendingMerge(at: Pick<PendingMerge, "root" | "id"> & { path: string }): Promise<void> {
  for (const file of [join(at.root, mergePath(at.path)), theirsPath(at), minePath(at)]) await rm(file, { force: true });
}
