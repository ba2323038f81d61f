/** Runs tasks by key: one at a time for each key, and several keys at once. */
export interface Queue {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Resolves when no task runs or waits. */
  idle(): Promise<void>;
}

export function createKeyedQueue(sideBySide: number): Queue {
  const tails = new Map<string, Promise<unknown>>();
  const waiting: (() => void)[] = [];
  let free = sideBySide;

  const withSlot = async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };

  return {
    run: (key, work) => {
      const before = tails.get(key) ?? Promise.resolve();
      const result = before.then(() => withSlot(work));
      const tail = result.then(
        () => undefined,
        () => undefined,
      );
      tails.set(key, tail);
      void tail.then(() => tails.get(key) === tail && tails.delete(key));
      return result;
    },
    idle: async () => {
      while (tails.size > 0) await Promise.all(tails.values());
    },
  };
}
