/** Notifies watchers in this process of the documents that a commit has written. */
import type { CommitWrites } from "../port.ts";

export class CommitSignal {
  readonly #watchers = new Set<{ names: ReadonlySet<string>; changed: (written: CommitWrites) => void }>();

  watch(names: readonly string[], changed: (written: CommitWrites) => void): () => void {
    const watcher = { names: new Set(names), changed };
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  /** Calls the watchers, but only after the committing code has continued, so that they don't delay it. */
  notifyWatchers(written: CommitWrites): void {
    for (const watcher of this.#watchers) {
      const watched = new Map([...written].filter(([name]) => watcher.names.has(name)));
      if (watched.size > 0) setImmediate(() => this.#watchers.has(watcher) && watcher.changed(watched));
    }
  }

  stop(): void {
    this.#watchers.clear();
  }
}
