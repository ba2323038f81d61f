/**
 * Ends what may wait for a database that is away, or that keeps a row locked: a stop goes on without it.
 * @throws what `end` throws, or that it took too long
 */
export async function endInTime(ms: number, name: string, end: () => Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`${name} did not end within ${ms / 1000} s`)), ms);
  try {
    await Promise.race([end(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
