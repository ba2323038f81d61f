/** Tells watchers in this process which collections a commit has written. */
export declare class CommitSignal {
  #private;
  watch(names: readonly string[], changed: (names: ReadonlySet<string>) => void): () => void;
  /** Watchers are called after the one who committed goes on: they are not in his way. */
  committed(written: ReadonlySet<string>): void;
  stop(): void;
}
