/** Notifies watchers in this process of the collections that a commit has written. */
export class CommitSignal {
  readonly #watchers = new Set<{ names: ReadonlySet<string>; changed: (names: ReadonlySet<string>) => void }>();

  watch(names: readonly string[], changed: (names: ReadonlySet<string>) => void): () => void {
    const watcher = { names: new Set(names), changed };
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  /** Calls watchers after the committing code continues, so that they don't delay it. */
  committed(written: ReadonlySet<string>): void {
    for (const watcher of this.#watchers) {
      const names = new Set([...written].filter((name) => watcher.names.has(name)));
      if (names.size > 0) setImmediate(() => this.#watchers.has(watcher) && watcher.changed(names));
    }
  }

  stop(): void {
    this.#watchers.clear();
  }
}
