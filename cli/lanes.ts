/** Several at a time, as requests to a server may be. */

/** Requests under way at the same time. */
export const lanes = 4;

/**
 * Results in the order of the items. After a failure, running work ends and nothing new starts; then the failure is
 * thrown. So all work done is complete.
 */
export async function inLanes<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const queue = [...items.entries()];
  const results: R[] = [];
  const lane = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [index, item] = next;
      results[index] = await work(item);
    }
  };
  const stopOthers = (error: unknown) => {
    queue.length = 0;
    throw error;
  };
  const ended = await Promise.allSettled(Array.from({ length: lanes }, () => lane().catch(stopOthers)));
  for (const end of ended) if (end.status === "rejected") throw end.reason;
  return results;
}
