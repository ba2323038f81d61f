/** The number of requests that run at the same time. */
export const parallelRequests = 4;

/**
 * Returns results in the order of the items. After a failure, running work ends, no new work starts, and then the
 * failure is thrown. So no work is left half done.
 */
export async function runParallel<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const queue = [...items.entries()];
  const results: R[] = [];
  const workOffQueue = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [index, item] = next;
      results[index] = await work(item, index);
    }
  };
  const stopOthers = (error: unknown) => {
    queue.length = 0;
    throw error;
  };
  const ended = await Promise.allSettled(
    Array.from({ length: parallelRequests }, () => workOffQueue().catch(stopOthers)),
  );
  for (const end of ended) if (end.status === "rejected") throw end.reason;
  return results;
}
