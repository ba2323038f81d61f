/** Requests under way at the same time. */
const lanes = 4;

/** Runs the work for each, four at a time. The first failure stops the others and is thrown when they have ended. */
export async function inLanes<T>(all: readonly T[], work: (one: T, index: number) => Promise<void>): Promise<void> {
  const queue = [...all.entries()];
  const lane = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      try {
        await work(next[1], next[0]);
      } catch (error) {
        queue.length = 0;
        throw error;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: lanes }, lane));
  for (const result of results) if (result.status === "rejected") throw result.reason;
}
