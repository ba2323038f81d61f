/** Writes many events at once: by `git fast-import` or by our own pack writer, to the same ids. */
import type { RepoEvent } from "#core/repository/event.ts";
import type { PlannedCommit, Projected, RepositoryState } from "#core/repository/project.ts";
import type { ObjectSink } from "#core/repository/tree.ts";
import type { StoreAsset } from "./contents.ts";

export interface BacklogWriter {
  /** Writes the blob of an asset, before the event that needs it is planned. */
  asset: StoreAsset;
  /** Takes the blobs of the event being planned. */
  blob: ObjectSink;
  /** Takes the planned commits of an event; waits while the disk is behind. */
  add(state: RepositoryState, event: RepoEvent, commits: readonly PlannedCommit[]): Promise<void>;
  /** Makes all objects readable and durable; the state's heads are the last commits. No ref has moved yet. */
  finish(state: RepositoryState): Promise<Projected[]>;
  /** Leaves nothing behind. */
  abort(): Promise<void>;
}
