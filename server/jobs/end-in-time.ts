/**
 * Runs `end` and waits for it at most this long, because `end` can wait for an unreachable database or a locked row.
 * The stop of the server then continues.
 * @throws the error of `end`, or a timeout
 */
export async function endWithTimeout(ms: number, name: string, end: () => Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`${name} did not end within ${ms / 1000} s`)), ms);
  try {
    await Promise.race([end(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
